import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client, Query } from './client.ts';
import { SignedUrls } from './signed.ts';

const BASE = 'https://cms.example.org';
const PLAN = `${BASE}/f/1/40x30/abc/plan%20b.png`;
const FORMER = `${BASE}/f/1/abc/former.png`;
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

/** A client that has one private file, whose URLs open for some seconds. */
function clientOf(seconds: number) {
  const asked: unknown[] = [];
  const get = async (_: string, { filename }: Query = {}) => {
    asked.push(filename);
    const assets = [PLAN, FORMER].includes(String(filename)) ? [{ filename: PLAN, signed_url: `${PLAN}?expires=${inSeconds(seconds)}&signature=${asked.length}` }] : [];
    return { body: { assets }, total: assets.length };
  };
  return { urls: new SignedUrls({ get } as unknown as Client, BASE), asked };
}

test('a private file is asked for by the URL that content has, once while it is open', async () => {
  const { urls, asked } = clientOf(3600);
  assert.match((await urls.of(PLAN))!, /signature=1$/);
  assert.match((await urls.of(PLAN))!, /signature=1$/);
  assert.match((await urls.of(FORMER))!, /plan%20b\.png\?/);
  for (let time = 0; time < 2; time += 1) assert.equal(await urls.of(`${BASE}/f/1/none.png`), undefined);
  assert.deepEqual(asked, [PLAN, FORMER, `${BASE}/f/1/none.png`]);
});

test('what is made of a picture by its URL is opened as well', async () => {
  const { urls, asked } = clientOf(3600);
  assert.match((await urls.of(`${PLAN}/m/20x0/filters:format(png)?cv=1`))!, /\/plan%20b\.png\/m\/20x0\/filters:format\(png\)\?expires=/);
  assert.deepEqual(asked, [PLAN]);
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
    return { body: { assets: [{ signed_url: 'signed' }] }, total: 1 };
  };
  const urls = new SignedUrls({ get } as unknown as Client, BASE);
  await assert.rejects(urls.of(PLAN));
  fails = false;
  assert.equal(await urls.of(PLAN), 'signed');
});
