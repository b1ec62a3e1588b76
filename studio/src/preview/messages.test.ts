import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mergeConfigs, NO_CONFIG, parseConfig, parseMessage } from './messages.ts';

test('what sites send is understood', () => {
  const config = { customParent: 'https://x', resolveRelations: ['page.author', 'list.items'], resolveLinks: 'story', preventClicks: false, fallbackLang: 'de' };
  assert.deepEqual(parseMessage({ action: 'initialized', config }), {
    kind: 'initialized',
    config: { resolveRelations: ['page.author', 'list.items'], resolveLinks: 'story', fallbackLang: 'de' },
  });
  assert.deepEqual(parseMessage({ action: 'ping' }), { kind: 'ping' });
  assert.deepEqual(parseMessage({ action: 'noFocus' }), { kind: 'noFocus' });
  const dataC = { name: 'teaser', uid: 'u', id: '42', space: '7' };
  assert.deepEqual(parseMessage({ action: 'edit', dataC, config }), { kind: 'edit', uid: 'u', story: 42 });
  // A breadcrumb names no story.
  assert.deepEqual(parseMessage({ action: 'edit', dataC: { uid: 'u' } }), { kind: 'edit', uid: 'u', story: undefined });
  assert.deepEqual(parseMessage({ action: 'moveForward', blok: { _uid: 'u', component: 'teaser' } }), { kind: 'menu', act: 'moveForward', uid: 'u' });
  assert.deepEqual(parseMessage({ action: 'lecternKey', key: 'F6', shiftKey: true, isCommand: false }), { kind: 'key', key: 'F6', shiftKey: true, isCommand: false });
});

test('a message of another shape is none', () => {
  for (const data of [
    undefined, null, 0, 'edit', [], [{ action: 'ping' }], {}, { action: 1 }, { action: '' }, { action: 'nothing' }, { action: 'constructor' }, { action: 'input', story: {} },
    { action: 'edit' }, { action: 'edit', dataC: null }, { action: 'edit', dataC: [] }, { action: 'edit', dataC: { uid: 7 } }, { action: 'edit', dataC: { uid: 'x'.repeat(300) } },
    { action: 'deleteBlock' }, { action: 'deleteBlock', blok: 'u' }, { action: 'deleteBlock', blok: { uid: 'u' } }, { action: 'lecternKey', key: {} }, { action: 'p'.repeat(10_000) },
  ]) {
    assert.equal(parseMessage(data), undefined, JSON.stringify(data));
  }
});

test('of the keys only those count that lead out of the page, search, save and publish', () => {
  const parse = (key: string, shiftKey: boolean, isCommand: boolean) => parseMessage({ action: 'lecternKey', key, shiftKey, isCommand });
  for (const [key, shiftKey, isCommand] of [['F6', false, false], ['F6', true, false], ['s', false, true], ['S', false, true], ['k', false, true], ['Enter', true, true]] as const) {
    assert.deepEqual(parse(key, shiftKey, isCommand), { kind: 'key', key, shiftKey, isCommand });
  }
  for (const [key, shiftKey, isCommand] of [
    ['z', false, true], ['z', true, true], ['y', false, true], ['s', false, false], ['k', false, false], ['Enter', false, true], ['Enter', true, false], ['Enter', false, false],
    ['Delete', false, false], ['F5', false, false], ['?', true, false], ['sk', false, true],
  ] as const) {
    assert.equal(parse(key, shiftKey, isCommand), undefined, `${key} ${shiftKey} ${isCommand}`);
  }
});

test('a config of another shape asks for nothing', () => {
  for (const config of [undefined, null, 3, 'x', [], { resolveRelations: null, resolveLinks: null, fallbackLang: null }, { resolveRelations: {}, resolveLinks: [], fallbackLang: 1 }]) {
    assert.deepEqual(parseConfig(config), NO_CONFIG);
  }
  assert.deepEqual(parseConfig({ resolveRelations: ['a.b', 'a', 3, null, 'a.b', ' c.d ', 'x.y.z'] }).resolveRelations, ['a.b', 'c.d']);
  assert.deepEqual(parseConfig({ resolveRelations: 'a.b,c.d' }).resolveRelations, ['a.b', 'c.d']);
  assert.equal(parseConfig({ resolveRelations: Array.from({ length: 5000 }, (_, at) => `a.b${at}`) }).resolveRelations.length, 100);
  for (const [written, form] of [['url', 'url'], ['1', 'url'], [1, 'url'], ['link', 'link'], ['story', 'story'], ['0', ''], ['all', '']] as const) {
    assert.equal(parseConfig({ resolveLinks: written }).resolveLinks, form);
  }
});

test('nothing that comes in throws', () => {
  const action = fc.constantFrom('initialized', 'ping', 'edit', 'noFocus', 'copy', 'deleteBlock', 'lecternKey', '__proto__');
  const message = fc.record({ action, config: fc.anything(), dataC: fc.anything(), blok: fc.anything(), key: fc.anything() }, { requiredKeys: ['action'] });
  fc.assert(fc.property(fc.oneof(fc.anything(), message), (data) => void parseMessage(data)));
});

test('each of several bridges gets what it asked for', () => {
  const one = { resolveRelations: ['a.b'], resolveLinks: 'url', fallbackLang: '' } as const;
  const other = { resolveRelations: ['c.d', 'a.b'], resolveLinks: 'story', fallbackLang: 'de' } as const;
  const merged = { resolveRelations: ['a.b', 'c.d'], resolveLinks: 'story', fallbackLang: 'de' };
  assert.deepEqual(mergeConfigs(one, other), merged);
  assert.deepEqual(mergeConfigs(NO_CONFIG, other), other);
});
