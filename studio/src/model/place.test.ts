import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, isFiltered, placeOf, START, type Place } from './place.ts';

const read = (address: string) => placeOf(new URL(address, 'http://studio.test'));

test('each place has an address that leads to it', () => {
  const places: Partial<Place>[] = [
    {},
    { folder: 12 },
    { folder: 12, page: 3, sort: 'updated_at', descending: true },
    { search: 'a & b = ü/?#%(x)', state: 'published', type: 'page', tag: "it's" },
    { trash: true, dialog: 'move', story: 7 },
    { dialog: 'new-folder' },
  ];
  for (const change of places) {
    const place = { ...START, ...change };
    const address = addressOf(5, place);
    assert.deepEqual(read(address), place, address);
    // What the server takes as a place to lead back to.
    assert.match(address, /^\/studio\/5\/stories(\?[A-Za-z0-9\-_.~*+%&=]+)?$/);
  }
  assert.equal(addressOf(5, START), '/studio/5/stories');
});

test('an address that says something else is the start', () => {
  for (const query of ['folder=-1&page=0&sort=x&state=live', 'folder=1e99&page=x', 'dialog=none&story=3', 'story=3']) {
    assert.deepEqual(read(`/studio/5/stories?${query}`), START, query);
  }
});

test('a folder alone is no filter', () => {
  assert.equal(isFiltered({ ...START, folder: 1, sort: 'name' }), false);
  assert.equal(isFiltered({ ...START, tag: 'a' }), true);
});
