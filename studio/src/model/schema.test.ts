import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readField, readSchemas } from './components.ts';
import { fieldOf, languageOf, memberOf } from './schema.ts';

const component = (name: string, more: object = {}) => ({ name, ...more });

test('fields are in the order of their positions, and an unknown type stays one', () => {
  const schemas = readSchemas({ components: [component('page', { schema: { c: { type: 'text' }, b: { type: 'hologram', pos: '2' }, a: { type: 'bloks', pos: 0 }, odd: null } })] });
  assert.deepEqual(schemas.component('page')!.fields.map(({ name, type }) => [name, type]), [['a', 'bloks'], ['b', 'unknown'], ['c', 'text'], ['odd', 'unknown']]);
});

test('numbers may be texts, switches too, and what is empty is absent', () => {
  const field = readField('f', { type: 'text', max_length: '', maxlength: '12', required: 'true', translatable: 1, regex: ' ', description: '' });
  assert.ok(field.type === 'text');
  assert.deepEqual([field.max_length, field.min_length, field.required, field.translatable, field.regex, field.description], [12, undefined, true, true, null, null]);
  const number = readField('n', { type: 'number', min_value: 0, max_value: '9.5', decimals: 'x' });
  assert.ok(number.type === 'number');
  assert.deepEqual([number.min_value, number.max_value, number.decimals], [0, 9.5, undefined]);
});

test('options say where they come from', () => {
  const read = (raw: object) => {
    const field = readField('o', { type: 'options', ...raw });
    return field.type === 'options' ? field : assert.fail();
  };
  assert.deepEqual(read({ options: [{ name: 'A', value: 'a' }, { value: 2 }, { name: 'no value' }, null], max_options: '3' }).options, [{ name: 'A', value: 'a' }, { name: '2', value: '2' }]);
  assert.deepEqual(['internal', 'internal_stories', 'internal_languages', 'external', '', 'x'].map((source) => read({ source }).source), ['datasource', 'stories', 'languages', 'external', 'self', 'self']);
  assert.deepEqual(read({ filter_content_type: 'post' }).filter_content_type, ['post']);
  assert.deepEqual([read({ max_options: '3' }).maximum, read({ max_options: 0 }).maximum], [3, undefined]);
});

test('a list takes the blocks that its restriction allows', () => {
  const schemas = readSchemas({
    components: [component('a', { component_group_uuid: 'inner' }), component('b', { internal_tags_list: [{ id: 5, name: 'wide' }] }), component('A')],
    component_groups: [{ uuid: 'outer', name: 'Outer', parent_uuid: null }, { uuid: 'inner', name: 'Inner', parent_uuid: 'outer' }, { uuid: 'circle', parent_uuid: 'circle' }],
  });
  const allowed = (raw: object) => {
    const field = readField('body', { type: 'bloks', restrict_components: true, ...raw });
    return field.type === 'bloks' ? schemas.all().filter((one) => schemas.allows(field.restriction, one)).map(({ name }) => name) : assert.fail();
  };
  assert.deepEqual(allowed({ component_whitelist: ['a'] }), ['a'], 'names differ by case');
  assert.deepEqual(allowed({ component_whitelist: [] }), ['a', 'b', 'A']);
  assert.deepEqual(allowed({ component_denylist: ['a'] }), ['b', 'A']);
  assert.deepEqual(allowed({ restrict_components: false, component_whitelist: ['a'] }), ['a', 'b', 'A']);
  assert.deepEqual(allowed({ restrict_type: 'groups', component_group_whitelist: ['outer'] }), ['a'], 'with its subgroups');
  assert.deepEqual(allowed({ restrict_type: 'tags', component_tag_whitelist: [5] }), ['b']);
});

test('an answer of any shape is read', () => {
  for (const answer of [undefined, null, [], 'x', { components: {} }, { components: [null, {}, { name: 'a', schema: [], all_presets: [{}], internal_tags_list: 'x' }], component_groups: [1] }]) {
    assert.ok(readSchemas(answer).all().length <= 1);
  }
});

test('a member is a field in a language', () => {
  assert.equal(fieldOf('title__i18n__fr_fr'), 'title');
  assert.equal(memberOf('title', 'fr-fr'), 'title__i18n__fr_fr');
  assert.equal(memberOf('title', ''), 'title');
  assert.deepEqual(['title__i18n__fr_fr', 'title__i18n__de', 'title', 'title__i18n__gone'].map((member) => languageOf(member, ['de', 'fr-fr'])), ['fr-fr', 'de', '', '']);
});
