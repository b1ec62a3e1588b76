// Rich texts that a generator makes, for the tests: all nodes and marks, with attributes, members and nodes that are not known, and wrong structures where asked for.
// And what may be done to a text, in any order.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { baseKeymap } from 'prosemirror-commands';
import { EditorState, TextSelection, type Command } from 'prosemirror-state';
import type { Draft, Key } from '../draft/draft.ts';
import { isEqual, type Json, type JsonObject } from '../model/json.ts';
import { ALIGN_TOOLS, DIRECTION_TOOLS, LINE_TOOLS, LIST_TOOLS, MARK_TOOLS, type Tool } from '../model/toolbar.ts';
import { breakLine, commandOf, indent, insertBlock, outdent, selectBeside, splitItem, splitLine } from './commands.ts';
import { replaceDifference } from './difference.ts';
import { readDocument, writeDocument } from './document.ts';
import { setMark, setMarkAttribute } from './marks.ts';
import { schema } from './schema.ts';
import { isWellFormed } from './structure.ts';
import { TABLES } from './tablework.ts';
import { contentOf, MARKS, NODES, placesOf, type Place, type StoredType } from './types.ts';

const plain = fc.oneof(fc.constant(null), fc.integer(), fc.boolean(), fc.string({ maxLength: 5 }));
const uuid = fc.uuid();

/** The sizes of cells are numbers, most of the time. */
const SIZES: Readonly<Record<string, fc.Arbitrary<Json>>> = { colspan: fc.integer({ min: 1, max: 3 }), rowspan: fc.integer({ min: 1, max: 3 }), colwidth: fc.oneof(fc.constant([100]), plain) };

/** Any of the declared attributes, each perhaps absent, and perhaps some that are not known. */
const attributes = ({ attrs }: StoredType): fc.Arbitrary<JsonObject> => {
  const known = Object.fromEntries(Object.entries(attrs).map(([name, value]) => [name, fc.oneof({ weight: 6, arbitrary: fc.constant(value) }, { weight: name in SIZES ? 1 : 6, arbitrary: name in SIZES ? SIZES[name]! : plain })]));
  const some = fc.record(known, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
  return fc.tuple(some, fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.record({ 'data-own': plain }) })).map(([one, other]) => ({ ...one, ...other }));
};

const withAttributes = (type: string, stored: StoredType): fc.Arbitrary<JsonObject> =>
  fc.tuple(fc.option(attributes(stored), { nil: undefined }), fc.option(plain, { freq: 8, nil: undefined })).map(([attrs, extra]) => ({
    type, ...(attrs === undefined ? {} : { attrs }), ...(extra === undefined ? {} : { extra }),
  }));

const mark = fc.oneof(
  ...Object.entries(MARKS).map(([type, stored]) => withAttributes(type, stored)),
  fc.record({ type: fc.constant('comment'), attrs: fc.record({ thread: uuid }) }),
);
const marks = fc.option(fc.uniqueArray(mark, { maxLength: 3, selector: ({ type }) => type }), { nil: undefined });
const block = fc.record({ _uid: uuid, component: fc.constantFrom('teaser', 'gone'), title: fc.string({ maxLength: 5 }) });
const unknown: fc.Arbitrary<JsonObject> = fc.record({ type: fc.constantFrom('callout', 'mention'), attrs: fc.record({ tone: plain }), content: fc.oneof(fc.constantFrom<Json>([], [{ type: 'text', text: 'x' }]), fc.array(leaf('blok'), { minLength: 1, maxLength: 2 })) });

function leaf(type: string): fc.Arbitrary<JsonObject> {
  const own = withAttributes(type, NODES[type]!);
  if (type === 'text') return fc.tuple(own, fc.string({ maxLength: 8 }), marks).map(([{ attrs, ...node }, text, list]) => ({ ...node, text, ...(list ? { marks: list } : {}) }));
  if (type !== 'blok') return own;
  return fc.tuple(own, fc.option(fc.array(block, { maxLength: 3 }), { freq: 4, nil: undefined }), fc.option(uuid)).map(([node, body, id]) => {
    const { body: _, ...attrs } = (node.attrs as JsonObject | undefined) ?? {};
    return { ...node, attrs: { ...attrs, id, ...(body ? { body } : {}) } };
  });
}

const LEAVES = Object.keys(NODES).filter((type) => !contentOf(type));
const HOLDERS = Object.keys(NODES).filter((type) => contentOf(type) && type !== 'doc');
const standsIn = (types: readonly string[], place: Place) => types.filter((type) => placesOf({ type, text: '' }).includes(place));

/** A node for a place; of wrong structures any node for any place. */
function nodeFor(place: Place, depth: number, isWrong: boolean): fc.Arbitrary<JsonObject> {
  const leaves = isWrong ? LEAVES : standsIn(LEAVES, place);
  const holders = isWrong ? HOLDERS : standsIn(HOLDERS, place);
  const found = leaves.map(leaf);
  if (place !== 'row' && place !== 'cell') found.push(unknown);
  if (depth > 0 || found.length === 0) found.push(...holders.map((type) => holder(type, depth - 1, isWrong)));
  return fc.oneof(...found);
}

function holder(type: string, depth: number, isWrong: boolean): fc.Arbitrary<JsonObject> {
  const place = contentOf(type)!;
  const needsSome = place === 'row' || place === 'cell';
  const content: fc.Arbitrary<Json | undefined> = fc.array(nodeFor(place, depth, isWrong), { minLength: needsSome ? 1 : 0, maxLength: 4 });
  const given = needsSome ? content : fc.option(content, { freq: 9, nil: undefined });
  const any = isWrong ? fc.oneof({ weight: 9, arbitrary: given }, { weight: 1, arbitrary: fc.constantFrom<Json>('text', 7, ['text', null]) }) : given;
  return fc.tuple(withAttributes(type, NODES[type]!), any).map(([node, inner]) => (inner === undefined ? node : { ...node, content: inner }));
}

/** A document of right structure, or one where anything may be anywhere. */
export const documents = (isWrong = false): fc.Arbitrary<JsonObject> =>
  fc.tuple(holder('doc', 3, isWrong), fc.integer({ min: 0, max: 16 })).map(([doc, depth]) => {
    const nested = Array.from({ length: depth }).reduce<Json>((inner) => [{ type: 'blockquote', content: inner as readonly Json[] }], (doc.content as Json | undefined) ?? [{ type: 'paragraph' }]);
    return { ...doc, content: nested };
  });

const TOOLS: readonly Tool[] = [...MARK_TOOLS, ...LINE_TOOLS, ...LIST_TOOLS, ...ALIGN_TOOLS, ...DIRECTION_TOOLS, 'hrule', 'unset'];
const { link: linkMark, anchor, textStyle, highlight, styled } = schema.marks;
const COMMANDS: readonly Command[] = [
  ...TOOLS.map((tool) => commandOf(tool)!),
  ...Object.values(TABLES.acts), TABLES.insert(2, 2), TABLES.cell(1),
  baseKeymap.Backspace!, baseKeymap.Delete!, selectBeside(-1), selectBeside(1), splitItem, splitLine, breakLine, indent, outdent,
  setMark(linkMark!, { href: 'https://example.org', linktype: 'url' }, 'site'), setMark(linkMark!, undefined), setMark(anchor!, { id: 'here' }, 'here'), setMark(anchor!, undefined),
  ...['red', null].flatMap((colour) => [setMarkAttribute(textStyle!, 'color', colour), setMarkAttribute(highlight!, 'color', colour)]), setMarkAttribute(styled!, 'class', 'lead'),
  insertBlock(schema.nodes.blok!.create({ id: 'new', body: [{ _uid: 'n', component: 'teaser' }] })),
  (state, dispatch) => (dispatch?.(state.tr.insertText('x')), true),
];

interface Step {
  readonly command: number;
  readonly from: number;
  readonly to: number;
}

/** What is done, and what is selected then. */
export const someSteps = (): fc.Arbitrary<readonly Step[]> =>
  fc.array(fc.record({ command: fc.nat(COMMANDS.length - 1), from: fc.nat(), to: fc.nat() }), { minLength: 1, maxLength: 12 });

/** Does it with a text of a draft, which has to be right each time, and takes it back. Each step needs a time of its own. */
export function edit(draft: Draft, block: Key, field: string, steps: readonly Step[]): void {
  let state = EditorState.create({ doc: readDocument(draft.block(block)[field] as JsonObject, draft.nodes(block, field)) });
  let made = 0;
  for (const { command, from, to } of steps) {
    const place = (at: number) => state.doc.resolve(at % (state.doc.content.size + 1));
    state = state.apply(state.tr.setSelection(TextSelection.between(place(from), place(to))));
    const before = draft.content();
    COMMANDS[command]!(state, (tr) => (state = state.apply(tr)));
    state.doc.check();
    draft.apply({ kind: 'set', block, field, ...writeDocument(state.doc) });
    if (!isEqual(draft.content(), before)) made += 1;
    const value = draft.block(block)[field] as JsonObject;
    assert.ok(isWellFormed(value), JSON.stringify(value));
    // What the draft has now comes back into the editor: the nodes with blocks have keys then.
    state = state.apply(replaceDifference(state.tr, readDocument(value, draft.nodes(block, field))));
    assert.deepEqual(writeDocument(state.doc).nodes, draft.nodes(block, field));
  }
  for (let undone = 0; undone < made; undone++) assert.ok(draft.undo());
}
