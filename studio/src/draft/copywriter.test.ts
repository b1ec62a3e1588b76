import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CopyWriter, DELAY } from './copywriter.ts';
import { Browser, titles } from './fakebrowser.ts';

test('a copy is written 200 ms after the first change, also while typing goes on', async () => {
  const browser = new Browser();
  const { type } = browser.tab('a');
  for (let key = 1; key <= 19; key++) {
    type('x'.repeat(key));
    await browser.clock.pass(50);
  }
  // A key each 50 ms: the last copy is no older than that.
  assert.equal(browser.memory.writes, 4);
  assert.ok(String(browser.memory.copies[0]!.content.title).length >= 19 - DELAY / 50);
  await browser.clock.pass(DELAY);
  assert.deepEqual(titles(browser.memory.copies), ['x'.repeat(19)]);
});

test('it goes when the server has everything, and when all was undone', async () => {
  const browser = new Browser();
  const { type, draft } = browser.tab('a');
  type('A');
  await browser.clock.pass(1000);
  assert.equal(browser.memory.copies.length, 1);
  await browser.clock.pass(2000);
  assert.deepEqual([browser.memory.copies, browser.server.content.title], [[], 'A']);
  type('B');
  await browser.clock.pass(1000);
  draft.undo();
  await browser.clock.pass(DELAY);
  assert.deepEqual(browser.memory.copies, []);
});

test('what the server may have, and that it has everything, is known here at once', async () => {
  const browser = new Browser();
  const { type } = browser.tab('a');
  let answer = () => {};
  browser.server.signIn = new Promise<void>((resolve) => (answer = resolve));
  type('A');
  await browser.clock.pass(2000);
  assert.deepEqual(browser.memory.copies.map(({ sent }) => sent.map(({ title }) => title)), [['A']]);
  answer();
  await browser.clock.pass(0);
  assert.deepEqual([browser.memory.copies, browser.server.content.title], [[], 'A']);
});

test('a slow disk is given no more than it can do, and the last of it', async () => {
  const browser = new Browser();
  let turn = () => {};
  browser.memory.disk = new Promise<void>((resolve) => (turn = resolve));
  const { type, saver } = browser.tab('a');
  for (const title of ['A', 'AB', 'ABC', 'ABCD']) {
    type(title);
    await browser.clock.pass(DELAY);
  }
  assert.equal(browser.memory.writes, 1);
  saver.stop();
  turn();
  await browser.clock.pass(0);
  assert.deepEqual([browser.memory.writes, titles(browser.memory.copies)], [2, ['ABCD']]);
});

test('what is opened and left writes no copy', async () => {
  const browser = new Browser();
  const { writer } = browser.tab('a');
  await browser.clock.pass(60_000);
  await writer.stop();
  assert.equal(browser.memory.writes, 0);
});

test('a tab that is hidden writes at once, and one that is left keeps what is unsent', async () => {
  const browser = new Browser();
  const { type, writer, saver } = browser.tab('a');
  type('A');
  await writer.flush();
  assert.deepEqual(titles(browser.memory.copies), ['A']);
  type('B');
  saver.stop();
  await writer.stop();
  assert.deepEqual(titles(browser.memory.copies), ['B']);
});

test('what was typed before the store was there is in the copy', async () => {
  const browser = new Browser();
  const { draft, saver, copies, type, writer } = browser.tab('a');
  await writer.stop();
  type('A');
  new CopyWriter(draft, saver, copies, browser.clock);
  await browser.clock.pass(DELAY);
  assert.deepEqual(titles(browser.memory.copies), ['A']);
});
