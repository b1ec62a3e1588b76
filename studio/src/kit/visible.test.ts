import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MOST_ROWS, visibleRows } from './visible.ts';

test('the rows in sight are shown, with some beyond them', () => {
  assert.deepEqual(visibleRows(0, 400, 40, 100_000), { first: 0, end: 18 });
  assert.deepEqual(visibleRows(400_000, 400_800, 40, 100_000), { first: 9992, end: 10_028 });
  // A list that is not seen, or not laid out yet, shows its first rows.
  assert.deepEqual(visibleRows(0, 0, 40, 100), { first: 0, end: 8 });
  assert.deepEqual(visibleRows(0, 400, 0, 3), { first: 0, end: 3 });
});

test('whatever is seen: all of its rows are among them, and never too many', () => {
  const pixels = fc.integer({ min: 0, max: 5_000_000 });
  fc.assert(fc.property(pixels, fc.integer({ min: 1, max: 2160 }), fc.integer({ min: 24, max: 200 }), fc.nat(100_000), (top, height, rowHeight, count) => {
    const { first, end } = visibleRows(top, top + height, rowHeight, count);
    assert.ok(0 <= first && first <= end && end <= count && end - first <= MOST_ROWS);
    for (const y of [top, top + height - 1]) {
      const row = Math.floor(y / rowHeight);
      if (row < count) assert.ok(first <= row && row < end, `row ${row} of ${first} to ${end}`);
    }
  }));
});
