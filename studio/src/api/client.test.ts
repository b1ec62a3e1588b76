// The client against a `fetch` of this file: what is sent, what is sent again, and what waits.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { Client } from './client.ts';
import { Problem } from './problem.ts';
import { saveStory, staleOf } from './story.ts';

interface Sent {
  readonly path: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

type Given = readonly [status: number, body?: unknown, headers?: Record<string, string>] | 'lost';

const browser = globalThis.fetch;
let sent: Sent[];
let answers: Given[];
/** Who is signed in. */
let me: Given;

beforeEach(() => {
  sent = [];
  answers = [];
  me = [200, { id: 'ann' }];
  mock.timers.enable({ apis: ['setTimeout'] });
  globalThis.fetch = async (path, request) => {
    const { method = 'GET', headers = {}, body } = (request ?? {}) as { method?: string; headers?: Record<string, string>; body?: string };
    sent.push({ path: String(path), method, headers, body: body ? JSON.parse(body) : undefined });
    const answer = path === '/api/csrf-token' ? ([200, { csrfToken: 'new' }] as const) : path === '/api/me' ? me : answers.shift();
    if (answer === 'lost' || !answer) throw new TypeError('Failed to fetch');
    return new Response(JSON.stringify(answer[1] ?? {}), { status: answer[0], ...(answer[2] && { headers: answer[2] }) });
  };
});
afterEach(() => {
  globalThis.fetch = browser;
  mock.timers.reset();
});

const open = (signIn = async () => {}) => new Client(5, 'ann', 'token', signIn);
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Lets time pass as the requests need it, and says how long that was. */
async function waited(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  work.then(() => (isDone = true), () => (isDone = true));
  for (let time = 0; ; time += 500) {
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    if (isDone) return time;
    mock.timers.tick(500);
  }
}

test('a write names the revision that it is for, and is sent again as long as the network or the server is busy', async () => {
  answers = ['lost', [503, {}, { 'retry-after': '7' }], [200, { story: { id: 1 } }]];
  const work = open().change('POST', 'stories/1/publish', undefined, {}, { ifMatch: 12 });
  assert.equal(await waited(work), 1000 + 7000);
  assert.deepEqual(sent.map(({ method, path, headers }) => [method, path, headers['if-match'], headers['x-csrf-token']]), Array(3).fill(['POST', '/api/v1/spaces/5/stories/1/publish', '"12"', 'token']));
});

test('what may be tried again only after long is told at once', async () => {
  answers = [[429, { error: 'rateLimited', message: 'Too many requests; try again later' }, { 'retry-after': '40' }], [200, {}]];
  const work = open().get('components/1/options');
  assert.equal(await waited(work), 0);
  await assert.rejects(work, { kind: 'busy', code: 'rateLimited', retryAfter: 40_000 });
  assert.equal(sent.length, 1);
});

test('a write without a revision is sent once', async () => {
  answers = ['lost', [200]];
  await assert.rejects(open().change('POST', 'stories', {}), (problem: Problem) => problem.kind === 'offline');
  assert.equal(sent.length, 1);
});

test('what is aborted is not sent again', async () => {
  answers = ['lost', [200]];
  const abort = new AbortController();
  const work = open().get('stories', {}, abort.signal);
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  abort.abort();
  await waited(work);
  await assert.rejects(work, { name: 'AbortError' });
  assert.equal(sent.length, 1);
});

test('a request waits while the person is signed out, says so, and goes on with a new token', async () => {
  answers = [[401], [200, { story: { revision: 3 } }]];
  const told: string[] = [];
  const client = open(async () => void told.push('asked'));
  const answer = await saveStory(client, 1, { content: {}, revision: 2, autosave: true, keep: false }, { onsignedout: () => told.push('waits') });
  assert.deepEqual([answer.kind, told], ['saved', ['waits', 'asked']]);
  assert.deepEqual(sent.map(({ path }) => path.split('?')[0]), ['/api/v1/spaces/5/stories/1', '/api/me', '/api/csrf-token', '/api/v1/spaces/5/stories/1']);
  assert.equal(sent.at(-1)!.headers['x-csrf-token'], 'new');
});

test('when it is not known who has signed in, the network counts as gone', async () => {
  for (const answer of [[503], 'lost'] as const) {
    me = answer;
    answers = [[401]];
    assert.deepEqual(await saveStory(open(), 1, { content: {}, revision: 2, autosave: true, keep: false }), { kind: 'offline' });
  }
});

test('saving asks once, and whatever comes of it is an answer', async () => {
  const stale = { error: 'stale', story: { revision: 9 }, changed_by: null, changed_at: 'now' };
  const rows: readonly (readonly [Given[], object])[] = [
    [[[200, { story: { revision: 3 }, problems: [] }]], { kind: 'saved', story: { revision: 3 }, problems: [] }],
    [['lost'], { kind: 'offline' }],
    [[[412, stale]], { kind: 'stale', stale }],
    [[[503, { error: 'unavailable', requestId: 'r' }, { 'retry-after': '5' }]], { kind: 'trouble', reason: 'busy', retryAfter: 5000, requestId: 'r' }],
    [[[503, { error: 'diskFull' }]], { kind: 'trouble', reason: 'diskFull', retryAfter: 0, requestId: '' }],
    [[[500, { requestId: 'r' }]], { kind: 'trouble', reason: 'failed', retryAfter: 0, requestId: 'r' }],
    [[[409, { error: 'importRunning' }]], { kind: 'trouble', reason: 'failed', retryAfter: 0, requestId: '' }],
    [[[413, { error: 'tooLarge', message: 'No' }]], { kind: 'refused', reason: 'tooLarge', message: 'No', fields: [] }],
    [[[422, { error: 'validation', message: 'No', details: [{ field: 'title', code: 'invalid', message: 'is bad' }] }]], { kind: 'refused', reason: 'invalid', message: 'No', fields: [{ field: 'title', code: 'invalid', message: 'is bad' }] }],
    [[[403, { message: 'No' }]], { kind: 'refused', reason: 'forbidden', message: 'No', fields: [] }],
    // What is gone is asked for: a deleted story can still be read.
    [[[404], [200, { story: {} }]], { kind: 'gone', what: 'story' }],
    [[[404], [404]], { kind: 'gone', what: 'space' }],
  ];
  for (const [given, expected] of rows) {
    sent = [];
    answers = [...given];
    assert.deepEqual(await saveStory(open(), 1, { content: { title: 'x' }, revision: 2, autosave: false, keep: true }), expected);
    assert.deepEqual([sent[0]!.path, sent[0]!.headers['if-match'], sent[0]!.body], ['/api/v1/spaces/5/stories/1?validate=1&keep=1', '"2"', { story: { content: { title: 'x' } } }]);
    assert.equal(sent.length, given.length);
  }
  assert.equal(staleOf(new Error('stale')), undefined);
});
