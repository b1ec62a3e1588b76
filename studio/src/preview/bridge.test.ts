import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STARTED, step, type BridgeEvent } from './bridge.ts';

const CONFIG = { resolveRelations: ['a.b'], resolveLinks: '', fallbackLang: '' } as const;
const OTHER = { resolveRelations: ['c.d'], resolveLinks: '', fallbackLang: '' } as const;
const events = {
  start: { kind: 'started' },
  load: { kind: 'loaded', isExpected: false },
  reload: { kind: 'loaded', isExpected: true },
  hello: { kind: 'initialized', config: CONFIG },
  second: { kind: 'initialized', config: OTHER },
  silence: { kind: 'settled' },
} as const satisfies Record<string, BridgeEvent>;

/** The state after some events. */
function after(names: string) {
  return names.split(' ').reduce((bridge, name) => step(bridge, events[name as keyof typeof events]), STARTED);
}

test('a site is two-way once it has said so, before or after its load, and one-way when it is silent', () => {
  for (const [names, phase, relations] of [
    ['start', 'loading', undefined],
    ['start load', 'waiting', undefined],
    ['start load silence', 'oneWay', undefined],
    ['start load hello', 'twoWay', ['a.b']],
    ['start load silence hello', 'twoWay', ['a.b']],
    ['start hello', 'twoWay', ['a.b']],
    ['start hello load', 'twoWay', ['a.b']],
    ['start hello load silence', 'twoWay', ['a.b']],
    ['start hello load second', 'twoWay', ['a.b', 'c.d']],
    ['start hello second load', 'twoWay', ['a.b', 'c.d']],
  ] as const) {
    const bridge = after(names);
    assert.deepEqual([bridge.phase, bridge.config?.resolveRelations, bridge.isElsewhere], [phase, relations, false], names);
  }
});

test('every load begins anew', () => {
  assert.equal(after('start hello load load').phase, 'waiting');
  assert.equal(after('start hello load load').config, undefined);
  assert.equal(after('start hello load load silence').phase, 'oneWay');
  // The handshake of the page that comes is heard before its load, that of the page that is there soon after its own.
  assert.deepEqual(after('start hello load silence second load').config, OTHER);
  assert.equal(after('start load hello second load').phase, 'waiting');
  assert.deepEqual(after('start hello load start'), STARTED);
});

test('a page to which a link in the page led is elsewhere, one that has loaded itself again is not', () => {
  assert.equal(after('start hello load load').isElsewhere, true);
  assert.equal(after('start load silence load').isElsewhere, true);
  assert.equal(after('start load silence reload').isElsewhere, false);
  assert.equal(after('start hello load silence hello load').isElsewhere, false);
  assert.equal(after('start load hello silence load').isElsewhere, true);
  assert.equal(after('start hello load load hello').isElsewhere, false);
  assert.equal(after('start hello load load start').isElsewhere, false);
});
