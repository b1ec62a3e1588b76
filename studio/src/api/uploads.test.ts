import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asset } from '../model/assets.ts';
import type { UploadOptions } from './client.ts';
import { UploadQueue, type Refusal } from './uploads.ts';

interface Sending extends UploadOptions {
  readonly name: string;
  readonly folder: number | null;
  come(): void;
  fail(problem: unknown): void;
}

/** A queue whose files arrive when the test says so. */
function queueOf(refusals: Readonly<Record<string, Refusal>> = {}) {
  const sending: Sending[] = [];
  const done: string[] = [];
  const queue = new UploadQueue({
    check: async (file) => refusals[file.name],
    send: (file, folder, options) =>
      new Promise((resolve, reject) => {
        sending.push({ ...options, name: file.name, folder, come: () => resolve({ id: sending.length, short_filename: file.name } as Asset), fail: reject });
        options.signal.addEventListener('abort', () => reject(options.signal.reason));
      }),
    onchange: () => {},
    ondone: (asset) => done.push(asset.short_filename),
  });
  const states = () => queue.uploads.map(({ file, state }) => `${file.name} ${state}`);
  return { queue, sending, done, states };
}

const files = (...names: string[]) => names.map((name) => new File(['x'], name));
/** Lets everything happen that waits for nothing. */
const settle = () => new Promise((resume) => setImmediate(resume));

test('three are sent at a time, and each end begins the next', async () => {
  const { queue, sending, done, states } = queueOf();
  queue.add(files('a', 'b', 'c', 'd', 'e'), 7);
  await settle();
  assert.deepEqual(sending.map(({ name, folder }) => `${name} ${folder}`), ['a 7', 'b 7', 'c 7']);
  assert.equal(queue.isBusy, true);
  sending[1]!.come();
  sending[0]!.fail(new Error('the disk is full'));
  await settle();
  assert.deepEqual(states(), ['a failed', 'b done', 'c sending', 'd sending', 'e sending']);
  sending.slice(2).forEach((one) => one.come());
  await settle();
  assert.deepEqual(done, ['b', 'c', 'd', 'e']);
  assert.equal(queue.isBusy, false);
});

test('progress is told of each file', async () => {
  const { queue, sending } = queueOf();
  queue.add(files('a', 'b'), null);
  await settle();
  sending[1]!.onprogress(0.25);
  assert.deepEqual(queue.uploads.map(({ progress }) => progress), [0, 0.25]);
});

test('what is not allowed is not sent, and the others are', async () => {
  const { queue, sending, states } = queueOf({ b: 'tooLarge' });
  queue.add(files('a', 'b', 'c', 'd'), null);
  await settle();
  assert.deepEqual(sending.map(({ name }) => name), ['a', 'c', 'd']);
  assert.deepEqual(states(), ['a sending', 'b failed', 'c sending', 'd sending']);
  assert.equal(queue.uploads[1]!.refusal, 'tooLarge');
});

test('one that is cancelled ends at once and can begin again', async () => {
  const { queue, sending, done, states } = queueOf();
  queue.add(files('a', 'b'), null);
  await settle();
  const [first] = queue.uploads;
  queue.cancel(first!.key);
  assert.equal(sending[0]!.signal.aborted, true);
  // What comes late of the one that was cancelled changes nothing.
  sending[0]!.onprogress(1);
  await settle();
  assert.deepEqual(states(), ['a cancelled', 'b sending']);
  queue.retry(first!.key);
  await settle();
  assert.deepEqual(states(), ['a sending', 'b sending']);
  sending[2]!.come();
  await settle();
  assert.deepEqual(done, ['a']);
});

test('what is at its end can be put away, and what is told of a file is kept up to date', async () => {
  const { queue, sending, states } = queueOf({ b: 'broken' });
  queue.add(files('a', 'b', 'c'), null);
  await settle();
  sending[0]!.come();
  await settle();
  queue.changed({ ...queue.uploads[0]!.asset!, alt: 'A crane' });
  assert.equal(queue.uploads[0]!.asset?.alt, 'A crane');
  queue.clear();
  assert.deepEqual(states(), ['c sending']);
});
