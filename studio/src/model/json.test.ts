import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEqual, numberOf, withMember } from './json.ts';
import { newUid, withNewUids } from './uids.ts';

test('values are equal whatever the order of their members', () => {
  assert.ok(isEqual({ a: 1, b: [null, { c: 'x' }] }, { b: [null, { c: 'x' }], a: 1 }));
  for (const [one, other] of [[{ a: 1 }, { a: 1, b: 1 }], [{ a: 1 }, { b: 1 }], [[1, 2], [2, 1]], [[], {}], [null, {}], ['1', 1], [{}, undefined], [{ toString: 1 }, {}]] as const) {
    assert.equal(isEqual(one, other), false);
    assert.equal(isEqual(other, one), false);
  }
});

test('members keep their places', () => {
  const object = { a: 1, b: 2, c: 3 };
  assert.deepEqual(Object.entries(withMember(object, 'b', 9)), [['a', 1], ['b', 9], ['c', 3]]);
  assert.deepEqual(Object.entries(withMember(object, 'b', undefined)), [['a', 1], ['c', 3]]);
  assert.deepEqual(Object.keys(withMember(object, 'x', 0)), ['a', 'b', 'c', 'x']);
  assert.deepEqual(Object.keys(withMember(object, 'x', 0, 1)), ['a', 'x', 'b', 'c']);
  assert.deepEqual(Object.keys(withMember(object, 'a', 0, 2)), ['b', 'c', 'a']);
});

test('numbers are numbers or decimal texts', () => {
  assert.deepEqual(['5', ' -1.5 ', '.5', '1e3', 7].map(numberOf), [5, -1.5, 0.5, 1000, 7]);
  assert.ok(['', 'five', '0x10', 'Infinity', '1e999', null, true, []].every((value) => numberOf(value) === undefined));
});

test('a copy has new uids wherever one was', () => {
  const block = { component: 'a', _uid: '1', list: [{ _uid: '2', component: 'b' }], text: { type: 'doc', content: [{ type: 'blok', attrs: { body: [{ _uid: '3', component: 'c' }] } }] }, plugin: { _uid: '4', x: 1 }, n: { _uid: 5 } };
  const text = JSON.stringify(withNewUids(block));
  assert.deepEqual(text.match(/"_uid":"\d"/g), null);
  assert.equal(new Set(text.match(/"_uid":"[0-9a-f-]{36}"/g)).size, 4);
  assert.equal(text.replaceAll(/[0-9a-f-]{36}/g, '#'), JSON.stringify(block).replaceAll(/"_uid":"\d"/g, '"_uid":"#"'));
  assert.match(newUid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
