// Published versions of Storyblok's clients and tools that sites and scripts use today, each with the requests that it makes by itself: options that it does not set, paths that
// it joins, lists of features that are not here.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Account } from './support/account.mjs';
import { load } from './support/load-space.mjs';
import { Server } from './support/server.mjs';
import { dataset } from './support/spaces.mjs';

const CLIENTS = ['storyblok-js-client-4', 'storyblok-js-client-5', 'storyblok-js-client-6.7', 'storyblok-js-client-6.10', 'storyblok-js-client'];
const hosts = new URL('support/storyblok-hosts.mjs', import.meta.url).href;
const require = createRequire(import.meta.url);

let server, account, space, token, directory;
before(async () => {
  server = await Server.start();
  account = await Account.signedIn(server);
  space = await account.space('magazine');
  await load(space, dataset('magazine'));
  token = space.tokens.public;
  directory = await mkdtemp(join(tmpdir(), 'lectern-versions-'));
});
after(async () => {
  await server?.dispose();
  if (directory) await rm(directory, { recursive: true, force: true });
});

/** Runs a program of a package, led to the server, with what it prints. */
function run(program, args, environment = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('STORYBLOK_'));
  const env = { ...Object.fromEntries(inherited), HOME: directory, LECTERN_URL: server.url, NO_COLOR: '1', CI: '1', ...environment };
  const path = fileURLToPath(new URL(`../node_modules/${program}`, import.meta.url));
  return new Promise((done) => {
    execFile(process.execPath, ['--import', hosts, path, ...args], { cwd: directory, env, timeout: 60_000, maxBuffer: 10 << 20 }, (error, stdout, stderr) => {
      done({ code: error ? (error.code ?? error.signal) : 0, output: stdout + stderr });
    });
  });
}

/** The same; it must succeed. */
async function ran(program, ...args) {
  const { code, output } = await run(program, args);
  assert.equal(code, 0, `${program} ${args.join(' ')}\n${output}`);
  return output;
}

for (const name of CLIENTS) {
  for (const endpoint of ['/api/v2', '/api/v2/', '/v2/']) {
    test(`${name} reads at ${endpoint} what was published`, async () => {
      const loaded = require(name);
      const Client = loaded.default ?? loaded;
      // The address was the second parameter once.
      const address = server.url + endpoint;
      const client = new Client({ accessToken: token, endpoint: address, cache: { type: 'memory', clear: 'manual' } }, address);
      // Its first requests say `cv=undefined` in many versions.
      const { data } = await client.get('cdn/stories', { starts_with: 'magazine/', per_page: 2, language: undefined });
      assert.equal(data.stories.length, 2);
      assert.equal((await client.get('cdn/stories/magazine/first-issue')).data.story.full_slug, 'magazine/first-issue');
      assert.equal((await client.get('cdn/stories/magazine%2Ffirst-issue%2F')).data.story.full_slug, 'magazine/first-issue');
      const all = await client.getAll('cdn/stories', { starts_with: 'magazine/' });
      assert.equal(all.length, 5);
      assert.ok(Array.isArray(await client.getAll('cdn/tags', {}, 'tags')));
      assert.ok((await client.getAll('cdn/links', {}, 'links')).length > 5);
      assert.ok(Array.isArray(await client.getAll('cdn/datasource_entries', {}, 'datasource_entries')));
      assert.equal((await client.get('cdn/spaces/me')).data.space.id, space.id);
    });
  }
}

test('gatsby-source-storyblok makes a node of every story, space and tag', async () => {
  const { sourceNodes } = require('gatsby-source-storyblok/gatsby-node.js');
  const nodes = [];
  const actions = { createNode: (node) => nodes.push(node), setPluginStatus: () => {} };
  await sourceNodes({ actions }, { accessToken: space.tokens.preview, endpoint: `${server.url}/api/v2`, version: 'draft', languages: [] });
  const types = (type) => nodes.filter((node) => node.internal.type === type);
  const stories = await space.reader('preview').getAll('cdn/stories', { version: 'draft' });
  assert.deepEqual(types('StoryblokEntry').map((node) => node.internalId).sort(), stories.map((story) => story.id).sort());
  assert.equal(types('StoryblokSpace').length, 1);
});

test('storyblok-backup saves everything, also the lists of features that are not here', async () => {
  const output = await ran('storyblok-backup/bin/storyblok-backup.mjs', '--token', space.managementToken, '--space', String(space.id), '--output-dir', join(directory, 'backup'));
  assert.doesNotMatch(output, /error/i);
  const stories = await readdir(join(directory, 'backup', 'backup', 'stories'));
  const { stories: listed } = await space.manage('get', 'stories', { query: { per_page: 100 } });
  assert.equal(stories.length, listed.length);
});

test('the third command line pulls and pushes components', async () => {
  const cli = (...args) => ran('storyblok-3/dist/cli.mjs', ...args);
  await cli('login', '--token', space.managementToken, '--region', 'eu');
  await cli('pull-components', '--space', String(space.id));
  const file = `components.${space.id}.json`;
  const pulled = JSON.parse(await readFile(join(directory, file), 'utf8'));
  const { components } = await space.manage('get', 'components');
  assert.deepEqual(pulled.components.map((component) => component.name).sort(), components.map((component) => component.name).sort());
  await cli('push-components', file, '--space', String(space.id));
  assert.equal((await space.manage('get', 'components')).components.length, components.length);
});

test('the fourth command line pushes folders with what is in them, and publishes', async () => {
  const [source, target] = [await account.space('source'), await account.space('target')];
  const component = { name: 'page', is_root: true, schema: { title: { type: 'text', pos: 0 } } };
  await source.manage('post', 'components', { body: { component } });
  const make = async (story) => (await source.manage('post', 'stories', { body: { story } })).story.id;
  const folder = await make({ name: 'Blog', slug: 'blog', is_folder: true });
  const inner = await make({ name: 'Old', slug: 'old', is_folder: true, parent_id: folder });
  await make({ name: 'Post', slug: 'post', parent_id: inner, content: { component: 'page', _uid: 'p', title: 'Post' } });

  const cli = async (of, ...args) => {
    const { code, output } = await run('storyblok/dist/index.mjs', args, { STORYBLOK_LOGIN: account.email, STORYBLOK_TOKEN: of.managementToken, STORYBLOK_REGION: 'eu' });
    assert.equal(code, 0, `${args.join(' ')}\n${output}`);
  };
  const [from, to] = [String(source.id), String(target.id)];
  await cli(source, 'components', 'pull', '--space', from);
  await cli(target, 'components', 'push', '--from', from, '--space', to);
  await cli(target, 'components', 'pull', '--space', to);
  await cli(source, 'stories', 'pull', '--space', from);
  await cli(target, 'stories', 'push', '--from', from, '--space', to, '--publish');
  const { stories } = await target.manage('get', 'stories');
  assert.deepEqual(stories.map((story) => [story.full_slug, story.published]).sort(), [['blog', false], ['blog/old', false], ['blog/old/post', true]]);
});
