// What the delivery API promises beside the stories themselves: selection, paging, tokens, versions, caching, CORS.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Account } from './support/account.mjs';
import { refused } from './support/expect.mjs';
import { load } from './support/load-space.mjs';
import { Server } from './support/server.mjs';
import { dataset } from './support/spaces.mjs';

let server, space, reader, uuids;
before(async () => {
  server = await Server.start();
  space = await (await Account.signedIn(server)).space('magazine');
  await load(space, dataset('magazine'));
  reader = space.reader('public');
  const stories = await reader.getAll('cdn/stories', { per_page: 100 });
  uuids = new Map(stories.map((story) => [story.full_slug, story.uuid]));
});
after(() => server?.dispose());

/** The paths of a published list, in its order. */
async function paths(params) {
  const { data } = await reader.getStories({ per_page: 100, ...params });
  return data.stories.map((story) => story.full_slug);
}

test('stories stand in the order of their positions', async () => {
  assert.deepEqual(await paths({ starts_with: 'magazine/' }), [
    'magazine/',
    'magazine/first-issue',
    'magazine/second-issue',
    'magazine/third-issue',
    'magazine/archive/older-issue',
  ]);
});

test('starts_with selects by the beginning of the path, literally', async () => {
  assert.deepEqual(await paths({ starts_with: 'magazine/archive/' }), ['magazine/archive/older-issue']);
  assert.deepEqual(await paths({ starts_with: 'magazine/fi' }), ['magazine/first-issue']);
  assert.deepEqual(await paths({ starts_with: 'magazine_' }), []);
  assert.deepEqual(await paths({ starts_with: '%' }), []);
});

test('by_slugs takes several paths and wildcards', async () => {
  const all = async (by_slugs) => (await paths({ by_slugs })).sort();
  assert.deepEqual(await all('home,magazine/first-issue,nowhere'), ['home', 'magazine/first-issue']);
  assert.deepEqual(await all('magazine/archive/*'), ['magazine/archive/older-issue']);
  assert.deepEqual(await all('magazine/*-issue'), [
    'magazine/archive/older-issue',
    'magazine/first-issue',
    'magazine/second-issue',
    'magazine/third-issue',
  ]);
});

test('by_uuids selects whatever starts_with says', async () => {
  const wanted = ['magazine/third-issue', 'home', 'ada'].map((path) => uuids.get(path)).join(',');
  assert.deepEqual((await paths({ by_uuids: wanted })).sort(), ['ada', 'home', 'magazine/third-issue']);
  assert.deepEqual((await paths({ by_uuids: wanted, starts_with: 'magazine/' })).sort(), ['ada', 'home', 'magazine/third-issue']);
});

test('with_tag finds stories that have one of the tags', async () => {
  assert.deepEqual((await paths({ with_tag: 'news' })).sort(), ['magazine/first-issue', 'magazine/second-issue']);
  assert.deepEqual((await paths({ with_tag: 'long read' })).sort(), ['magazine/first-issue']);
  assert.deepEqual((await paths({ with_tag: 'nothing,news' })).length, 2);
});

test('pages are counted in headers, and a page past the end is empty', async () => {
  const first = await space.cdn('stories', { per_page: 3 });
  assert.equal(first.body.stories.length, 3);
  assert.equal(first.headers.get('per-page'), '3');
  assert.equal(first.headers.get('total'), String(uuids.size));
  const past = await space.cdn('stories', { per_page: 3, page: 1000 });
  assert.deepEqual([past.status, past.body.stories, past.headers.get('total')], [200, [], String(uuids.size)]);
  assert.equal((await space.cdn('stories')).headers.get('per-page'), '25');
  assert.equal((await space.cdn('stories', { per_page: 1000 })).headers.get('per-page'), '100');
  for (const params of [{ page: '0' }, { page: 'x' }, { per_page: '-1' }, { per_page: '0' }]) {
    assert.equal((await space.cdn('stories', params)).status, 422, JSON.stringify(params));
  }
  const links = await space.cdn('links', { per_page: 2, page: 2 });
  assert.deepEqual([Object.keys(links.body.links).length, links.headers.get('per-page')], [2, '2']);
});

test('a folder answers with its start page, and a folder without one is not found', async () => {
  const { story } = (await reader.getStory('magazine')).data;
  assert.deepEqual([story.full_slug, story.is_startpage], ['magazine/', true]);
  await refused(reader.getStory('empty'), 404);
});

test('an unknown story is answered as by Storyblok', async () => {
  const { status, body } = await space.cdn('stories/nowhere');
  assert.deepEqual([status, body], [404, { error: 'This record could not be found' }]);
});

test('an unknown parameter is named and refused', async () => {
  for (const path of ['stories', 'stories/home', 'links', 'spaces/me']) {
    const { status, body } = await space.cdn(path, { foo: 1 });
    assert.deepEqual([status, body], [422, { error: 'Parameter(s) foo not allowed' }], path);
  }
});

test('a public token reads no drafts, the other two do, and no token reads nothing', async () => {
  for (const [kind, status] of [['public', 401], ['preview', 200], ['private', 200]]) {
    const token = space.tokens[kind];
    for (const path of ['stories', 'stories/home', 'links']) {
      assert.equal((await space.cdn(path, { version: 'draft' }, { token })).status, status, `${kind} ${path}`);
      assert.equal((await space.cdn(path, { version: 'published' }, { token })).status, 200, `${kind} ${path}`);
    }
  }
  for (const token of ['', 'sbpub_unknown', space.managementToken]) {
    const { status, body } = await space.cdn('stories', {}, { token });
    assert.deepEqual([status, typeof body.error], [401, 'string'], token);
  }
});

test('cv names the content: it moves with a publish, and any cv gets the current content', async () => {
  const cv = async () => (await space.cdn('stories/home')).body.cv;
  const before = await cv();
  assert.ok(Number.isInteger(before));
  assert.equal(await cv(), before, 'reading moves nothing');

  const { id } = (await space.cdn('stories/home')).body.story;
  await space.management.stories.publish(id);
  const now = await cv();
  assert.ok(now > before, `${now} after ${before}`);
  for (const asked of [0, before, now, now + 1000]) {
    const { status, body, headers } = await space.cdn('stories/home', { cv: asked });
    assert.deepEqual([status, body.cv], [200, now], `cv=${asked}`);
    const age = asked === now ? 604800 : 2;
    assert.equal(headers.get('cache-control'), `public, max-age=0, s-maxage=${age}`, `cv=${asked}`);
  }
});

test('a draft is for its reader only', async () => {
  const { headers } = await space.cdn('stories/home', { version: 'draft' }, { token: space.tokens.preview });
  assert.equal(headers.get('cache-control'), 'private, max-age=0, must-revalidate');
});

test('a known ETag is answered with 304 until the content changes', async () => {
  const ask = (etag) => space.cdn('stories/ada', {}, { headers: { 'if-none-match': etag } });
  const first = await space.cdn('stories/ada');
  const etag = first.headers.get('etag');
  assert.match(etag, /^"[^"]+"$/, 'a strong ETag');
  const again = await ask(etag);
  assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag]);
  assert.equal((await ask('"other"')).status, 200);

  await space.management.stories.update(first.body.story.id, { body: { story: { name: 'Ada L.' }, publish: 1 } });
  const changed = await ask(etag);
  assert.deepEqual([changed.status, changed.body.story.name], [200, 'Ada L.']);
});

test('a browser may read from any origin', async () => {
  const origin = { headers: { origin: 'https://shop.example.org' } };
  for (const path of ['stories', 'stories/home', 'stories/nowhere', 'links', 'spaces/me']) {
    const { headers } = await space.cdn(path, {}, origin);
    assert.equal(headers.get('access-control-allow-origin'), '*', path);
    const exposed = headers.get('access-control-expose-headers').toLowerCase().split(/, */);
    assert.ok(exposed.includes('total') && exposed.includes('per-page'), path);
  }
  const preflight = await fetch(`${server.url}/api/v2/cdn/stories`, {
    method: 'OPTIONS',
    headers: { origin: 'https://shop.example.org', 'access-control-request-method': 'GET' },
  });
  assert.ok(preflight.ok, `OPTIONS: ${preflight.status}`);
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
});

test('a language without a translation shows the default, an unknown one too', async () => {
  const in_ = async (params) => (await reader.getStory('home', params)).data.story;
  const portuguese = await in_({ language: 'pt-br' });
  assert.deepEqual([portuguese.content.title, portuguese.content.body[0].headline], ['Bem-vindo', 'Read on']);
  const withFallback = await in_({ language: 'pt-br', fallback_lang: 'de' });
  assert.deepEqual([withFallback.content.title, withFallback.content.body[0].headline], ['Bem-vindo', 'Weiterlesen']);
  const unknown = await in_({ language: 'xx' });
  assert.equal(unknown.content.title, 'Welcome');
});
