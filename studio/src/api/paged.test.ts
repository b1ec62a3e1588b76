// Reading a long list page by page, against a server of this file.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { PagedList } from './paged.ts';

const PER_PAGE = 10;
let count: number;
let asked: number[];
let aborted: number[];
/** The requests that wait for an answer. */
let answers: (() => void)[];
let isDown: boolean;

beforeEach(() => {
  count = 1000;
  asked = [];
  aborted = [];
  answers = [];
  isDown = false;
  mock.timers.enable({ apis: ['setTimeout'] });
});
afterEach(() => mock.timers.reset());

function list(version = () => '') {
  let changes = 0;
  const paged = new PagedList<string>(PER_PAGE, (page, signal) => {
    asked.push(page);
    signal.addEventListener('abort', () => aborted.push(page));
    return new Promise((resolve, reject) => answers.push(() => {
      if (isDown) return reject(new Error('down'));
      const first = (page - 1) * PER_PAGE;
      resolve({ items: Array.from({ length: Math.max(0, Math.min(PER_PAGE, count - first)) }, (_, index) => `${first + index}${version()}`), total: count });
    }));
  }, () => (changes += 1));
  return { paged, changes: () => changes };
}

/** The server answers what it was asked. */
async function answer() {
  for (const give of answers.splice(0)) give();
  await new Promise(setImmediate);
}

test('the first page is read at once, others when they are in sight', async () => {
  const { paged, changes } = list();
  assert.deepEqual([asked, paged.isRead, paged.at(0)], [[1], false, undefined]);
  await answer();
  assert.deepEqual([paged.total, paged.at(9), paged.at(10), changes()], [1000, '9', undefined, 1]);
  paged.show(5, 31);
  mock.timers.tick(80);
  assert.deepEqual(asked, [1, 2, 3, 4]);
  await answer();
  assert.deepEqual([paged.at(30), paged.items().length], ['30', 40]);
  // What was read is not read again.
  paged.show(0, 20);
  mock.timers.tick(80);
  assert.deepEqual(asked, [1, 2, 3, 4]);
});

test('pages that are passed quickly are not read, and those that went out of sight are given up', async () => {
  const { paged } = list();
  await answer();
  for (let first = 0; first < 900; first += 30) paged.show(first, first + 10);
  mock.timers.tick(80);
  assert.deepEqual(asked, [1, 88]);
  paged.show(500, 510);
  mock.timers.tick(80);
  assert.deepEqual([asked, aborted], [[1, 88, 51], [88]]);
  await answer();
  assert.deepEqual([paged.at(500), paged.at(870)], ['500', undefined]);
});

test('after a change the old is shown until there is the new, and only what is in sight is read', async () => {
  let version = '';
  const { paged } = list(() => version);
  await answer();
  paged.show(10, 20);
  mock.timers.tick(80);
  await answer();
  version = ' new';
  paged.reload();
  assert.deepEqual([paged.at(10), asked], ['10', [1, 2, 2]]);
  await answer();
  assert.deepEqual([paged.at(10), paged.at(0)], ['10 new', '0']);
  paged.show(0, 10);
  mock.timers.tick(80);
  await answer();
  assert.equal(paged.at(0), '0 new');
});

test('what is gone at the end is gone here, and the end that is there is read', async () => {
  const { paged } = list();
  await answer();
  paged.show(990, 1000);
  mock.timers.tick(80);
  await answer();
  count = 985;
  paged.reload();
  await answer();
  assert.deepEqual([paged.total, paged.at(995)], [985, undefined]);
  mock.timers.tick(80);
  await answer();
  assert.equal(paged.at(984), '984');
  count = 0;
  paged.reload();
  await answer();
  assert.deepEqual([paged.total, paged.items()], [0, []]);
});

test('a page that does not come is a problem until it came', async () => {
  const { paged } = list();
  isDown = true;
  await answer();
  assert.deepEqual([String(paged.problem), paged.isRead], ['Error: down', false]);
  isDown = false;
  paged.reload();
  await answer();
  assert.deepEqual([paged.problem, paged.total], [undefined, 1000]);
  // A list that is closed asks for nothing more, and tells nothing.
  paged.show(500, 510);
  paged.close();
  paged.reload();
  mock.timers.tick(80);
  assert.deepEqual(asked, [1, 1]);
});
