import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client, Query } from './client.ts';
import { RecentStories } from '../model/recent.ts';
import type { UnreadReason } from '../model/unread.ts';
import { problemOf, Problem } from './problem.ts';
import { createSources, SHOWN } from './sources.ts';

function storage() {
  let kept = '';
  return { getItem: () => kept, setItem: (_name: string, value: string) => void (kept = value) };
}

const AROUND = { recent: new RecentStories(storage(), 1, 'ann'), base_url: 'https://cms.example.org', space: { id: 1, name: 'Site' }, languages: [{ code: 'de', name: 'German' }], contentTypes: [], storyPath: () => 'home', addressOf: () => '', pickAssets: async () => [] };
const sourcesOf = (client: Client) => createSources(client, AROUND);
const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const story = (number: number) => ({ id: number, uuid: uuid(number), name: `Story ${number}`, full_slug: `story-${number}`, content_type: 'page', is_folder: false, is_startpage: false, published: true, deleted_at: null });

/** A client that answers from a list of stories and one of entries, and notes what it was asked. */
function clientOf(stories: ReturnType<typeof story>[], entries: { name: string; value: string }[] = []) {
  const asked: { path: string; query: Query }[] = [];
  const get = async (path: string, query: Query) => {
    asked.push({ path, query });
    if (query.in_trash) return { body: { stories: query.by_uuids === uuid(8) ? [{ ...story(8), deleted_at: '2026-01-02' }] : [] }, total: 0 };
    const named = String(query.by_uuids ?? query.by_ids ?? '').split(',');
    const found = 'by_uuids' in query || 'by_ids' in query ? stories.filter(({ id, uuid }) => named.includes(uuid) || named.includes(String(id))) : stories;
    return path === 'stories' ? { body: { stories: found }, total: found.length } : { body: { datasource_entries: entries }, total: 7 };
  };
  return { client: { get } as unknown as Client, asked };
}

test('what many fields refer to is one request, and what is known is none', async () => {
  const { client, asked } = clientOf([story(1), story(2), story(3)]);
  const sources = sourcesOf(client);
  const [one, two] = await Promise.all([sources.stories([uuid(1), uuid(9)]), sources.stories([uuid(2), uuid(1)])]);
  assert.deepEqual(one.map(({ name }) => name), ['Story 1']);
  assert.deepEqual(two.map(({ name }) => name), ['Story 2', 'Story 1']);
  // What is not there may be in the trash.
  assert.deepEqual(asked.map(({ query }) => [query.by_uuids, query.in_trash]), [[[uuid(1), uuid(9), uuid(2)].join(','), undefined], [uuid(9), 1]]);
  await sources.stories([uuid(1), uuid(2), uuid(9)]);
  assert.equal(asked.length, 2);
  assert.deepEqual((await sources.stories([uuid(8)])).map(({ deleted_at }) => deleted_at), ['2026-01-02']);
});

test('old content refers by number, and what is no reference is not asked for', async () => {
  const { client, asked } = clientOf([story(5)]);
  const sources = sourcesOf(client);
  assert.deepEqual((await sources.stories(['5', 'a,b', '', '0', '-1'])).map(({ id }) => id), [5]);
  assert.deepEqual(asked.map(({ query }) => query), [{ by_ids: '5', per_page: 100 }]);
});

test('a hundred stories are asked for at once', async () => {
  const stories = Array.from({ length: 250 }, (_, index) => story(index + 1));
  const { client, asked } = clientOf(stories);
  const found = await sourcesOf(client).stories(stories.map(({ uuid }) => uuid));
  assert.equal(found.length, 250);
  assert.equal(asked.length, 3);
});

test('a request that fails is made again by the next field', async () => {
  const { client, asked } = clientOf([story(1)]);
  const { get } = client;
  let fails = true;
  const failing = { get: async (...all: Parameters<typeof get>) => (fails ? Promise.reject(new Error('offline')) : get.apply(client, all)) } as unknown as Client;
  const sources = sourcesOf(failing);
  await assert.rejects(sources.stories([uuid(1)]), /offline/);
  await assert.rejects(sources.searchEntries('colours', ''), /offline/);
  fails = false;
  assert.equal((await sources.stories([uuid(1)])).length, 1);
  assert.equal((await sources.searchEntries('colours', '')).total, 7);
  assert.equal(asked.length, 2);
});

test('stories are searched on the server, within what the field allows', async () => {
  const { client, asked } = clientOf([story(1)]);
  const sources = sourcesOf(client);
  const { signal } = new AbortController();
  await sources.searchStories('ho', { contentTypes: ['author', 'page'], folder: 'people/' }, signal);
  assert.deepEqual(asked[0]?.query, { search: 'ho', story_only: 1, content_type: 'author,page', starts_with: 'people/', per_page: SHOWN });
  // What was found is known by then.
  await sources.stories([uuid(1)]);
  assert.equal(asked.length, 1);
});

test('without a search those come first that the person has opened or chosen last, but the one that is open', async () => {
  const stories = [1, 2, 3, 4].map(story);
  const get = async (_path: string, query: Query) => {
    const named = query.by_uuids_ordered?.toString().split(',');
    const found = named ? named.flatMap((uuid) => stories.filter((one) => one.uuid === uuid)) : stories;
    assert.equal(query.content_type, 'page');
    return { body: { stories: found }, total: found.length };
  };
  const recent = new RecentStories(storage(), 1, 'ann');
  const sources = createSources({ get } as unknown as Client, { ...AROUND, recent, storyPath: () => 'story-4' });
  const search = async () => (await sources.searchStories('', { contentTypes: ['page'], folder: null }, new AbortController().signal)).items.map(({ id }) => id);
  assert.deepEqual(await search(), [1, 2, 3, 4]);
  for (const number of [2, 3, 9, 4]) sources.remember(story(number));
  assert.deepEqual(await search(), [3, 2, 1, 4]);
});

test('the first entries of a datasource are asked for once', async () => {
  const { client, asked } = clientOf([], [{ name: 'Red', value: 'red' }]);
  const sources = sourcesOf(client);
  const [one, two] = await Promise.all([sources.searchEntries('colours', ''), sources.searchEntries('colours', '')]);
  assert.deepEqual(one, { items: [{ name: 'Red', value: 'red' }], total: 7 });
  assert.deepEqual(one, two);
  assert.equal(asked.length, 1);
  await sources.searchEntries('colours', 're');
  assert.deepEqual(asked.map(({ query }) => query.search), ['', 're']);
});

test('a datasource whose entries are all known is searched without the server', async () => {
  const entries = Array.from({ length: 7 }, (_, index) => ({ name: `Entry ${index}`, value: `e${index}` }));
  const { client, asked } = clientOf([], entries);
  const sources = sourcesOf(client);
  assert.deepEqual(await sources.searchEntries('colours', 'ENTRY 3'), { items: [entries[3]], total: 1 });
  assert.deepEqual((await sources.searchEntries('colours', 'e5')).items, [entries[5]]);
  assert.equal(asked.length, 1);
});

test('the options of another server are asked of our own, by component and field', async () => {
  const asked: { path: string; query: Query }[] = [];
  const getOnce = async (path: string, query: Query) => {
    asked.push({ path, query });
    return { body: { options: [{ name: 'France', value: 'fr' }], total: 249 }, total: 0 };
  };
  const sources = sourcesOf({ getOnce } as unknown as Client);
  assert.deepEqual(await sources.searchOptions(7, 'country', 'fra'), { items: [{ name: 'France', value: 'fr' }], total: 249 });
  assert.deepEqual(asked, [{ path: 'components/7/options', query: { field: 'country', search: '' } }, { path: 'components/7/options', query: { field: 'country', search: 'fra' } }]);
});

test('each reason why the options of another server are not there is told apart', async () => {
  const url = (code: string) => problemOf(422, { error: 'validation', message: 'no', details: [{ field: 'external_datasource', code, message: 'answers with status 404' }] });
  const cases: [Problem, UnreadReason, string][] = [
    [url('blocked_target'), 'blocked', 'answers with status 404'],
    [url('timedOut'), 'timedOut', 'answers with status 404'],
    [url('tooLarge'), 'tooLarge', 'answers with status 404'],
    [url('wrongType'), 'noList', 'answers with status 404'],
    [url('unavailable'), 'unavailable', 'answers with status 404'],
    [url('another'), 'failed', 'answers with status 404'],
    [url('blank'), 'schema', ''],
    [problemOf(422, { error: 'validation', details: [{ field: 'field', code: 'unknown', message: 'does not exist' }] }), 'schema', ''],
    [problemOf(404, { error: 'notFound' }), 'schema', ''],
    [problemOf(429, { error: 'rateLimited' }, '3'), 'often', ''],
    [problemOf(503, { error: 'unavailable' }), 'busy', ''],
    [problemOf(500, { message: 'Something went wrong' }), 'failed', 'Something went wrong'],
    [new Problem('offline'), 'offline', ''],
  ];
  for (const [problem, reason, message] of cases) {
    const sources = sourcesOf({ getOnce: async () => Promise.reject(problem) } as unknown as Client);
    await assert.rejects(sources.searchOptions(7, 'country', ''), { reason, message }, reason);
  }
});
