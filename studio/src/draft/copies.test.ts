import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteCopies, FORMAT, hasCopies, judge, KEPT, type Copy } from './copies.ts';
import { DELAY } from './copywriter.ts';
import { content } from './example.ts';
import { Browser, titles } from './fakebrowser.ts';
import { recover } from './recovery.ts';

test('a story that was left in this page is found when it is opened again', async () => {
  const browser = new Browser();
  const { type, saver, writer } = browser.tab('a');
  type('A');
  saver.stop();
  await writer.stop();
  assert.deepEqual(titles(await browser.left(browser.tab('b').copies)), ['A']);
});

test('a tab that sleeps answers nobody, and is there as long as it has its lock', async () => {
  const browser = new Browser();
  browser.hasLocks = true;
  const asleep = browser.tab('a');
  asleep.type('A');
  await asleep.writer.flush();
  browser.silence();
  assert.deepEqual(await browser.left(browser.tab('b').copies), []);
  asleep.kill();
  assert.deepEqual(titles(await browser.left(browser.tab('c').copies)), ['A']);
});

test('the copy of a killed tab is found by the same person for the same story, and not while the tab lives', async () => {
  const browser = new Browser();
  const killed = browser.tab('a');
  killed.type('A');
  await browser.clock.pass(DELAY);
  const next = browser.tab('b');
  assert.deepEqual(await browser.left(next.copies), [], 'the other tab is open, and saves by itself');
  killed.type('AA');
  await killed.writer.flush();
  killed.kill();
  assert.deepEqual(titles(await browser.left(next.copies)), ['AA']);
  for (const more of [{ person: 'bob' }, { story: 3 }, { space: 4 }]) assert.deepEqual(await browser.left(browser.tab('c', more).copies), []);
});

test('a copy that is taken over goes once the tab has its own', async () => {
  const browser = new Browser();
  browser.memory.copies = [copyOf({ content: { ...content, title: 'A' } })];
  const { draft, copies, writer } = browser.tab('b');
  const recovering = recover(draft, copies, writer);
  await browser.clock.pass(1000);
  const { recovered, beside } = await recovering;
  assert.deepEqual([recovered?.tab, beside, draft.content().title], ['a', [], 'A']);
  assert.deepEqual(browser.memory.copies.map(({ tab, content: { title } }) => [tab, title]), [['b', 'A']]);
  await browser.clock.pass(2000 + DELAY);
  assert.deepEqual([browser.memory.copies, browser.server.content.title], [[], 'A']);
});

test('a copy that comes into a draft which is left already stays', async () => {
  const browser = new Browser();
  browser.memory.copies = [copyOf({ content: { ...content, title: 'A' } })];
  const { draft, copies, writer, saver } = browser.tab('b');
  const recovering = recover(draft, copies, writer);
  saver.stop();
  await browser.clock.pass(1000);
  await recovering;
  await writer.stop();
  assert.deepEqual(titles(browser.memory.copies), ['A']);
});

test('what was undone stays in the copy while the server may have it', async () => {
  const browser = new Browser();
  browser.server.faults.push('lost', 'offline');
  const { type, draft } = browser.tab('a');
  type('A');
  await browser.clock.pass(2000);
  draft.undo();
  await browser.clock.pass(DELAY);
  assert.deepEqual([titles(browser.memory.copies), browser.memory.copies[0]?.sent.map(({ title }) => title)], [[content.title], ['A']]);
  await browser.clock.pass(4000);
  assert.deepEqual([browser.memory.copies, browser.server.content.title], [[], content.title]);
});

test('of several copies the newest goes on, the others are beside; one that the server has goes', async () => {
  const browser = new Browser();
  const named = (tab: string, at: number, more: Partial<Copy> = {}) => copyOf({ tab, at, content: { ...content, title: tab }, ...more });
  browser.memory.copies = [named('one', 1), named('two', 2), named('other', 3, { base: { revision: 5, content: {} } }), named('done', 4, { content })];
  browser.clock.time = 10;
  const { draft, copies, writer } = browser.tab('b');
  const recovering = recover(draft, copies, writer);
  await browser.clock.pass(1000);
  const { recovered, beside } = await recovering;
  assert.deepEqual([recovered?.tab, beside.map(({ tab }) => tab), draft.content().title], ['two', ['other', 'one'], 'two']);
  assert.deepEqual(browser.memory.copies.map(({ tab }) => tab).toSorted(), ['b', 'one', 'other']);
  draft.undo();
  assert.equal(draft.isChanged, false, 'Discard is undo');
});

test('a draft that was changed meanwhile is left alone', async () => {
  const browser = new Browser();
  browser.memory.copies = [copyOf({ content: { ...content, title: 'A' } })];
  const { draft, copies, writer, type } = browser.tab('b');
  const recovering = recover(draft, copies, writer);
  type('Typed at once');
  await browser.clock.pass(1000);
  const { recovered, beside } = await recovering;
  assert.deepEqual([recovered, beside.length, draft.content().title], [undefined, 1, 'Typed at once']);
});

test('copies are kept for 30 days', async () => {
  const browser = new Browser();
  browser.memory.copies = [copyOf({ tab: 'old', at: 0 }), copyOf({ tab: 'new', at: 2000 })];
  browser.clock.time = KEPT + 1000;
  assert.deepEqual((await browser.left(browser.tab('b').copies)).map(({ tab }) => tab), ['new']);
  assert.deepEqual(browser.memory.copies.map(({ tab }) => tab), ['new']);
});

test('signing out in the studio deletes the copies of the person', async () => {
  const { memory } = new Browser();
  memory.copies = [copyOf({}), copyOf({ story: 9 }), copyOf({ person: 'bob' })];
  assert.equal(await hasCopies(memory, 'ann'), true);
  await deleteCopies(memory, 'ann');
  assert.deepEqual(memory.copies.map(({ person }) => person), ['bob']);
  assert.equal(await hasCopies(memory, 'ann'), false);
});

test('a browser that keeps nothing is no fault, and is told', async () => {
  const browser = new Browser();
  browser.memory.isFull = true;
  const { type, told } = browser.tab('a');
  for (const title of ['A', 'AB']) {
    type(title);
    await browser.clock.pass(DELAY);
  }
  assert.deepEqual(told, [true], 'once');
  browser.memory.isFull = false;
  type('B');
  await browser.clock.pass(DELAY);
  assert.deepEqual([told, titles(browser.memory.copies)], [[true, false], ['B']]);
});

function copyOf(more: Partial<Copy>): Copy {
  return { person: 'ann', space: 1, story: 2, tab: 'a', format: FORMAT, at: 0, base: { revision: 7, content }, sent: [], content, ...more };
}

test('a copy goes on only from what it was made on', () => {
  const [mine, half, theirs] = ['Mine', 'Mi', 'Theirs'].map((title) => ({ ...content, title }));
  const copy = copyOf({ content: mine!, sent: [half!] });
  for (const [more, server, expected] of [
    [{}, { revision: 7, content }, 'continues'],
    [{}, { revision: 8, content: theirs! }, 'beside'],
    // The answer of its last request was lost.
    [{}, { revision: 8, content: half! }, 'continues'],
    [{}, { revision: 8, content: { ...mine! } }, 'done'],
    // It was published meanwhile.
    [{}, { revision: 9, content: { ...content } }, 'continues'],
    [{ format: FORMAT + 1 }, { revision: 7, content }, 'beside'],
  ] as const) {
    assert.equal(judge({ ...copy, ...more }, server), expected);
  }
});
