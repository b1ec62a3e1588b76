import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isEqual, type Json, type JsonObject } from './json.ts';
import { readLink, writeLink } from './links.ts';
import { memberLabel, membersOf } from './plugins.ts';
import { cellText, readTable, withTexts } from './tables.ts';
import { emptyValue, hasLines, isOfType, numberText, Original, shownLines, shownText, writtenNumber, writtenText } from './values.ts';

const value = fc.option(fc.jsonValue() as fc.Arbitrary<Json>, { nil: undefined });

test('a value belongs to its type, or it is for the JSON view', () => {
  const cases: [Parameters<typeof isOfType>[0], Json | undefined, boolean][] = [
    ['text', 'a', true], ['text', undefined, true], ['text', null, true], ['text', 3, false], ['text', {}, false],
    ['number', '12.5', true], ['number', 4, true], ['number', '12px', true], ['number', '', true], ['number', true, false], ['number', [], false],
    ['boolean', true, true], ['boolean', undefined, true], ['boolean', 'true', false], ['boolean', 0, false],
    ['datetime', '2022-07-13 18:57', true], ['datetime', '12/30/2022', true], ['datetime', 20220713, false],
    ['option', 'red', true], ['option', 7, true], ['option', ['red'], false],
    ['options', ['a', 'b'], true], ['options', [169267488], true], ['options', [], true], ['options', null, true], ['options', '1 2', false], ['options', [['a']], false], ['options', [null], false],
    ['markdown', '# A', true], ['asset', {}, true], ['asset', '//a.test/b.png', true], ['asset', { fieldtype: 'multilink' }, false], ['asset', { filename: 3 }, false], ['image', [], false], ['multiasset', ['/a.png', { filename: null }], true], ['multiasset', '', true], ['multiasset', 'a.png', false], ['multiasset', [null], false], ['richtext', { type: 'doc' }, true], ['richtext', '', true], ['richtext', 'plain', true], ['richtext', { type: 'paragraph' }, true], ['custom', 'x', false], ['unknown', 'x', false], ['section', undefined, false], ['tab', undefined, false],
  ];
  for (const [type, one, isRight] of cases) assert.equal(isOfType(type, one), isRight, `${type} ${JSON.stringify(one)}`);
});

test('the values that the hosted service documents have an editor each', () => {
  const uid = '5c3f0ac1-8d1a-4a5e-9d61-111111111111';
  const documented: [Parameters<typeof isOfType>[0], Json][] = [
    ['text', 'a'], ['textarea', 'a\nb'], ['markdown', '# a'], ['number', '42'], ['number', 42], ['boolean', false], ['datetime', '2026-01-02 03:04'], ['datetime', ''],
    ['option', 'red'], ['option', uid], ['options', ['a', uid]],
    ['multilink', { fieldtype: 'multilink', linktype: 'story', id: uid, url: '', cached_url: 'blog/first-post', target: '_self', anchor: null, rel: '', title: '', email: '' }],
    ['table', { fieldtype: 'table', thead: [{ _uid: uid, component: '_table_head', value: 'a' }], tbody: [{ _uid: uid, component: '_table_row', body: [{ _uid: uid, component: '_table_col', value: 'b' }] }] }],
    ['table', { thead: [{ value: 'a' }], tbody: [{ body: [{ value: 'b' }] }] }],
    ['custom', { _uid: uid, plugin: 'colour', hue: 210 }],
  ];
  for (const [type, one] of documented) assert.equal(isOfType(type, one), true, `${type} ${JSON.stringify(one)}`);
});

test('what an editor takes it can read, whatever stands in it', () => {
  const types: Parameters<typeof isOfType>[0][] = ['multilink', 'table', 'custom'];
  const spoilt = fc.oneof(value, fc.dictionary(fc.constantFrom('linktype', 'id', 'url', 'anchor', 'thead', 'tbody', 'plugin', 'x'), fc.oneof(fc.constantFrom<Json>('story', 'url', [], [{ body: [{ value: 1 }] }], [{ value: 'a' }]), fc.jsonValue() as fc.Arbitrary<Json>)));
  fc.assert(fc.property(fc.constantFrom(...types), spoilt, (type, one) => {
    if (!isOfType(type, one)) return;
    if (type === 'multilink') assert.equal(writeLink(one, readLink(one)), one);
    if (type === 'table') assert.equal(cellText(readTable(one), 0, 0), cellText(readTable(withTexts(one, 5, 5, [['a']])), 0, 0));
    if (type === 'custom') assert.ok(membersOf(one as JsonObject).length > 0);
  }));
});

test('a member of a plugin has a name that can be read', () => {
  for (const name of ['title', 'a b', 'größe', '__proto__', '𝒳', 'a.b/c']) assert.equal(memberLabel(name), name);
  for (const name of ['', ' ', 'a ', 'a  b', 'a\nb', '\u202e', '\u0001']) assert.equal(memberLabel(name), JSON.stringify(name));
});

test('a number is typed as people type it, and written as JSON writes it', () => {
  const cases: [string, string | undefined][] = [
    ['12', '12'], [' 1.50 ', '1.50'], ['1,5', '1.5'], [',5', '.5'], ['+3', '3'], ['-0.25', '-0.25'], ['1e5', '1e5'],
    ['1.', '1'], ['-2,', '-2'], ['.', undefined], ['1,000,000', undefined], ['1.000,5', undefined], ['12px', undefined], ['', undefined], ['-', undefined], ['Infinity', undefined], ['1e999', undefined], ['0x10', undefined],
  ];
  for (const [typed, text] of cases) assert.equal(numberText(typed), text, typed);
});

test('a number that is typed back is as it was, and one that means something else in another language is not taken', () => {
  const cases: [Json | undefined, string, 'en' | 'de', string | undefined][] = [
    [' 12 ', ' 12 ', 'en', ' 12 '], ['12px', '12px', 'en', '12px'], ['1,000', '1,000', 'en', '1,000'], [4, ' ', 'en', ''], [undefined, '', 'de', ''],
    [4, '1e3', 'en', '1e3'], [4, '1,5', 'en', '1.5'], [4, '1,5', 'de', '1.5'], [4, '1,000', 'en', undefined], [4, '-12,500', 'en', undefined], [4, '1,250', 'de', '1.250'], [4, '1000,125', 'en', '1000.125'], [4, 'x', 'de', undefined],
  ];
  for (const [before, typed, language, written] of cases) assert.equal(writtenNumber(before, typed, language), written, `${JSON.stringify(before)} ${typed} ${language}`);
  // Whatever stood in the field, also what is no number: typing it again gives it back.
  fc.assert(fc.property(value, (before) => assert.equal(writtenText(before, writtenNumber(before, shownText(before), 'en')!), before)));
});

test('a value keeps its kind, and what is new is text', () => {
  const cases: [Json | undefined, string, Json | undefined][] = [
    [4, '5', 5], [4, '5.5', 5.5], [4, '', ''], [4, 'red', 'red'], ['4', '5', '5'], [undefined, '5', '5'], [null, '5', '5'], ['', '5', '5'],
    ['red', '', ''], [undefined, '', undefined], [null, '', null], ['', '', ''], [4, '4', 4],
  ];
  for (const [before, typed, written] of cases) assert.equal(writtenText(before, typed), written, `${JSON.stringify(before)} ${typed}`);
});

test('line ends stay of the kind that a text had, and a field of several lines gives the first ones back', () => {
  const cases: [string, string, string][] = [['a\r\nb', 'a\nbc\nd', 'a\r\nbc\r\nd'], ['a\nb', 'a\nbc', 'a\nbc'], ['a\r\nb\nc', 'a\nb\nx', 'a\nb\nx'], ['a', 'a\nb', 'a\nb'], ['a\r\nb', 'ab', 'ab']];
  for (const [before, typed, written] of cases) assert.equal(writtenText(before, typed), written, JSON.stringify(before));
  fc.assert(fc.property(fc.array(fc.constantFrom('a', '\r\n', '\n', '\r', ' ')).map((all) => all.join('')), (before) => assert.equal(writtenText(before, shownLines(before)), before)));
  assert.deepEqual(['a\nb', '\r', 'ab', '', null, 5, undefined].map(hasLines), [true, true, false, false, false, false, false]);
});

test('typing the first text again gives the first value, whatever was typed between', () => {
  fc.assert(fc.property(value, fc.array(fc.string()), (first, typing) => {
    let held = first;
    const original = new Original(() => held);
    for (const text of [...typing, shownText(first)]) held = original.write(writtenText(original.before, text));
    assert.equal(held, first);
  }));
});

test('a value that comes from elsewhere is a new beginning', () => {
  let held: Json | undefined = 'a';
  const original = new Original(() => held);
  const type = (text: string) => (held = original.write(writtenText(original.before, text)));
  type('ab');
  assert.equal(original.isOwn, true);
  held = 7;
  assert.equal(original.isOwn, false);
  type('8');
  assert.equal(held, 8);
  type('7');
  assert.equal(held, 7);
});

test('any value of any type has an editor, or is JSON that keeps it', () => {
  const types = ['text', 'textarea', 'markdown', 'number', 'boolean', 'datetime', 'option', 'options', 'bloks', 'richtext', 'section', 'tab', 'custom', 'asset', 'multiasset', 'multilink', 'table', 'image', 'file', 'unknown'] as const;
  fc.assert(fc.property(fc.constantFrom(...types), value, (type, one) => {
    if (!isOfType(type, one) && one !== undefined) assert.ok(isEqual(JSON.parse(JSON.stringify(one, null, 2)) as Json, one));
    else if (isOfType(type, one)) assert.equal(writtenText(one, shownText(one)), one);
  }), { numRuns: 1_000 });
});

test('any value is shown as text, and an emptied one is of its type again', () => {
  fc.assert(fc.property(value, (one) => void shownText(one)));
  const types = ['text', 'textarea', 'markdown', 'number', 'datetime', 'option', 'options', 'boolean'] as const;
  for (const type of types) assert.ok(isOfType(type, emptyValue(type)), type);
  assert.deepEqual([emptyValue('text'), emptyValue('options'), emptyValue('bloks'), emptyValue('custom')], ['', [], [], undefined]);
});
