import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf, overtaken, rebased, settingsOf, type SettingsStory } from './storysettings.ts';

const story = {
  id: 1, name: 'Home', slug: 'home', full_slug: 'home', is_folder: false, is_startpage: false, tag_list: ['a'], path: null, sort_by_date: null, disable_fe_editor: false,
  meta_data: { rank: 1 }, group_id: 'g', alternates: [], expire_at: null, default_root: null, content: { component: 'page', content_types: ['no folder'] },
} as unknown as SettingsStory;

const folder = { ...story, is_folder: true, meta_data: null, default_root: 'page', content: { content_types: ['page', 'gone'], other: 1 } } as unknown as SettingsStory;

test('what is not changed is not written', () => {
  for (const one of [story, folder]) assert.deepEqual(changesOf(one, settingsOf(one)), {});
  // Written in another way it is the same.
  assert.deepEqual(changesOf(story, { ...settingsOf(story), metaData: '{"rank":1.0}', name: 'Home ' }), {});
});

test('what is changed is written, and emptied is nothing', () => {
  const after = { ...settingsOf(story), name: 'Start', tags: ['a', 'b'], isStartPage: true, sortDate: '2026-11-27', metaData: ' ', path: '/' };
  assert.deepEqual(changesOf(story, after), { name: 'Start', tag_list: ['a', 'b'], is_startpage: true, sort_by_date: '2026-11-27', meta_data: null, path: '/' });
});

test('what a folder takes is written beside what is not known of it', () => {
  assert.deepEqual(settingsOf(story).contentTypes, []);
  assert.deepEqual(changesOf(folder, { ...settingsOf(folder), contentTypes: ['page'] }), { content: { content_types: ['page'], other: 1 } });
  assert.deepEqual(changesOf(folder, { ...settingsOf(folder), limitsFolders: true, defaultType: '' }), {
    default_root: null, content: { content_types: ['page', 'gone'], other: 1, lock_subfolders_content_types: true },
  });
});

test('names and slugs of a folder in other languages are written where they differ', () => {
  const translated = { ...folder, translated_slugs: [{ lang: 'de', name: 'Neues', slug: 'neues' }] };
  assert.deepEqual(changesOf(translated, settingsOf(translated)), {});
  const after = { ...settingsOf(translated), translatedSlugs: { de: { name: 'Neues', slug: 'neu' } } };
  const change = { translated_slugs_attributes: [{ lang: 'de', name: 'Neues', slug: 'neu' }] };
  assert.deepEqual(changesOf(translated, after), change);
  const theirs = { ...translated, translated_slugs: [{ lang: 'de', name: 'Nachrichten', slug: 'neues' }] };
  assert.deepEqual(overtaken(change, translated, theirs), ['translated_slugs_attributes']);
  assert.deepEqual(overtaken(change, translated, translated), []);
});

test('only what others have changed of the same is overtaken', () => {
  const theirs = { ...story, name: 'Theirs', tag_list: ['a', 'c'] };
  assert.deepEqual(overtaken({ tag_list: ['a', 'b'], path: '/' }, story, theirs), ['tag_list']);
  assert.deepEqual(overtaken({ path: '/' }, story, theirs), []);
});

test('what was not changed here becomes what others have made of it', () => {
  const settings = { ...settingsOf(story), tags: ['a', 'b'] };
  const theirs = { ...story, name: 'Theirs', tag_list: ['a', 'c'], meta_data: { rank: 2 } } as unknown as SettingsStory;
  const now = rebased(story, settings, theirs);
  assert.deepEqual([now.name, now.tags, JSON.parse(now.metaData)], ['Theirs', ['a', 'b'], { rank: 2 }]);
  assert.deepEqual(changesOf(theirs, now), { tag_list: ['a', 'b'] });
});
