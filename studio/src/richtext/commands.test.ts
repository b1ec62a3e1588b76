// What the tools do, and that as many undos as there were steps bring back what was there: the draft has the undo, so that it is one with all other fields.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EditorState, NodeSelection, TextSelection, type Command } from 'prosemirror-state';
import { Draft } from '../draft/draft.ts';
import { isEqual, type Json, type JsonObject } from '../model/json.ts';
import { Schemas } from '../model/schema.ts';
import { ALIGN_TOOLS, DIRECTION_TOOLS, LINE_TOOLS, LIST_TOOLS, MARK_TOOLS, type Tool } from '../model/toolbar.ts';
import { blokCommand } from './bloks.ts';
import { breakLine, commandOf, indent, insertBlock, isOn, outdent, selectBeside, splitItem, splitLine } from './commands.ts';
import { replaceDifference } from './difference.ts';
import { readDocument, writeDocument } from './document.ts';
import { documents, edit, someSteps } from './generated.ts';
import { attributesAt, setMark, setMarkAttribute } from './marks.ts';
import { schema } from './schema.ts';
import { isWellFormed } from './structure.ts';
import { TABLES } from './tablework.ts';

const doc = (...content: Json[]): JsonObject => ({ type: 'doc', content });
const paragraph = (...content: Json[]): JsonObject => ({ type: 'paragraph', content });
const text = (words: string, ...marks: Json[]): JsonObject => (marks.length > 0 ? { type: 'text', text: words, marks } : { type: 'text', text: words });
const blok = (id: string): JsonObject => ({ type: 'blok', attrs: { id, body: [{ _uid: id, component: 'teaser' }] } });

/** The document after a command, where these characters are selected. */
function after(document: JsonObject, from: number, to: number, ...commands: readonly Command[]): JsonObject {
  let state = EditorState.create({ doc: readDocument(document) });
  state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, from, to)));
  for (const command of commands) command(state, (tr) => (state = state.apply(tr)));
  return writeDocument(state.doc).value;
}

test('random commands keep the document right, and as many undos bring it back', () => {
  fc.assert(fc.property(documents(), someSteps(), (document, steps) => {
    let now = 0;
    const content = { _uid: 'root', component: 'article', text: document };
    const draft = new Draft({ revision: 1, content }, new Schemas(), () => (now += 10_000));
    edit(draft, draft.root, 'text', steps);
    assert.deepEqual(draft.content(), content);
  }), { numRuns: 2000 });
});

test('a column beside a cell that spans rows is moved, and selected where it is then', () => {
  const cell = (words: string, attrs?: JsonObject): JsonObject => ({ type: 'tableCell', ...(attrs && { attrs }), content: [paragraph(text(words))] });
  const row = (...content: Json[]): JsonObject => ({ type: 'tableRow', content });
  const document = doc({ type: 'table', content: [row(cell('a', { rowspan: 2 }), cell('b')), row(cell('c'))] });
  const words = (value: JsonObject) => JSON.stringify(value).match(/"text":"\w"/g)?.join('').replace(/"text":"(\w)"/g, '$1');
  assert.equal(words(after(document, 5, 5, TABLES.acts.columnRight)), 'bac');
  assert.equal(words(after(document, 5, 5, TABLES.acts.columnRight, TABLES.acts.columnLeft)), 'abc');
});

test('a row is put through a cell that spans columns, and has cells beside it', () => {
  const cell = (...spans: number[]): JsonObject => ({ type: 'tableCell', attrs: { colspan: spans[0] ?? 1, rowspan: spans[1] ?? 1, colwidth: null }, content: [{ type: 'paragraph' }] });
  const row = (...content: Json[]): JsonObject => ({ type: 'tableRow', content });
  const document = doc({ type: 'table', content: [row(cell(2, 2), cell()), row(cell())] });
  // The cursor is in the small cell of the first row.
  assert.deepEqual(after(document, 8, 8, TABLES.acts.rowAfter), doc({ type: 'table', content: [row(cell(2, 3), cell()), row(cell()), row(cell())] }));
});

test('each tool is on where it was used, and off where it was used twice', () => {
  const line = doc(paragraph(text('one')));
  for (const tool of [...MARK_TOOLS, 'h2', 'code', ...LIST_TOOLS, 'align-center', ...DIRECTION_TOOLS] as const) {
    let state = EditorState.create({ doc: readDocument(line) });
    state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 1, 4)));
    assert.equal(isOn(state, tool), false, tool);
    commandOf(tool)!(state, (tr) => (state = state.apply(tr)));
    assert.equal(isOn(state, tool), true, tool);
  }
  for (const tool of [...MARK_TOOLS, ...LIST_TOOLS, ...DIRECTION_TOOLS] as const) assert.deepEqual(after(line, 1, 4, commandOf(tool)!, commandOf(tool)!), line, tool);
  const aligned = doc({ type: 'paragraph', attrs: { textAlign: 'center' }, content: [text('one')] });
  assert.deepEqual(after(aligned, 1, 1, commandOf('h2')!), doc({ type: 'heading', attrs: { level: 2, textAlign: 'center' }, content: [text('one')] }));
  assert.deepEqual(after(aligned, 1, 1, commandOf('align-left')!), doc(paragraph(text('one'))));
});

test('a line is divided by Enter, and keeps how it is laid out; what is not known of it stays with the first part', () => {
  const line = doc({ type: 'heading', attrs: { level: 3, dir: 'rtl', 'data-own': 1 }, content: [text('onetwo')] });
  assert.deepEqual(after(line, 4, 4, splitLine), doc(
    { type: 'heading', attrs: { level: 3, dir: 'rtl', 'data-own': 1 }, content: [text('one')] }, { type: 'heading', attrs: { level: 3, dir: 'rtl' }, content: [text('two')] },
  ));
  assert.deepEqual(after(line, 7, 7, splitLine), doc(...(line.content as Json[]), { type: 'paragraph', attrs: { dir: 'rtl' } }));
});

test('items go into the one before, but not where the list in that ends with something unknown', () => {
  const item = (...content: Json[]): JsonObject => ({ type: 'list_item', content });
  const list = (...content: Json[]): JsonObject => ({ type: 'bullet_list', content });
  const one = (last: JsonObject) => item(paragraph(text('one')), list(last));
  const [two, three] = [item(paragraph(text('two')), list(item(paragraph(text('in'))))), item(paragraph(text('three')))];
  /** From within the list in the second item to the third: both are meant. */
  const indented = (first: JsonObject) => {
    const document = doc(list(first, two, three));
    const start = 1 + readDocument(doc(list(first))).firstChild!.firstChild!.nodeSize;
    return { document, value: after(document, start + 9, start + 17, indent) };
  };
  const unknown = indented(one({ type: 'strange' }));
  assert.deepEqual(unknown.value, unknown.document);
  const known = item(paragraph(text('last')));
  assert.deepEqual(indented(one(known)).value, doc(list(item(paragraph(text('one')), list(known, two, three)))));
});

test('Enter over everything that has lines leaves none, and nothing fails', () => {
  const image = { type: 'image' };
  const item = (...content: Json[]): JsonObject => ({ type: 'list_item', content });
  const whole = readDocument(doc(image, { type: 'ordered_list', content: [item(), item(paragraph(image))] }));
  for (let to = 0; to <= whole.content.size; to += 1) {
    let state = EditorState.create({ doc: whole });
    state = state.apply(state.tr.setSelection(TextSelection.between(whole.resolve(0), whole.resolve(to))));
    splitLine(state, (tr) => (state = state.apply(tr)));
    state.doc.check();
  }
});

test('all of a link is meant wherever the cursor stands in it, and what is not known of it stays', () => {
  const old = { type: 'link', attrs: { href: '/a', linktype: 'story', uuid: 'u', story: 'kept' }, extra: 1 };
  const line = doc(paragraph(text('a '), text('link', old), text(' here', old, { type: 'bold' }), text(' b')));
  for (const at of [3, 5, 9, 12]) {
    const state = EditorState.create({ doc: readDocument(line), selection: TextSelection.create(readDocument(line), at) });
    assert.deepEqual(attributesAt(state, schema.marks.link!), old.attrs);
    const changed = { ...old, attrs: { ...old.attrs, href: '/b' } };
    assert.deepEqual(after(line, at, at, setMark(schema.marks.link!, changed.attrs)), doc(paragraph(text('a '), text('link', changed), text(' here', changed, { type: 'bold' }), text(' b'))));
    assert.deepEqual(after(line, at, at, setMark(schema.marks.link!, undefined)), doc(paragraph(text('a link'), text(' here', { type: 'bold' }), text(' b'))));
  }
});

test('a list is quoted as a whole, and the quote is taken off it as a whole', () => {
  const item = (...content: Json[]): JsonObject => ({ type: 'list_item', content });
  const list = (...content: Json[]): JsonObject => ({ type: 'bullet_list', content });
  const quote = (...content: Json[]): JsonObject => ({ type: 'blockquote', content });
  const [one, two] = [item(paragraph(text('one')), list(item(paragraph(text('in'))))), item(paragraph(text('two')))];
  const [first, last] = [paragraph(text('a')), paragraph(text('z'))];
  const toggle = commandOf('quote')!;
  const listed = doc(first, list(one, two), last);
  const inQuote = doc(first, quote(list(one, two)), last);
  /** Behind the first letter of a word. */
  const at = (document: JsonObject, word: string) => {
    let place = 0;
    readDocument(document).descendants((node, pos) => void (node.text === word && (place = pos + 1)));
    return place;
  };
  const on = (document: JsonObject, from: string, to = from) => after(document, at(document, from), at(document, to), toggle);
  for (const [from, to] of [['one', 'one'], ['in', 'in'], ['two', 'two'], ['one', 'two'], ['in', 'two']] as const) {
    assert.deepEqual(on(listed, from, to), inQuote, `${from} ${to}`);
    assert.deepEqual(on(inQuote, from, to), listed, `${from} ${to}`);
  }
  assert.deepEqual(on(listed, 'a', 'two'), doc(quote(first, list(one, two)), last));
  // Of a quote goes what is selected; one that is in an item is taken off there.
  assert.deepEqual(on(doc(quote(first, list(one, two), last)), 'two'), doc(quote(first), list(one, two), quote(last)));
  const within = item(paragraph(text('b')), quote(paragraph(text('said'))));
  assert.deepEqual(on(doc(list(within)), 'said'), doc(list(item(paragraph(text('b')), paragraph(text('said'))))));
  assert.deepEqual(on(doc(list(within)), 'b'), doc(quote(list(within))));
  // Partly within a quote: all of it is quoted.
  assert.deepEqual(on(doc(quote(first), last), 'a', 'z'), doc(quote(quote(first), last)));
  // In the cell of a table it is the cell's, and a table in a quote comes out of it.
  const table = (...content: Json[]): JsonObject => ({ type: 'table', content: [{ type: 'tableRow', content: [{ type: 'tableCell', attrs: { colspan: 1, rowspan: 1, colwidth: null }, content }] }] });
  assert.deepEqual(on(doc(list(item(first, table(list(two)))), last), 'two'), doc(list(item(first, table(quote(list(two))))), last));
  assert.deepEqual(on(doc(quote(table(list(two))), last), 'two'), doc(table(list(two)), last));
});

test('Backspace beside blocks selects them first; they move as a whole, and keep their keys', () => {
  const document = doc(paragraph(text('a')), blok('x'), paragraph(text('b')));
  let state = EditorState.create({ doc: readDocument(document, [7]) });
  state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 5)));
  assert.ok(selectBeside(-1)(state, (tr) => (state = state.apply(tr))));
  assert.ok(state.selection instanceof NodeSelection && state.selection.node.type === schema.nodes.blok);
  assert.equal(writeDocument(state.doc).value, document);
  for (const [act, order] of [['up', ['blok', 'paragraph', 'paragraph']], ['down', ['paragraph', 'paragraph', 'blok']]] as const) {
    blokCommand(act, 3)(state, (tr) => {
      const moved = writeDocument(state.apply(tr).doc);
      assert.deepEqual((moved.value.content as JsonObject[]).map(({ type }) => type), order);
      assert.deepEqual(moved.nodes, [7]);
    });
  }
});
