import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client, Query } from './client.ts';
import { SignedUrls } from './signed.ts';

const BASE = 'https://cms.example.org';
const PLAN = `${BASE}/f/1/40x30/abc/plan%20b.png`;
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

/** A client that has one private file, whose URLs open for some seconds. */
function clientOf(seconds: number) {
  const asked: [string, Query['search']][] = [];
  const asset = () => ({ id: 7, filename: PLAN, signed_url: `${PLAN}?expires=${inSeconds(seconds)}&signature=${asked.length}` });
  const get = async (path: string, query: Query = {}) => {
    asked.push([path, query.search]);
    return path === 'assets' ? { body: { assets: [{ id: 8, filename: `${BASE}/f/1/other.png`, signed_url: 'other' }, asset()] }, total: 2 } : { body: asset(), total: 0 };
  };
  return { urls: new SignedUrls({ get } as unknown as Client, BASE), asked };
}

test('a private file is found by the URL that content has, and asked for once while it is open', async () => {
  const { urls, asked } = clientOf(3600);
  assert.match((await urls.of(PLAN))!, /signature=1$/);
  assert.match((await urls.of(PLAN))!, /signature=1$/);
  assert.deepEqual(asked, [['assets', 'plan b.png']]);
  assert.equal(await urls.of(`${BASE}/f/1/plan%20b.png`), undefined);
});

test('by its number it is found whatever its URL was', async () => {
  const { urls, asked } = clientOf(3600);
  assert.match((await urls.of(`${BASE}/f/1/former.png`, 7))!, /plan%20b.png\?/);
  assert.deepEqual(asked, [['assets/7', undefined]]);
});

test('a URL that opens nothing any more is asked for again, and files of others never', async () => {
  const { urls, asked } = clientOf(30);
  await urls.of(PLAN);
  assert.match((await urls.of(PLAN))!, /signature=2$/);
  assert.equal(await urls.of('https://elsewhere.example.org/f/1/plan.png'), undefined);
  assert.equal(asked.length, 2);
});

test('what could not be asked is asked for again', async () => {
  let fails = true;
  const get = async () => {
    if (fails) throw new Error('no connection');
    return { body: { signed_url: 'signed' }, total: 0 };
  };
  const urls = new SignedUrls({ get } as unknown as Client, BASE);
  await assert.rejects(urls.of(PLAN, 7));
  fails = false;
  assert.equal(await urls.of(PLAN, 7), 'signed');
});
