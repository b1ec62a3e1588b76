import assert from 'node:assert/strict';
import { test } from 'node:test';

/** What stands in the file until the server writes its own origin in its place. */
const STUDIO = '__LECTERN_ORIGIN__';
const HOSTED = 'https://app.storyblok.com';

let loads = 0;

/** A page with the relay, in a frame. Browsers that do not tell who frames a page have no `ancestorOrigins`. */
async function framed(ancestorOrigins?: readonly string[]) {
  const sent: unknown[][] = [];
  const listeners = new Map<string, (event: object) => void>();
  const parent = { postMessage: (...args: unknown[]) => sent.push(args) };
  const window = { parent, location: { ancestorOrigins }, addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener) };
  Object.assign(globalThis, { window });
  await import(`./bridge.ts?${(loads += 1)}`);
  return {
    sent,
    /** What the scripts of the page call. */
    post: (...args: unknown[]) => window.parent.postMessage(...args),
    /** A message that comes in. */
    hears: (origin: string, source: object = parent) => listeners.get('message')?.({ origin, source, data: {} }),
    /** Presses a key; says whether the page was kept from it. */
    presses: (key: string, { isTrusted = true, ...more } = {}) => {
      let isPrevented = false;
      listeners.get('keydown')?.({ key, shiftKey: false, ctrlKey: true, metaKey: false, isTrusted, preventDefault: () => (isPrevented = true), ...more });
      return isPrevented;
    },
  };
}

test('what a page says to the hosted editor goes to the studio, and all else as it came', async () => {
  const { post, sent } = await framed([STUDIO]);
  const port = {};
  const others = [['b', '*'], ['c'], ['d', { targetOrigin: '*' }], ['e', '/', [port]], ['f', undefined]];
  post('a', HOSTED);
  post('a', `${HOSTED}/`, [port]);
  for (const other of others) post(...other);
  assert.deepEqual(sent, [['a', STUDIO], ['a', STUDIO, [port]], ...others]);
});

test('where it is not known who frames the page, both are spoken to, until the studio has spoken', async () => {
  const { post, sent, hears } = await framed();
  post('a', HOSTED);
  assert.deepEqual(sent.splice(0), [['a', STUDIO], ['a', HOSTED]]);
  hears(STUDIO);
  post('a', HOSTED);
  assert.deepEqual(sent, [['a', STUDIO]]);
});

test('keys are passed on to the studio', async () => {
  const { presses, sent } = await framed([STUDIO]);
  assert.deepEqual([presses('s'), presses('z'), presses('s', { isTrusted: false })], [true, false, false]);
  assert.deepEqual(sent, [[{ action: 'lecternKey', key: 's', shiftKey: false, isCommand: true }, STUDIO]]);
});

test('in a frame that may be of another page the keys are left alone, until the studio has spoken', async () => {
  const { presses, hears, sent } = await framed();
  hears(HOSTED);
  hears(STUDIO, {});
  assert.equal(presses('s'), false);
  assert.deepEqual(sent, []);
  hears(STUDIO);
  assert.equal(presses('s'), true);
  assert.equal(sent.length, 1);
});

test('in the frame of another page the relay does nothing', async () => {
  const { post, presses, sent } = await framed([HOSTED]);
  post('a', HOSTED);
  assert.equal(presses('s'), false);
  assert.deepEqual(sent, [['a', HOSTED]]);
});
