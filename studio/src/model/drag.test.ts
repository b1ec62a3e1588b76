import assert from 'node:assert/strict';
import { test } from 'node:test';
import { landingOf, placeBehind } from './drag.ts';

test('a folder takes what is over its middle, other rows make room', () => {
  const landings = (isFolder: boolean, canOrder: boolean) => [5, 20, 35].map((offset) => landingOf(offset, 40, isFolder, canOrder));
  assert.deepEqual(landings(true, true), ['before', 'into', 'behind']);
  assert.deepEqual(landings(true, false), ['into', 'into', 'into']);
  assert.deepEqual(landings(false, true), ['before', 'behind', 'behind']);
  assert.deepEqual(landings(false, false), [undefined, undefined, undefined]);
});

test('a story lands behind the sibling that is above it then', () => {
  const ids = [1, 2, 3, 4, undefined];
  for (const [dragged, over, landing, after, moves] of [
    [3, 1, 'before', undefined, true],
    [3, 1, 'behind', 1, true],
    [1, 4, 'behind', 4, true],
    [1, 3, 'before', 2, true],
    [2, 4, 'behind', 4, true],
    [2, 1, 'behind', 1, false],
    [2, 3, 'before', 2, false],
    [2, 2, 'before', 1, false],
    [1, 1, 'before', undefined, false],
  ] as const) {
    assert.deepEqual(placeBehind((row) => ids[row], dragged, ids.indexOf(over), landing), { after, moves }, `${dragged} ${landing} ${over}`);
  }
  // What stands above is not known here: it would come anywhere.
  assert.equal(placeBehind((row) => ids[row], 1, 5, 'before').moves, false);
});
