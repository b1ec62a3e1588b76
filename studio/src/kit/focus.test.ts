import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { movedPoint, pointAt, readFocus, writeFocus } from './focus.ts';

const side = fc.integer({ min: 1, max: 20_000 });
const share = fc.double({ min: -1, max: 2, noNaN: true });

test('a point is written as the pixel that it is', () => {
  assert.equal(writeFocus({ x: 320, y: 240 }), '320x240:321x241');
  assert.deepEqual(readFocus('236x196:237x197'), { x: 236, y: 196 });
  // A part that is larger has its middle.
  assert.deepEqual(readFocus('100x100:201x301'), { x: 150, y: 200 });
  for (const text of ['', 'centre', '1x2', '1x2:3', '-1x2:3x4', '1x2:3x4:5x6']) assert.equal(readFocus(text), undefined, text);
});

test('a point lies within its picture, and is read as it was written', () => {
  fc.assert(fc.property(share, share, side, side, (across, down, width, height) => {
    const point = pointAt(across, down, width, height);
    assert.ok(point.x >= 0 && point.x < width && point.y >= 0 && point.y < height);
    assert.deepEqual(readFocus(writeFocus(point)), point);
  }));
});

test('each step moves the point, until it is at the edge', () => {
  fc.assert(fc.property(side, side, fc.constantFrom(-1, 1), (width, height, step) => {
    const before = pointAt(0.5, 0.5, width, height);
    const after = movedPoint(before, { x: step, y: 0 }, width, height);
    const canMove = step > 0 ? before.x < width - 1 : before.x > 0;
    assert.equal(after.x !== before.x, canMove);
    assert.equal(after.y, before.y);
  }));
  assert.deepEqual(movedPoint(undefined, { x: 10, y: 0 }, 1000, 500), { x: 600, y: 250 });
  assert.deepEqual(movedPoint({ x: 995, y: 0 }, { x: 1, y: -1 }, 1000, 500), { x: 999, y: 0 });
});
