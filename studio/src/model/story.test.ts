import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishedLanguages, stateOf, type Story } from './story.ts';

const story: Story = {
  id: 1, name: 'Home', slug: 'home', full_slug: 'home', parent_id: 0, position: 0, is_folder: false, is_startpage: false, content_type: 'page', published: false,
  unpublished_changes: true, updated_at: '2026-11-27T00:00:00.000Z', published_at: null, publish_at: null, deleted_at: null, tag_list: [], last_author: null,
};

test('a story has the state that its readers see', () => {
  const at = '2026-11-28T00:00:00.000Z';
  for (const [change, state] of [
    [{}, 'draft'],
    [{ publish_at: at }, 'scheduled'],
    [{ is_scheduled: true }, 'scheduled'],
    [{ published: true, unpublished_changes: false }, 'published'],
    [{ published: true }, 'changed'],
    [{ published: true, publish_at: at }, 'changed'],
    [{ is_folder: true }, undefined],
  ] as const) {
    assert.equal(stateOf({ ...story, ...change }), state, JSON.stringify(change));
  }
});

test('languages count when they are published', () => {
  assert.deepEqual(publishedLanguages(story), []);
  const translated_stories = [{ lang: 'de', published_at: 'x' }, { lang: 'fr', published_at: null }];
  assert.deepEqual(publishedLanguages({ ...story, translated_stories }), ['de']);
});
