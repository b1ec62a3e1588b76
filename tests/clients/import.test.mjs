// Imports a whole space with one request. Storyblok's own client then reads the same from this server as from the source.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Account } from './support/account.mjs';
import { imported } from './support/import.mjs';
import { pool } from './support/pool.mjs';
import { Server } from './support/server.mjs';
import { all, folder } from './support/spaces.mjs';
import { TOKEN, Vendor, sampleSpace } from './support/vendor.mjs';

// Our own other space has no delivery tokens: it is none of an import's.
const folders = [sampleSpace, ...all.filter((name) => name !== 'magazine').map(folder)];

let vendor;
let server;
let account;
/** Stories that are not published. There, some of them tell when they last were; here, none does. */
const offline = new Set();
before(async () => {
  vendor = await Vendor.start(folders, { assets: 'self' });
  server = await Server.start({
    APP_VENDOR_MAPI_URL: vendor.url,
    APP_VENDOR_CDN_URL: vendor.url,
    APP_ALLOWED_PRIVATE_TARGETS: new URL(vendor.url).host,
  });
  account = await Account.signedIn(server);
});
after(async () => {
  vendor?.dispose();
  await server?.dispose();
});

for (const path of folders) {
  describe(basename(path), () => {
    const written = JSON.parse(readFileSync(join(path, 'stories.json'), 'utf8')).stories;
    let there;
    let here;
    let names;
    before(async () => {
      there = vendor.space(path);
      here = await account.space(basename(path));
      const wanted = { source_space_id: there.id, oauth_token: TOKEN, region: 'eu' };
      const { status, error, report } = await imported(here, wanted);
      assert.equal(status, 'succeeded', JSON.stringify(error));
      assert.equal(report.failures.total, 0, JSON.stringify(report.failures));
      names = await numbers(here, written);
      for (const { uuid, published } of written) if (!published) offline.add(uuid);
    });

    for (const version of ['published', 'draft']) {
      /** The path of each story, by its UUID. */
      const paths = new Map();
      before(async () => {
        const listed = await there.reader(version).getAll('cdn/stories', { version, per_page: 100 });
        for (const { uuid, full_slug } of listed) paths.set(uuid, full_slug);
      });

      test(`every ${version} story reads the same in every language`, async () => {
        const readers = [there.reader(version), here.reader(version === 'draft' ? 'preview' : 'public')];
        for (const language of ['default', ...there.languages.map(({ code }) => code)]) {
          const lists = readers.map((reader) => reader.getAll('cdn/stories', { version, per_page: 100, language }));
          const [theirs, ours] = await Promise.all(lists);
          assert.ok(theirs.length > 0);
          assert.deepEqual(ours.map(({ uuid }) => uuid).sort(), theirs.map(({ uuid }) => uuid).sort(), language);
          const byUuid = new Map(ours.map((story) => [story.uuid, story]));
          for (const story of theirs) {
            assertAlike(byUuid.get(story.uuid), story, { names, paths }, `${story.full_slug} in ${language}`);
          }
        }
      });

      test(`every ${version} story is found by its path`, async () => {
        const readers = [there.reader(version), here.reader(version === 'draft' ? 'preview' : 'public')];
        const shown = written.filter((story) => !story.is_folder && (version === 'draft' || story.published));
        await pool(shown, 4, async ({ full_slug }) => {
          const [theirs, ours] = await Promise.all(readers.map((reader) => reader.getStory(full_slug, { version })));
          assertAlike(ours.data.story, theirs.data.story, { names, paths }, full_slug);
        });
      });
    }

    test('every asset is read byte for byte', async () => {
      const assets = JSON.parse(readFileSync(join(path, 'assets.json'), 'utf8')).assets;
      const bodies = assets.map(({ filename }) => readFileSync(join(path, 'assets', decodeURIComponent(/\/(f\/.*)/.exec(filename)[1]))));
      const ours = [];
      for (let page = 1; ours.length < assets.length; page += 1) {
        const { assets: listed } = await here.manage('get', 'assets', { query: { page, per_page: 100 } });
        assert.ok(listed.length > 0, `${ours.length} of ${assets.length}`);
        ours.push(...listed);
      }
      const read = [];
      await pool(ours, 8, async ({ filename }) => {
        const answer = await fetch(filename);
        assert.equal(answer.status, 200, filename);
        read.push(digest(Buffer.from(await answer.arrayBuffer())));
      });
      assert.deepEqual(read.sort(), bodies.map(digest).sort());
    });
  });
}

function digest(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

/** What the numbers of stories, here and there, stand for. */
async function numbers(space, written) {
  const names = new Map([
    ['here 0', 'the root'],
    ['there 0', 'the root'],
  ]);
  for (let page = 1; names.size <= written.length; page += 1) {
    const { stories } = await space.manage('get', 'stories', { query: { page, per_page: 100 } });
    if (!stories.length) break;
    for (const { id, uuid } of stories) names.set(`here ${id}`, uuid);
  }
  for (const { id, uuid } of written) names.set(`there ${id}`, uuid);
  return names;
}

/** The same story, but for its numbers and where its assets lie. */
function assertAlike(ours, theirs, known, message) {
  const [{ translated_slugs: more, ...here }, { translated_slugs: some, ...there }] = [alike(ours, 'here', known), alike(theirs, 'there', known)];
  assert.deepEqual(here, there, message);
  assert.ok(!JSON.stringify(ours).includes(new URL(vendor.url).host), `${message} still points there`);
  // The stand-in returns a story's own ones; this server also returns those that come from a folder above it.
  const told = new Map((more ?? []).map((slug) => [slug.lang, slug]));
  for (const slug of some ?? []) assert.deepEqual(told.get(slug.lang), slug, message);
}

const FILE = /(?:https?:)?\/\/[^\s"'()]*?\/f\/\d+\/(?:\d*x\d*\/)?[0-9a-f-]+\/([^\s"'()/]+)/g;

/** A story without what an import may change: its own numbers, and where its assets lie and which numbers those have. */
function alike(story, where, { names, paths }) {
  const visit = (node) => {
    if (typeof node === 'string') return node.replaceAll(FILE, 'file:$1');
    if (Array.isArray(node)) return node.map(visit);
    if (node === null || typeof node !== 'object') return node;
    const seen = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, visit(value)]));
    if (seen.fieldtype === 'asset' || String(seen.src).startsWith('file:')) delete seen.id;
    if (typeof seen._editable === 'string') delete seen._editable;
    // The source keeps the path that a linked story had when the link was saved; this server has the one that it has now.
    if (where === 'there' && seen.fieldtype === 'multilink' && seen.linktype === 'story' && paths.has(seen.id)) seen.cached_url = paths.get(seen.id);
    return seen;
  };
  const named = ({ id, parent_id, ...rest }) => ({
    ...rest,
    id: names.get(`${where} ${id}`) ?? id,
    parent_id: names.get(`${where} ${parent_id ?? 0}`) ?? parent_id,
  });
  const { alternates, ...seen } = named(visit(story));
  if (offline.has(seen.uuid)) delete seen.published_at;
  // An empty real path is none.
  return { ...seen, path: seen.path || null, alternates: alternates.map(named) };
}
