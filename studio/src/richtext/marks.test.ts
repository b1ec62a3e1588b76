// Marks with a value, over several texts: with, without, and with different ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EditorState, TextSelection, type Command } from 'prosemirror-state';
import type { Json, JsonObject } from '../model/json.ts';
import { isUnknown, readDocument, writeDocument } from './document.ts';
import { documents } from './generated.ts';
import { attributeAt, attributesAt, setMark, setMarkAttribute } from './marks.ts';
import { schema } from './schema.ts';

const { link, anchor, textStyle, highlight, styled } = schema.marks as Record<string, (typeof schema.marks)[string]> & typeof schema.marks;
const doc = (...content: Json[]): JsonObject => ({ type: 'doc', content });
const paragraph = (...content: Json[]): JsonObject => ({ type: 'paragraph', content });
const text = (words: string, ...marks: Json[]): JsonObject => (marks.length > 0 ? { type: 'text', text: words, marks } : { type: 'text', text: words });
const mark = (type: string, attrs: JsonObject, others: JsonObject = {}): JsonObject => ({ type, attrs, ...others });

function stateOf(document: JsonObject, from: number, to: number): EditorState {
  const state = EditorState.create({ doc: readDocument(document) });
  return state.apply(state.tr.setSelection(TextSelection.create(state.doc, from, to)));
}

function after(document: JsonObject, from: number, to: number, command: Command): JsonObject {
  let state = stateOf(document, from, to);
  command(state, (tr) => (state = state.apply(tr)));
  return writeDocument(state.doc).value;
}

const bold = { type: 'bold' };
const old = mark('link', { href: '/a', linktype: 'story', uuid: 'u', story: 'kept' }, { extra: 1 });
const other = mark('link', { href: 'https://b.example.org', linktype: 'url', uuid: null, anchor: null, target: null });
/** a|link|-and-|other|, and one more line. */
const linked = doc(paragraph(text('a '), text('link', old), text(' and ', bold), text('other', other)), paragraph(text('second '), text('line', other)));

test('a link set over plain text and other links is one link over all of it, and nothing beyond it changes', () => {
  const set = setMark(link!, { ...(old.attrs as JsonObject), href: '/new' });
  const made = { ...old, attrs: { ...(old.attrs as JsonObject), href: '/new' } };
  // From within the first link to within the other one.
  assert.deepEqual(attributesAt(stateOf(linked, 5, 14), link!), old.attrs);
  assert.deepEqual(after(linked, 5, 14, set), doc(
    paragraph(text('a '), text('li', old), text('nk', made), text(' and ', made, bold), text('ot', made), text('her', other)), (linked.content as Json[])[1]!,
  ));
  const whole = after(linked, 1, 30, set);
  assert.equal(JSON.stringify(whole).includes('b.example.org'), false);
  assert.equal(JSON.stringify(whole).split('"/new"').length - 1, 4);
});

test('links are removed from all lines that are selected, and from no word beside them', () => {
  assert.deepEqual(after(linked, 1, 30, setMark(link!, undefined)), doc(paragraph(text('a link'), text(' and ', bold), text('other')), paragraph(text('second line'))));
  assert.deepEqual(after(linked, 5, 14, setMark(link!, undefined)), doc(
    paragraph(text('a '), text('li', old), text('nk'), text(' and ', bold), text('ot'), text('her', other)), (linked.content as Json[])[1]!,
  ));
  // The cursor in one means that one.
  assert.deepEqual(after(linked, 14, 14, setMark(link!, undefined)), doc(paragraph(text('a '), text('link', old), text(' and ', bold), text('other')), (linked.content as Json[])[1]!));
});

test('a colour set over several texts keeps what else each of them has, and all of it can be removed', () => {
  const red = mark('textStyle', { color: 'red', class: 'big' }, { extra: 1 });
  const named = mark('textStyle', { id: 'x', 'data-own': 2 });
  const green = mark('textStyle', { color: 'green' });
  const line = doc(paragraph(text('one ', red), text('two '), text('three ', named, bold)), paragraph(text('four', green)));
  assert.equal(attributeAt(stateOf(line, 6, 20), textStyle!, 'color'), 'green');
  assert.equal(attributeAt(stateOf(line, 6, 14), textStyle!, 'color'), undefined);
  const blue = (attrs: JsonObject, others: JsonObject = {}) => mark('textStyle', { ...attrs, color: 'blue' }, others);
  assert.deepEqual(after(line, 1, 19, setMarkAttribute(textStyle!, 'color', 'blue')), doc(
    paragraph(text('one ', blue({ color: '', class: 'big' }, { extra: 1 })), text('two ', blue({})), text('three ', bold, blue({ id: 'x', 'data-own': 2 }))), paragraph(text('fo', blue({})), text('ur', green)),
  ));
  assert.deepEqual(after(line, 1, 21, setMarkAttribute(textStyle!, 'color', null)), doc(
    paragraph(text('one ', mark('textStyle', { color: null, class: 'big' }, { extra: 1 })), text('two '), text('three ', named, bold)), paragraph(text('four')),
  ));
});

test('one text with several colours has one then; what is behind words goes as a whole; a style takes the place of others', () => {
  const line = doc(paragraph(text('one', mark('textStyle', { class: 'big' }), mark('textStyle', { color: 'red' }), mark('textStyle', { color: 'green' }))));
  assert.deepEqual(after(line, 1, 4, setMarkAttribute(textStyle!, 'color', 'blue')), doc(paragraph(text('one', mark('textStyle', { class: 'big' }), mark('textStyle', { color: 'blue' })))));
  const behind = doc(paragraph(text('one', mark('highlight', { color: 'red', 'data-own': 1 })), text(' two')));
  assert.deepEqual(after(behind, 1, 6, setMarkAttribute(highlight!, 'color', null)), doc(paragraph(text('one two'))));
  const looks = doc(paragraph(text('one', mark('styled', { class: 'a', 'data-own': 1 })), text(' two')));
  assert.deepEqual(after(looks, 1, 8, setMarkAttribute(styled!, 'class', 'b')), doc(paragraph(text('one', mark('styled', { class: 'b', 'data-own': 1 })), text(' two', mark('styled', { class: 'b' })))));
  const places = doc(paragraph(text('one', mark('anchor', { id: 'a' })), text(' two', mark('anchor', { id: 'b' }))));
  assert.deepEqual(after(places, 1, 8, setMark(anchor!, { id: 'c' })), doc(paragraph(text('one two', mark('anchor', { id: 'c' })))));
});

test('a colour that is chosen before words are typed is that of the words, also when another one is chosen', () => {
  let state = stateOf(doc(paragraph(text('a'))), 2, 2);
  for (const colour of ['red', 'blue']) setMarkAttribute(textStyle!, 'color', colour)(state, (tr) => (state = state.apply(tr)));
  state = state.apply(state.tr.insertText('b'));
  assert.deepEqual(writeDocument(state.doc).value, doc(paragraph(text('a'), text('b', mark('textStyle', { color: 'blue' })))));
});

test('whatever is selected has the mark then, and what is beside it is what it was', () => {
  const place = fc.tuple(documents(), fc.nat(), fc.nat(), fc.constantFrom(link!, anchor!, textStyle!, highlight!, styled!), fc.boolean());
  fc.assert(fc.property(place, ([document, one, other, type, isSet]) => {
    const start = readDocument(document);
    const at = (pos: number) => start.resolve(pos % (start.content.size + 1));
    const selection = TextSelection.between(at(one), at(other));
    if (!(selection instanceof TextSelection) || selection.empty) return;
    let state = EditorState.create({ doc: start, selection });
    const { from, to } = selection;
    const [name] = Object.keys(type.spec.attrs!) as [string];
    const command = type === link || type === anchor ? setMark(type, isSet ? { [name]: 'new' } : undefined) : setMarkAttribute(type, type === styled ? 'class' : 'color', isSet ? 'new' : null);
    command(state, (tr) => (state = state.apply(tr)));
    state.doc.nodesBetween(from, to, (node) => {
      if (node.isInline && !isUnknown(node)) assert.equal(node.marks.filter((mark) => mark.type === type && Object.values(mark.attrs).includes('new')).length, isSet ? 1 : 0);
    });
    assert.ok(state.doc.slice(0, from).eq(start.slice(0, from)));
    assert.ok(state.doc.slice(to).eq(start.slice(to)));
  }), { numRuns: 1000 });
});
