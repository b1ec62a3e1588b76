import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, isFiltered, placeOf, START, STORY_START, type ListPlace, type StoryPlace } from './place.ts';

const read = (address: string) => placeOf(new URL(address, 'http://studio.test'));

test('each place has an address that leads to it', () => {
  const places: Partial<ListPlace>[] = [
    {},
    { folder: 12 },
    { folder: 12, sort: 'updated_at', descending: true },
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

test('each place in a story has an address that leads to it', () => {
  const places: Partial<StoryPlace>[] = [
    {},
    { at: 'body/3/cta/0', uid: '1f0c', language: 'de', tab: 'tab-1f' },
    { dialog: 'add', into: 'body/3/cta', index: 2 },
    { dialog: 'preset', into: 'body/3' },
    { language: 'de', translate: 'missing' },
    { dialog: 'publish-language', into: 'de,[default]' },
    { at: "Über uns/0/it's (a) field/1", dialog: 'publish' },
  ];
  for (const change of places) {
    const place = { ...STORY_START, story: 12, ...change };
    const address = addressOf(5, place);
    assert.deepEqual(read(address), place, address);
    assert.match(address, /^\/studio\/5\/stories\/12(\?[A-Za-z0-9\-_.~*+%&=]+)?$/);
  }
});

test('an address that says something else is the start', () => {
  for (const query of ['folder=-1&sort=x&state=live', 'folder=1e99', 'dialog=none&story=3', 'story=3']) {
    assert.deepEqual(read(`/studio/5/stories?${query}`), START, query);
  }
});

test('what is no number of a story is the list', () => {
  for (const path of ['/studio/5/stories/x', '/studio/5/stories/0', '/studio/5/stories/12/more', '/studio/5', '/studio/5/stories/-1']) {
    assert.equal(read(path).screen, 'list', path);
  }
  const strange = read('/studio/5/stories/12?dialog=rename&into=body&index=-2&folder=3');
  assert.deepEqual(strange, { ...STORY_START, story: 12 });
});

test('a folder alone is no filter', () => {
  assert.equal(isFiltered({ ...START, folder: 1, sort: 'name' }), false);
  assert.equal(isFiltered({ ...START, tag: 'a' }), true);
});
