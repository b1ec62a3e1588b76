import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readField } from '../model/components.ts';
import type { Json, JsonObject } from '../model/json.ts';
import de from '../texts/de.ts';
import en from '../texts/en.ts';
import { pictureOf, summaryOf } from './summary.ts';

const field = (type: string, more: JsonObject = {}) => readField('field', { type, ...more });
const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] });

test('a value is told in a few words', () => {
  const cases: [string, Json | undefined, string][] = [
    ['text', 'Hello', 'Hello'], ['text', undefined, ''], ['text', '', ''], ['number', 4, '4'], ['boolean', false, 'No'], ['text', { a: 1 }, '{"a":1}'],
    ['asset', { filename: 'https://a.example.org/f/1/2x3/abc/crane.png' }, 'crane.png'], ['asset', '//a.example.org/f/1/crane.png/m/600x0', 'crane.png'], ['asset', { filename: null }, '{"filename":null}'],
    ['multiasset', [{ filename: 'a/one.png' }, { filename: 'a/two.pdf' }], 'one.png, two.pdf'],
    ['multilink', { linktype: 'story', id: 'x', cached_url: 'blog/first', anchor: 'top' }, 'blog/first#top'], ['multilink', { linktype: 'email', email: 'a@example.org', url: '' }, 'a@example.org'], ['multilink', 'https://example.org', 'https://example.org'],
    ['richtext', { type: 'doc', content: [paragraph('The harbour'), paragraph('wakes early.')] }, 'The harbour wakes early.'],
    ['richtext', { type: 'doc', content: [paragraph('A'), { type: 'blok', attrs: { id: 'x', body: [{}, {}] } }] }, 'A · 2 blocks'],
    ['bloks', [{}], '1 block'], ['table', { thead: [1, 2], tbody: [1, 2, 3] }, '3 rows, 2 columns'], ['custom', { plugin: 'colour', hue: 1 }, 'Plugin colour'],
  ];
  for (const [type, value, words] of cases) assert.equal(summaryOf(field(type), value, en), words, `${type} ${JSON.stringify(value)}`);
  assert.equal(summaryOf(field('boolean'), true, de), 'Ja');
  assert.equal(summaryOf(field('options', { options: [{ name: 'Red', value: 'r' }] }), ['r', 'x'], en), 'Red, x');
});

test('it is short, for any value of any type and any depth', () => {
  const types = ['text', 'number', 'boolean', 'datetime', 'option', 'options', 'bloks', 'asset', 'multiasset', 'multilink', 'richtext', 'table', 'custom', 'image', 'file', 'section', 'tab', 'nonsense'];
  fc.assert(fc.property(fc.constantFrom(...types), fc.jsonValue() as fc.Arbitrary<Json>, (type, value) => {
    assert.ok(summaryOf(field(type), value, en).length <= 160);
    pictureOf(field(type), value);
  }), { numRuns: 1_000 });
  let deep: Json = paragraph('deep');
  for (let level = 0; level < 2_000; level++) deep = { type: 'bullet_list', content: [deep] };
  assert.equal(summaryOf(field('richtext'), deep, en), 'deep');
});

test('a picture has an address that can be shown', () => {
  const cases: [string, Json, string | undefined][] = [
    ['asset', { filename: 'https://a.example.org/crane.PNG' }, 'https://a.example.org/crane.PNG'], ['image', '//a.example.org/crane.jpg', 'https://a.example.org/crane.jpg'],
    ['asset', { filename: '/f/1/crane.webp/m/200x0' }, '/f/1/crane.webp/m/200x0'], ['asset', { filename: 'https://a.example.org/plan.pdf' }, undefined],
    ['asset', { filename: 'javascript:alert(1)//a.png' }, undefined], ['text', 'https://a.example.org/crane.png', undefined], ['multiasset', [], undefined],
  ];
  for (const [type, value, address] of cases) assert.equal(pictureOf(field(type), value), address, JSON.stringify(value));
});
