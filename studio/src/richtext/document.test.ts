// Rich text goes into the editor and comes out unharmed: whatever is in it, and whatever is done elsewhere in it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EditorState } from 'prosemirror-state';
import { isList, isObject, type Json, type JsonObject } from '../model/json.ts';
import { readDocument, writeDocument, writeNode } from './document.ts';
import { documents } from './generated.ts';
import { schema } from './schema.ts';
import { contentOf, knownType } from './types.ts';
import { isWellFormed, repairDocument } from './structure.ts';

/** A copy that shares nothing, so that nothing is found again by what object it is. */
const copy = <T extends Json>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const doc = (...content: Json[]): JsonObject => ({ type: 'doc', content });
const paragraph = (...content: Json[]): JsonObject => (content.length > 0 ? { type: 'paragraph', content } : { type: 'paragraph' });
const text = (words: string, ...marks: Json[]): JsonObject => (marks.length > 0 ? { type: 'text', text: words, marks } : { type: 'text', text: words });

/** The rich text as it is written when no node is known any more: each is made anew from what the editor holds of it. */
function rewritten(document: JsonObject): JsonObject {
  const node = readDocument(copy(document));
  return writeDocument(schema.nodeFromJSON(node.toJSON())).value;
}

/** What an edit of a line of text may do to it: neighbours alike become one, and marks stand in the order of the editor. */
function settled(node: Json): Json {
  if (!isObject(node)) return node;
  const { content, marks, ...rest } = node;
  const byName = (one: Json, other: Json) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
  const ordered: JsonObject = isList(marks) && marks.length > 0 && node.type !== 'paragraph' ? { marks: [...marks].sort(byName) } : {};
  const inner: Json[] = [];
  for (const child of isList(content) ? content : []) {
    const own = settled(child) as JsonObject;
    const last = inner.at(-1) as JsonObject | undefined;
    if (own.type === 'text' && own.text === '') continue;
    if (own.type === 'text' && last?.type === 'text' && JSON.stringify({ ...own, text: '' }) === JSON.stringify({ ...last, text: '' })) {
      inner[inner.length - 1] = { ...last, text: `${last.text as string}${own.text as string}` };
    } else inner.push(own);
  }
  const filled = inner.length > 0 ? inner : (FILLED[contentOf(knownType(node) ?? '') ?? ''] ?? []);
  return filled.length > 0 ? { ...rest, ...ordered, content: filled } : { ...rest, ...ordered };
}

/** What the editor shows where nothing is. */
const FILLED: Record<string, readonly Json[]> = { block: [paragraph()], item: [{ type: 'list_item', content: [paragraph()] }] };

test('2,000 documents of every shape come out as they went in, the very same value', () => {
  fc.assert(fc.property(documents(), (document) => {
    assert.ok(isWellFormed(document));
    const before = JSON.stringify(document);
    const written = writeDocument(readDocument(document)).value;
    assert.equal(JSON.stringify(written), before);
  }), { numRuns: 2000 });
});

test('made anew from what the editor holds of it, a document is the same but for what a line of text settles', () => {
  fc.assert(fc.property(documents(), (document) => {
    assert.deepEqual(settled(rewritten(document)), settled(copy(document)));
  }), { numRuns: 500 });
});

test('an edit changes the node that it is in, and no other', () => {
  const insert = fc.tuple(documents(), fc.nat(), fc.string({ minLength: 1, maxLength: 4 }));
  fc.assert(fc.property(insert, ([document, at, typed]) => {
    const state = EditorState.create({ doc: readDocument(document) });
    const places: number[] = [];
    state.doc.descendants((node, pos) => {
      if (node.isTextblock) places.push(pos + 1);
    });
    const place = places[at % Math.max(1, places.length)];
    if (place === undefined) return;
    const written = writeDocument(state.apply(state.tr.insertText(typed, place)).doc).value;
    assert.equal(changedLines(document, written), 1);
  }), { numRuns: 2000 });
});

/** How many lines of text differ. Everything around them has to be equal, and what is not on the way the same object. */
function changedLines(one: JsonObject, other: JsonObject): number {
  if (one === other) return 0;
  const lists = [one, other].map(({ content }) => (isList(content) ? (content as readonly JsonObject[]) : []));
  const { content: _, ...frame } = one;
  const { content: __, ...otherFrame } = other;
  assert.deepEqual(otherFrame, frame);
  const place = contentOf(knownType(one) ?? '');
  if (place === 'inline' || place === 'code') return 1;
  const [before, after] = [lists[0]!.length > 0 ? lists[0]! : FILLED[place!]!, lists[1]!];
  assert.equal(after.length, before.length);
  return after.reduce((sum, child, index) => sum + changedLines(before[index] as JsonObject, child), 0);
}

test('what is wrong is told and put right, and what was right stays the same object', () => {
  fc.assert(fc.property(documents(true), (document) => {
    const { document: repaired, repairs } = repairDocument(document);
    if (repairs.length === 0) return assert.equal(repaired, document);
    assert.ok(isWellFormed(repaired), JSON.stringify(repaired));
    assert.equal(writeDocument(readDocument(repaired)).value, repaired);
  }), { numRuns: 1000 });
});

test('repairs lose no text', () => {
  const item = { type: 'list_item', content: [text('one'), text('two', { type: 'bold' })] };
  const broken = doc(
    text('loose'),
    { type: 'bullet_list', content: [item, paragraph(text('three'))] },
    paragraph(text('before'), { type: 'horizontal_rule' }, text('after')),
    { type: 'tableCell', content: ['cell'] },
    7,
  );
  assert.ok(!isWellFormed(broken));
  const { document, repairs } = repairDocument(broken);
  assert.deepEqual([...new Set(repairs)].toSorted(), ['divide', 'item', 'leaveOut', 'paragraph', 'table', 'text']);
  assert.deepEqual(document, doc(
    paragraph(text('loose')),
    {
      type: 'bullet_list',
      content: [
        { type: 'list_item', content: [paragraph(text('one'), text('two', { type: 'bold' }))] },
        { type: 'list_item', content: [paragraph(text('three'))] },
      ],
    },
    paragraph(text('before')),
    { type: 'horizontal_rule' },
    paragraph(text('after')),
    { type: 'table', content: [{ type: 'tableRow', content: [{ type: 'tableCell', content: [paragraph(text('cell'))] }] }] },
  ));
});

test('what is no document becomes one, and what is left out is told', () => {
  const node = { type: 'heading', attrs: { level: 2 }, content: [text('Title')] };
  const cases: readonly [Json, JsonObject, readonly string[], (readonly Json[])?][] = [
    ['one\n\ntwo', doc(paragraph(text('one')), paragraph(text('two'))), ['document', 'text']],
    [12, doc(paragraph(text('12'))), ['document', 'text']],
    [node, doc(node), ['document']],
    [text('x'), doc(paragraph(text('x'))), ['document', 'paragraph']],
    [['one', node, ['two', null]], doc(paragraph(text('one')), node, paragraph(text('two'))), ['document', 'leaveOut', 'text'], [null]],
    [{ content: [node], extra: 1 }, { type: 'doc', content: [node], extra: 1 }, ['document']],
    [{ html: '<p>' }, doc({ html: '<p>' }), ['document']],
    [[], doc(), ['document']],
    [{ type: 'doc', content: 'words' }, doc(paragraph(text('words'))), ['paragraph', 'text']],
    [{ type: 'doc', content: node }, doc(node), ['single']],
    [{ type: 'doc', content: [7, 'a', true] }, doc(paragraph(text('a'))), ['leaveOut', 'paragraph', 'text'], [7, true]],
    [{ type: 'doc', content: 7 }, doc(), ['leaveOut'], [7]],
  ];
  for (const [value, document, repairs, left = []] of cases) {
    const repaired = repairDocument(value);
    assert.deepEqual(repaired.document, document);
    assert.deepEqual([...new Set(repaired.repairs)].toSorted(), repairs);
    assert.deepEqual(repaired.left, left);
    assert.ok(isWellFormed(repaired.document));
    if (isObject(value)) assert.ok(!isWellFormed(value));
  }
  // A list of blocks was a field of blocks before.
  const [one, two] = [{ _uid: 'a', component: 'teaser' }, { _uid: 'b', component: 'teaser' }];
  const { document, left } = repairDocument([one, two, 'end']);
  const [blok, end] = document.content as JsonObject[];
  assert.deepEqual([blok!.type, (blok!.attrs as JsonObject).body, end, left], ['blok', [one, two], paragraph(text('end')), []]);
});

test('any value becomes a document that opens, and no words of it are lost untold', () => {
  const wordsOf = (value: Json): string[] => (isList(value) ? value.flatMap(wordsOf) : typeof value === 'string' ? [value] : typeof value === 'number' ? [String(value)] : []);
  const words = fc.oneof(fc.string({ minLength: 1 }).filter((one) => !/[\r\n]/.test(one)), fc.nat());
  const { any } = fc.letrec((tie) => ({ any: fc.oneof({ maxDepth: 3 }, words, fc.constant(null), fc.array(tie('any'), { maxLength: 4 })) })) as { any: fc.Arbitrary<Json> };
  fc.assert(fc.property(any, (value) => {
    const { document, left } = repairDocument(value);
    assert.ok(isWellFormed(document));
    const read = JSON.stringify(document);
    for (const word of wordsOf(value)) assert.ok(read.includes(JSON.stringify(word)), word);
    assert.ok(left.every((one) => one === null));
  }), { numRuns: 500 });
});

test('nodes with blocks are named by their keys, also within what is not known', () => {
  const blok = (id: string): JsonObject => ({ type: 'blok', attrs: { id, body: [{ _uid: id, component: 'teaser' }] } });
  const document = doc(blok('a'), { type: 'columns', content: [blok('b')] }, { type: 'blockquote', content: [blok('c')] });
  const node = readDocument(document, [11, 12, 13]);
  assert.deepEqual(writeDocument(node), { value: document, nodes: [11, 12, 13] });
  const state = EditorState.create({ doc: node });
  const first = node.firstChild!;
  assert.deepEqual(writeDocument(state.apply(state.tr.delete(0, first.nodeSize)).doc).nodes, [12, 13]);
  const again = state.apply(state.tr.insert(0, schema.nodes.blok!.create({ id: 'd', body: [] }))).doc;
  assert.deepEqual(writeDocument(again).nodes, [undefined, 11, 12, 13]);
  assert.deepEqual(writeNode(again.firstChild!), { type: 'blok', attrs: { id: 'd', body: [] } });
});
