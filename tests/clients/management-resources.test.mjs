// What the management client has methods for beside stories: people, internal tags, versions of components, many assets at once.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Account } from './support/account.mjs';
import { refused } from './support/expect.mjs';
import { Server } from './support/server.mjs';

let server, account, space, client;
before(async () => {
  server = await Server.start();
  account = await Account.signedIn(server);
});
beforeEach(async () => {
  space = await account.space('resources');
  client = space.management;
});
after(() => server?.dispose());

test('the person behind a token', async () => {
  const { data } = await client.users.me();
  assert.deepEqual([data.user.email, data.user.friendly_name, typeof data.user.id], ['editor@example.com', 'Erika Muster', 'number']);
});

test('internal tags are made, listed, renamed and removed', async () => {
  const { internalTags } = client;
  const made = (await internalTags.create({ body: { internal_tag: { name: 'Press', object_type: 'asset' } } })).data.internal_tag;
  await refused(internalTags.create({ body: { internal_tag: { name: 'Press', object_type: 'asset' } } }), 422);
  await internalTags.update(made.id, { body: { internal_tag: { name: 'News' } } });
  const listed = await internalTags.list({ query: { by_object_type: 'asset', with_assets_count: true } });
  assert.deepEqual(listed.data.internal_tags, [{ id: made.id, name: 'News', object_type: 'asset', assets_count: 0 }]);
  await internalTags.delete(made.id);
  assert.deepEqual((await internalTags.list({})).data.internal_tags, []);
});

test('a component goes back to a version, and comes back when it was deleted', async () => {
  const { components } = client;
  const body = (text) => ({ component: { name: 'hero', schema: { [text]: { type: 'text', pos: 0 } } } });
  const made = (await components.create({ body: body('first') })).data.component;
  await components.update(made.id, { body: body('second') });
  const { versions } = (await components.versions(made.id, {})).data;
  assert.deepEqual(versions.map((version) => [version.event, version.item_id]), [['update', made.id], ['create', made.id]]);
  const oldest = versions.at(-1).id;
  const { component_version: version } = (await components.version(made.id, oldest)).data;
  assert.deepEqual(Object.keys(version.schema), ['first']);
  await components.restoreVersion(made.id, oldest, {});
  assert.deepEqual(Object.keys((await components.get(made.id)).data.component.schema), ['first']);

  await components.delete(made.id);
  await refused(components.get(made.id), 404);
  const restored = (await components.restore(made.id)).data.component;
  assert.deepEqual([restored.id, restored.name], [made.id, 'hero']);
});

test('many assets are moved, put into the trash and brought back', async () => {
  const { assets, assetFolders } = client;
  const upload = (name) => assets.create({ body: { short_filename: name, alt: name }, file: new TextEncoder().encode(name) });
  const made = [await upload('a.txt'), await upload('b.txt')];
  const ids = made.map((asset) => asset.id);
  const { asset_folder: folder } = (await assetFolders.create({ body: { asset_folder: { name: 'Folder' } } })).data;
  await assets.bulkMove({ body: { ids, asset: { asset_folder_id: folder.id } } });
  assert.equal((await assets.list({ query: { in_folder: folder.id } })).data.assets.length, 2);
  await assets.deleteMany({ body: { ids } });
  assert.equal((await assets.list({})).data.assets.length, 0);
  await assets.bulkRestore({ body: { ids } });
  assert.deepEqual((await assets.list({})).data.assets.map((asset) => asset.alt).sort(), ['a.txt', 'b.txt']);
});

test('the JavaScript client pages through the new lists in management mode', async () => {
  for (const name of ['b', 'a', 'c']) await space.manage('post', 'internal_tags', { body: { internal_tag: { name } } });
  const reader = new (await import('storyblok-js-client')).default({ oauthToken: space.managementToken, endpoint: `${server.url}/api/v1`, rateLimit: 1000 });
  const { data, total } = await reader.get(`spaces/${space.id}/internal_tags`, { page: 2, per_page: 2 });
  assert.deepEqual([data.internal_tags.map((tag) => tag.name), total], [['c'], 3]);
  for (const list of ['workflows', 'releases', 'branches', 'space_roles']) {
    assert.deepEqual((await reader.get(`spaces/${space.id}/${list}`, {})).data, { [list]: [] });
  }
});
