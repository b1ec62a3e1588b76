// A pasted text is reduced to what the field offers; no word is lost, and what else is left out is counted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Slice } from 'prosemirror-model';
import type { Json, JsonObject } from '../model/json.ts';
import { INSERT_TOOLS, LINE_TOOLS, LIST_TOOLS, MARK_TOOLS, type Tool } from '../model/toolbar.ts';
import { readDocument, writeNode } from './document.ts';
import { documents } from './generated.ts';
import { insertCopy, type InsertActs } from './inserting.ts';
import { lossesOf } from './losses.ts';
import { reduceSlice } from './reduce.ts';

const doc = (...content: Json[]): JsonObject => ({ type: 'doc', content });
const paragraph = (...content: Json[]): JsonObject => (content.length > 0 ? { type: 'paragraph', content } : { type: 'paragraph' });
const text = (words: string, ...marks: Json[]): JsonObject => (marks.length > 0 ? { type: 'text', text: words, marks } : { type: 'text', text: words });
const picture = (src: string): JsonObject => ({ type: 'image', attrs: { src, alt: '', title: '' } });
const cell = (...content: Json[]): JsonObject => ({ type: 'tableCell', content });
const sliceOf = (document: JsonObject) => new Slice(readDocument(document).content, 0, 0);
const offering = (...tools: Tool[]) => ({ offers: (tool: Tool) => tools.includes(tool), allowsBlock: ({ component }: JsonObject) => component === 'teaser' });

const link = { type: 'link', attrs: { href: 'https://example.org', linktype: 'url' } };
const block = (component: string): JsonObject => ({ _uid: component, component });
const rich = doc(
  { type: 'heading', attrs: { level: 2 }, content: [text('Title')] },
  paragraph(text('a '), text('li', link), text('nk', link, { type: 'bold' }), picture('/one.png')),
  { type: 'table', content: [{ type: 'tableRow', content: [cell(paragraph(text('one', link)), paragraph(text('two'))), cell(paragraph(picture('/two.png')), { type: 'blok', attrs: { id: 'b', body: [block('teaser')] } })] }] },
  { type: 'blok', attrs: { id: 'a', body: [block('teaser'), block('gone'), block('gone')] } },
  { type: 'horizontal_rule' }, { type: 'strange' },
);

test('what a field does not offer is left out and counted; headings and formats are not', () => {
  const lost = (...tools: Tool[]) => Object.fromEntries(lossesOf(sliceOf(rich), reduceSlice(sliceOf(rich), offering(...tools))));
  assert.deepEqual(lost(), { picture: 2, block: 4, table: 1, link: 2, rule: 1, unknown: 1 });
  assert.deepEqual(lost('table', 'image', 'link', 'hrule', 'blok'), { block: 2 });
  assert.deepEqual(lost('image', 'link', 'hrule', 'blok'), { block: 3, table: 1 });
});

test('a table where there are none is lines with what its cells say, with their links and pictures', () => {
  const [, , line] = reduceSlice(sliceOf(rich), offering('image', 'link')).content.content.map(writeNode);
  const inLine = { type: 'link', attrs: { href: 'https://example.org', linktype: 'url' } };
  assert.deepEqual(line, paragraph(text('one', inLine), text(' two\t'), picture('/two.png')));
});

test('a copy comes in as far as it fits, after it is said what is lost and where it is from', () => {
  const said: unknown[] = [];
  const from = { origin: 'https://one.example.org', space: { id: 2, name: 'Two' } };
  const acts = { ...offering('link'), paste: (pasted: unknown, putIn: () => void) => (said.push(pasted), putIn()) } as unknown as InsertActs;
  const fitting = reduceSlice(sliceOf(rich), acts);
  insertCopy(undefined as never, sliceOf(rich), from, acts, (slice) => said.push(slice.content.childCount));
  assert.deepEqual(said, [{ lost: new Map([['picture', 2], ['block', 4], ['table', 1], ['rule', 1], ['unknown', 1]]), from, nodes: fitting.content.content.map(writeNode) }, fitting.content.childCount]);
});

test('what nothing is left of takes the place of nothing; an empty line is one', () => {
  const puts = (...content: Json[]) => {
    let isPut = false;
    const acts = { ...offering(), paste: (_: unknown, putIn: () => void) => putIn() } as unknown as InsertActs;
    insertCopy(undefined as never, sliceOf(doc(...content)), undefined, acts, () => (isPut = true));
    return isPut;
  };
  assert.equal(puts(paragraph(picture('/one.png'))), false);
  assert.equal(puts({ type: 'horizontal_rule' }), false);
  assert.equal(puts(paragraph()), true);
  assert.equal(puts(paragraph(picture('/one.png'), text('words'))), true);
});

test('no word is lost, and nothing is told where all is offered', () => {
  const words = (slice: Slice) => slice.content.textBetween(0, slice.content.size, '', '').replace(/[\s]/g, '');
  const tools = fc.subarray([...MARK_TOOLS, ...LINE_TOOLS, ...LIST_TOOLS, ...INSERT_TOOLS] as Tool[]);
  fc.assert(fc.property(documents(), tools, (document, some) => {
    const slice = sliceOf(document);
    const reduced = reduceSlice(slice, { offers: (tool) => some.includes(tool), allowsBlock: () => true });
    for (const node of reduced.content.content) node.check();
    assert.equal(words(reduced), words(slice));
    const all = reduceSlice(slice, { offers: () => true, allowsBlock: () => true });
    assert.deepEqual(all.content.toJSON(), slice.content.toJSON());
    assert.equal(lossesOf(slice, all).size, 0);
  }), { numRuns: 1000 });
});
