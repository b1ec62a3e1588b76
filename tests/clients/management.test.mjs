// The life of stories through the management client, and what readers see of it.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Account } from './support/account.mjs';
import { refused } from './support/expect.mjs';
import { Server } from './support/server.mjs';

let server, account, space, stories;
before(async () => {
  server = await Server.start();
  account = await Account.signedIn(server);
});
beforeEach(async () => {
  space = await account.space('stories');
  stories = space.management.stories;
});
after(() => server?.dispose());

const page = (title) => ({ component: 'page', _uid: 'root', title });

async function create(slug, { publish = 1, ...more } = {}) {
  const story = { name: slug, slug, content: more.is_folder ? undefined : page(slug), ...more };
  return (await stories.create({ body: { story, ...(publish && !more.is_folder && { publish }) } })).data.story;
}

async function read(slug, version = 'published') {
  return (await space.reader('preview').getStory(slug, { version })).data.story;
}

async function paths(version = 'published') {
  const { body } = await space.cdn('links', { version }, { token: space.tokens.preview });
  return Object.values(body.links).map((link) => link.slug).sort();
}

async function versions(story) {
  const { story_versions: list } = await space.manage('get', 'story_versions', { query: { by_story_id: story.id, show_content: 1 } });
  return list;
}

test('renaming a folder moves everything below it', async () => {
  const folder = await create('shop', { is_folder: true });
  const inner = await create('shoes', { is_folder: true, parent_id: folder.id });
  await create('start', { parent_id: folder.id, is_startpage: true });
  const boots = await create('boots', { parent_id: inner.id });
  await stories.update(folder.id, { body: { story: { slug: 'store' } } });
  assert.deepEqual(await paths(), ['store', 'store/', 'store/shoes', 'store/shoes/boots']);
  assert.equal((await read('store/shoes/boots')).uuid, boots.uuid);
  await refused(read('shop/shoes/boots'), 404);
});

test('moving a folder takes its subtree along, and not into itself', async () => {
  const from = await create('from', { is_folder: true });
  const inner = await create('inner', { is_folder: true, parent_id: from.id });
  await create('leaf', { parent_id: inner.id });
  const to = await create('to', { is_folder: true });
  await space.manage('put', `stories/${from.id}/move`, { query: { to_folder: to.id } });
  assert.deepEqual(await paths(), ['to', 'to/from', 'to/from/inner', 'to/from/inner/leaf']);
  assert.equal((await read('to/from/inner/leaf')).full_slug, 'to/from/inner/leaf');
  await refused(space.manage('put', `stories/${to.id}/move`, { query: { to_folder: inner.id } }), 422);
  assert.deepEqual(await paths(), ['to', 'to/from', 'to/from/inner', 'to/from/inner/leaf']);
});

test('a move can say after which sibling', async () => {
  const [a, b, c] = [await create('a', { position: 0 }), await create('b', { position: 10 }), await create('c', { position: 20 })];
  await space.manage('put', `stories/${a.id}/move`, { query: { after_id: c.id } });
  const order = (await space.reader('public').getStories({})).data.stories.map((story) => story.slug);
  assert.deepEqual(order, [b, c, a].map((story) => story.slug));
});

test('several stories move at once', async () => {
  const folder = await create('folder', { is_folder: true });
  const one = await create('one');
  const two = await create('two');
  await create('stays');
  await space.manage('post', 'stories/bulk_move', { body: { story_ids: [one.id, two.id], to_folder: folder.id } });
  assert.deepEqual(await paths(), ['folder', 'folder/one', 'folder/two', 'stays']);
});

test('a deleted folder takes its subtree out of sight, and undelete brings it back', async () => {
  const folder = await create('folder', { is_folder: true });
  const leaf = await create('leaf', { parent_id: folder.id });
  await stories.delete(folder.id);
  assert.deepEqual(await paths('draft'), []);
  await refused(read('folder/leaf', 'draft'), 404);
  const trash = (await stories.list({ query: { in_trash: true } })).data.stories;
  assert.ok(trash.some((story) => story.id === leaf.id && story.deleted_at));

  await space.manage('get', `stories/${folder.id}/undelete`);
  assert.deepEqual(await paths('draft'), ['folder', 'folder/leaf']);
  assert.equal((await read('folder/leaf', 'draft')).content.title, 'leaf');
  await refused(read('folder/leaf'), 404);
});

test('a deleted story frees its slug', async () => {
  const first = await create('page');
  await refused(create('page'), 422);
  await stories.delete(first.id);
  const second = await create('page');
  assert.notEqual(second.uuid, first.uuid);
  assert.equal((await read('page')).uuid, second.uuid);
});

test('every save is a version, and an old one can be restored', async () => {
  const story = await create('page', { publish: 0 });
  const before = (await versions(story)).length;
  await stories.update(story.id, { body: { story: { content: page('second') } } });
  await stories.update(story.id, { body: { story: { content: page('third') } }, query: { publish: true } });
  const list = await versions(story);
  assert.ok(list.length >= before + 2, `${list.length} versions after ${before}`);
  assert.equal(list.some((version) => version.content.title === 'second'), true);

  const first = list.find((version) => version.content.title === 'page');
  await space.manage('get', `stories/${story.id}/restore_with`, { query: { version: first.id } });
  assert.equal((await read('page', 'draft')).content.title, 'page');
  assert.equal((await read('page')).content.title, 'third', 'what is published stays');
});

test('discarding changes brings back what is published', async () => {
  const story = await create('page');
  await stories.update(story.id, { body: { story: { name: 'Other', content: page('edited') } } });
  assert.equal((await stories.get(story.id)).data.story.unpublished_changes, true);
  await space.manage('get', `stories/${story.id}/discard_changes`);
  const back = (await stories.get(story.id)).data.story;
  assert.deepEqual([back.name, back.content.title, back.unpublished_changes], ['page', 'page', false]);
});

test('a duplicate has the content, a uuid of its own, and is not published', async () => {
  const folder = await create('folder', { is_folder: true });
  const story = await create('page');
  const { data } = await stories.duplicate(story.id, { body: { story: { name: 'Copy', slug: 'copy', parent_id: folder.id } } });
  assert.deepEqual([data.story.full_slug, data.story.published], ['folder/copy', false]);
  assert.notEqual(data.story.uuid, story.uuid);
  assert.equal((await read('folder/copy', 'draft')).content.title, 'page');
  await refused(read('folder/copy'), 404);
});

test('unpublish takes a story offline and publish brings it back', async () => {
  const story = await create('page');
  await space.manage('get', `stories/${story.id}/unpublish`);
  await refused(read('page'), 404);
  assert.equal((await read('page', 'draft')).content.title, 'page');
  await stories.publish(story.id);
  assert.equal((await read('page')).content.title, 'page');
});

test('bad stories are refused with the field that is wrong, and nothing is written', async () => {
  await create('page');
  const bad = [
    [{ name: 'Page', slug: 'page', content: page('') }, 'slug'],
    [{ name: 'Page', slug: 'a/b', content: page('') }, 'slug'],
    [{ slug: 'other', content: page('') }, 'name'],
    [{ name: 'Page', slug: 'other', content: page(''), parent_id: 999_999 }, 'parent_id'],
  ];
  for (const [story, field] of bad) {
    const error = await refused(stories.create({ body: { story } }), 422);
    const { fields } = error.response.data;
    assert.ok(fields?.[field]?.length, `${JSON.stringify(story)}: ${JSON.stringify(error.response.data)}`);
  }
  assert.deepEqual(await paths('draft'), ['page']);
});

test('components, groups and presets are kept as they were written', async () => {
  const { management } = space;
  const group = (await management.componentFolders.create({ body: { component_group: { name: 'Layout' } } })).data.component_group;
  const schema = { title: { type: 'text', pos: 1, translatable: true }, body: { type: 'bloks', pos: 0, component_whitelist: ['page'] } };
  const component = { name: 'page', display_name: 'Page', schema, is_root: true, is_nestable: false, component_group_uuid: group.uuid };
  const made = (await management.components.create({ body: { component } })).data.component;
  const preset = { name: 'Empty page', component_id: made.id, preset: { component: 'page', title: 'Untitled' } };
  await management.presets.create({ body: { preset } });

  const read = (await management.components.get(made.id)).data.component;
  for (const [key, value] of Object.entries(component)) assert.deepEqual(read[key], value, key);
  assert.deepEqual(Object.keys(read.schema), Object.keys(schema), 'the order of the fields');
  const presets = (await management.presets.list({ query: { component_id: made.id } })).data.presets;
  assert.deepEqual(presets.map((it) => it.preset), [preset.preset]);
  await refused(management.components.create({ body: { component } }), 422);
  await management.components.delete(made.id);
  await refused(management.components.get(made.id), 404);
});

test('a token of one space opens no other', async () => {
  const other = await account.space('other');
  const story = await create('page');
  await refused(other.management.stories.get(story.id), 404);
  await refused(other.management.stories.get(story.id, { path: { space_id: space.id } }), 404);
});

test('getAll in management mode walks every list', async () => {
  for (const slug of ['a', 'b', 'c']) await create(slug);
  const manager = space.manager();
  const lists = ['stories', 'components', 'component_groups', 'presets', 'datasources', 'datasource_entries', 'assets', 'asset_folders'];
  for (const list of [...lists, 'webhooks', 'tokens', 'api_keys', 'imports', 'audit_log', 'story_schedulings']) {
    const all = await manager.getAll(`spaces/${space.id}/${list}`, { per_page: 2 }, list);
    if (list === 'stories') assert.deepEqual(all.map((story) => story.slug).sort(), ['a', 'b', 'c']);
  }
});

test('the parameters that the client names for stories find, order and tell', async () => {
  const target = await create('target');
  const link = { fieldtype: 'multilink', linktype: 'story', id: target.uuid, cached_url: 'target' };
  const a = await create('a', { content: { ...page('a'), price: 5, body: [{ component: 'teaser', link }] } });
  const b = await create('b', { content: { ...page('b'), price: 9 }, publish: 0 });
  const found = async (query) => (await stories.list({ query })).data.stories.map((story) => story.slug);
  for (const [query, slugs] of [
    [{ contain_component: 'teaser' }, ['a']],
    [{ reference_search: target.uuid }, ['a']],
    [{ filter_query: { price: { gt_int: 5 } } }, ['b']],
    [{ filter_query: { __or: [{ price: { in: '5' } }, { price: { in: '9' } }] }, sort_by: 'content.price:desc:int' }, ['b', 'a']],
    [{ by_uuids_ordered: `${b.uuid},${a.uuid}` }, ['b', 'a']],
    [{ mine: true, is_published: true, sort_by: 'slug:asc' }, ['a', 'target']],
    [{ in_workflow_stages: '1' }, []],
    [{ in_release: 1 }, []],
    [{ pinned: true }, []],
    [{ scheduled_at_gt: '2030-01-01 00:00' }, []],
    [{ custom_sorting: true, story_only: true }, ['b', 'a', 'target']],
  ]) {
    assert.deepEqual(await found(query), slugs, JSON.stringify(query));
  }
  const query = { by_ids: `${a.id}`, with_summary: true, with_alts: true, with_translated_stories: true };
  const [told] = (await stories.list({ query })).data.stories;
  assert.deepEqual([told.content_summary.price, told.alternates, told.translated_stories], [5, [], []]);
});

test('a language is published alone', async () => {
  await space.management.put(`/v1/spaces/${space.id}`, { body: { space: { languages: [{ code: 'de', name: 'German' }] } } });
  const content = (at) => ({ ...page(at), title__i18n__de: `${at} de` });
  const story = await create('page', { content: content('old') });
  await stories.update(story.id, { body: { story: { content: content('new') } } });
  const published = (await stories.publish(story.id, { query: { lang: 'de' } })).data.story;
  assert.deepEqual([published.published_translations, published.translated_stories[0].unpublished_changes], [['de'], false]);
  const title = async (language) => (await space.reader('public').getStory('page', { language })).data.story.content.title;
  assert.deepEqual([await title('default'), await title('de')], ['old', 'new de']);
});
