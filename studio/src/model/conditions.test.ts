// The cases of the server's own test (`crates/domain/src/content/validation/tests/conditions.rs`): both read the same settings.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readComponent } from './components.ts';
import { isMissing, shownFields } from './conditions.ts';
import type { Json, JsonObject } from './json.ts';

function stateOf(conditional_settings: Json, block: JsonObject, required = true): string {
  const types = { other: 'text', flag: 'boolean', count: 'number', many: 'options' };
  const schema = { ...Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }])), f: { type: 'text', required, conditional_settings } };
  const shown = shownFields(readComponent({ name: 'c', schema }), block).find(({ field }) => field.name === 'f');
  return shown ? (shown.isRequired ? 'required' : 'optional') : 'hidden';
}

const condition = (validation: string, key: string, value: Json = null): JsonObject => ({ validation, value, validated_object: { type: 'field', field_key: key, field_attr: 'value' } });
const hide = (one: JsonObject): Json => [{ modifications: { display: 'hide' }, rule_match: 'all', rule_conditions: [one] }];

test('tests of other fields', () => {
  for (const [one, block, isHidden] of [
    [condition('empty', 'other'), {}, true],
    [condition('empty', 'other'), { other: 'x' }, false],
    [condition('not_empty', 'other'), { other: 'x' }, true],
    [condition('is_not_empty', 'other'), {}, false],
    [condition('equals', 'other', 'x'), { other: 'x' }, true],
    [condition('equals', 'other', 'x'), { other: 'y' }, false],
    [condition('equals', 'other', 'x'), {}, false],
    [condition('not_equals', 'other', 'x'), { other: 'y' }, true],
    [condition('is_not_equal', 'other', 'x'), { other: 'x' }, false],
    [condition('equals', 'flag', 'true'), { flag: true }, true],
    [condition('equals', 'flag', true), { flag: true }, true],
    [condition('equals', 'flag', 'false'), { flag: false }, true],
    [condition('equals', 'flag', 'false'), {}, false],
    [condition('equals', 'flag', 'true'), {}, false],
    [condition('empty', 'flag'), {}, true],
    [condition('equals', 'count', '5'), { count: 5 }, true],
    [condition('gt', 'count', '5'), { count: '6' }, true],
    [condition('gt', 'count', 5), { count: 5 }, false],
    [condition('lt', 'count', '5'), { count: 4.5 }, true],
    [condition('lt', 'count', 'five'), { count: 4 }, false],
    [condition('gt', 'other', '5'), { other: 'abc' }, false],
    [condition('equals', 'many', 'a,b'), { many: ['a', 'b'] }, true],
    [condition('empty', 'absent'), {}, true],
  ] as const) {
    assert.equal(stateOf(hide(one), block), isHidden ? 'hidden' : 'required', JSON.stringify([one, block]));
  }
});

test('settings apply in order, and come alone or as lists', () => {
  const always = condition('empty', 'absent');
  const never = condition('not_empty', 'absent');
  const setting = (modifications: Json, rule_match: string, ...rule_conditions: Json[]): JsonObject => ({ modifications, rule_match, rule_conditions });
  const hidden = { display: 'hide' };
  for (const [settings, expected] of [
    [[setting({ required: false }, 'all', always)], 'optional'],
    [setting({ required: 'false' }, 'all', always), 'optional'],
    [[setting([{ required: false }, { required: true }], 'all', always)], 'required'],
    [[setting(hidden, 'all', always), setting({ display: 'show' }, 'all', always)], 'required'],
    [[setting(hidden, 'all', always, never)], 'required'],
    [[setting(hidden, 'any', always, never)], 'hidden'],
    [[setting(hidden, 'any')], 'required'],
    [[setting(hidden, 'all')], 'required'],
    [[setting(hidden, 'most', always)], 'required'],
    [[setting({ display: 'blink' }, 'all', always)], 'required'],
    [[setting(hidden, 'any', condition('like', 'other', 'x'), never)], 'required'],
    [[setting(hidden, 'any', { validation: 'empty', validated_object: { type: 'story', field_key: 'absent' } })], 'required'],
    ['nonsense', 'required'],
    [[null, 5, []], 'required'],
  ] as const) {
    assert.equal(stateOf(settings, {}), expected, JSON.stringify(settings));
  }
  assert.equal(stateOf([setting({ required: true }, 'all', condition('equals', 'other', 'long'))], { other: 'long' }, false), 'required');
});

test('what is no value depends on the type', () => {
  const missing = (type: string, value: Json | undefined) => isMissing(readComponent({ name: 'c', schema: { f: { type } } }).fields[0], value);
  const link = (more: JsonObject) => ({ fieldtype: 'multilink', id: '', url: '', cached_url: '', ...more });
  for (const [type, value] of [['text', undefined], ['text', ' '], ['options', []], ['asset', { filename: '' }], ['asset', {}], ['multilink', link({})], ['multilink', link({ linktype: 'url', id: 'x' })], ['richtext', { type: 'doc', content: [{ type: 'paragraph' }] }]] as const) {
    assert.equal(missing(type, value), true, JSON.stringify(value));
  }
  for (const [type, value] of [['number', 0], ['boolean', false], ['asset', { filename: 'x' }], ['multilink', link({ linktype: 'email', email: 'x' })], ['richtext', { type: 'doc', content: [{ type: 'blok', attrs: { body: [{}] } }] }], ['custom', {}]] as const) {
    assert.equal(missing(type, value), false, JSON.stringify(value));
  }
});
