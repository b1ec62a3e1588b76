// Rich text into the editor and out of it. What the editor does not change comes out as the very same JSON: a node that was read remembers what it was, and a node
// of the editor is never changed in place. So both ways cost only what differs.

import { Fragment, type Mark, type Node, type NodeType } from 'prosemirror-model';
import { isEqual, isList, isObject, type Json, type JsonObject } from '../model/json.ts';
import { schema } from './schema.ts';
import { contentOf, knownMark, knownType, MARKS, NODES, type Attributes, type Place, type StoredType } from './types.ts';

/** The name of a `blok` node in the draft. */
export type NodeKey = number;

/** A rich text as the draft takes it. A node without a key is new. */
export interface Written {
  readonly value: JsonObject;
  readonly nodes: readonly (NodeKey | undefined)[];
}

/** What JSON a node was read from or written as. */
const sources = new WeakMap<Node, JsonObject>();
/** What JSON was read as. Only of what holds no `blok` node: their keys are of one draft. */
const readAs = new WeakMap<JsonObject, Node>();

const { nodes: types, marks: markTypes } = schema;
export const EMPTY: JsonObject = { type: 'doc', content: [{ type: 'paragraph' }] };

/** Reads a document whose structure is right. `keys` name its `blok` nodes in their order. */
export function readDocument(value: JsonObject, keys: readonly NodeKey[] = []): Node {
  const left = [...keys];
  return readNode(value, 'block', () => left.shift());
}

export function readNode(json: JsonObject, place: Place, nextKey: () => NodeKey | undefined): Node {
  const isInline = place === 'inline' || place === 'code';
  const before = readAs.get(json);
  if (before && before.isInline === isInline && (!isUnknown(before) || before.type === unknownFor(place))) return before;
  const type = knownType(json);
  const node = type === undefined ? readUnknown(json, place, nextKey) : readKnown(json, type, isInline, nextKey);
  sources.set(node, json);
  if (!holdsBlok(node)) readAs.set(json, node);
  return node;
}

function readUnknown(json: JsonObject, place: Place, nextKey: () => NodeKey | undefined): Node {
  const keys = Array.from({ length: countBloks(json) }, nextKey).filter((key) => key !== undefined);
  return unknownFor(place).create({ json, keys });
}

function unknownFor(place: Place): NodeType {
  switch (place) {
    case 'inline':
    case 'code': return types.unknown_inline!;
    case 'item': return types.unknown_item!;
    default: return types.unknown!;
  }
}

function readKnown(json: JsonObject, type: string, isInline: boolean, nextKey: () => NodeKey | undefined): Node {
  if (type === 'text') return readText(json);
  if (type === 'blok') {
    const key = nextKey() ?? null;
    const { body, ...attrs } = readAttributes(json, NODES.blok!);
    return types.blok!.create({ ...attrs, key, body: key === null ? body : null });
  }
  const marks = isInline && isMarks(json.marks) ? json.marks.map(readMark) : undefined;
  const own = type === 'image' && !isInline ? types.image_block! : types[type]!;
  return own.create(readAttributes(json, NODES[type]!), readContent(json, own, type, nextKey), marks);
}

function readContent(json: JsonObject, type: NodeType, name: string, nextKey: () => NodeKey | undefined): Fragment {
  const place = contentOf(name);
  if (!place) return Fragment.empty;
  const children = isList(json.content) ? (json.content as readonly JsonObject[]) : [];
  // Empty texts are left out of the editor's copy, which knows none.
  const content = Fragment.fromArray(children.filter((child) => child.type !== 'text' || child.text !== '').map((child) => readNode(child, place, nextKey)));
  return type.validContent(content) ? content : (type.createAndFill()?.content ?? content);
}

function readText(json: JsonObject): Node {
  const { type, text, marks, ...others } = json;
  const own = isMarks(marks) ? marks.map(readMark) : [];
  const members: JsonObject = marks === undefined || isMarks(marks) ? others : { ...others, marks };
  const kept = Object.keys(members).length > 0 ? [markTypes.kept!.create({ members })] : [];
  return schema.text(text as string, [...own, ...kept]);
}

function isMarks(marks: Json | undefined): marks is readonly JsonObject[] {
  return isList(marks) && marks.every(isObject);
}

export function readMark(json: JsonObject): Mark {
  if (!knownMark(json)) return markTypes.unknown_mark!.create({ json });
  return markTypes[json.type]!.create(readAttributes(json, MARKS[json.type]!));
}

/** The attributes of a node or mark, those that are absent with their defaults. `kept` is what it would not be written as otherwise. */
function readAttributes(json: JsonObject, stored: StoredType): Attributes {
  const given = isObject(json.attrs) ? json.attrs : {};
  const attrs = Object.fromEntries(Object.entries(stored.attrs).map(([name, value]) => [name, given[name] ?? (Object.hasOwn(given, name) ? null : value)]));
  const { content, text, ...frame } = json;
  // What has no content member of its own keeps one that it holds; marks are marks only in text.
  const own = isMarks(json.marks) && !contentOf(String(json.type)) ? withoutMarks(frame) : frame;
  return { ...attrs, kept: isEqual(frameOf(String(json.type), stored, attrs, null), own) ? null : own };
}

function withoutMarks({ marks, ...others }: JsonObject): JsonObject {
  return others;
}

/** The members of a node or mark but for its content. An attribute that was absent, and has its default still, stays absent. */
function frameOf(type: string, { attrs: defaults, always = [] }: StoredType, attrs: Attributes, kept: JsonObject | null): JsonObject {
  const before = kept && isObject(kept.attrs) ? kept.attrs : undefined;
  const written: Record<string, Json> = { ...before };
  for (const [name, value] of Object.entries(defaults)) {
    const own = attrs[name] ?? null;
    const isWritten = kept ? before && Object.hasOwn(before, name) : always.includes(name);
    if (isWritten || !isEqual(own, value)) written[name] = own;
    else delete written[name];
  }
  const hasAttributes = Object.keys(written).length > 0 || before !== undefined;
  return { ...(kept ?? { type }), ...(hasAttributes ? { attrs: written } : {}) };
}

/** Writes a document. Of `blok` nodes with a key the draft knows the blocks: what is written there may be out of date. */
export function writeDocument(doc: Node): Written {
  const nodes: (NodeKey | undefined)[] = [];
  doc.descendants((node) => {
    if (node.type === types.blok) nodes.push((node.attrs.key as NodeKey | null) ?? undefined);
    else if (isUnknown(node)) nodes.push(...unknownKeys(node));
    return !node.isTextblock || holdsBlok(node);
  });
  return { value: writeNode(doc), nodes };
}

function unknownKeys({ attrs }: Node): readonly (NodeKey | undefined)[] {
  const keys = attrs.keys as readonly NodeKey[];
  return Array.from({ length: countBloks(attrs.json as Json) }, (_, index) => keys[index]);
}

export function writeNode(node: Node): JsonObject {
  const known = sources.get(node);
  if (known) return known;
  const written = writeNew(node);
  sources.set(node, written);
  if (!holdsBlok(node)) readAs.set(written, node);
  return written;
}

function writeNew(node: Node): JsonObject {
  if (isUnknown(node)) return node.attrs.json as JsonObject;
  const marks = writeMarks(node);
  if (node.isText) return { ...keptOf(node), type: 'text', text: node.text!, ...marks };
  const name = node.type === types.image_block ? 'image' : node.type.name;
  const { kept, ...attrs } = node.attrs as Attributes & { readonly kept: JsonObject | null };
  const content: JsonObject = node.childCount > 0 ? { content: node.content.content.map(writeNode) } : {};
  return { ...frameOf(name, NODES[name]!, attrs, kept), ...content, ...marks };
}

function keptOf(node: Node): JsonObject {
  const mark = node.marks.find(({ type }) => type === markTypes.kept);
  return (mark?.attrs.members as JsonObject | undefined) ?? {};
}

function writeMarks(node: Node): JsonObject {
  const marks = node.marks.filter(({ type }) => type !== markTypes.kept).map(writeMark);
  return marks.length > 0 ? { marks } : {};
}

export function writeMark({ type, attrs }: Mark): JsonObject {
  if (type === markTypes.unknown_mark) return attrs.json as JsonObject;
  const { kept, ...own } = attrs as Attributes & { readonly kept: JsonObject | null };
  return frameOf(type.name, MARKS[type.name]!, own, kept);
}

export function isUnknown({ type }: Node): boolean {
  return type === types.unknown || type === types.unknown_inline || type === types.unknown_item;
}

const withBloks = new WeakMap<Node, boolean>();

/** Whether a `blok` node is within a node. */
export function holdsBlok(node: Node): boolean {
  if (node.isText) return false;
  const known = withBloks.get(node);
  if (known !== undefined) return known;
  const holds = node.type === types.blok || (isUnknown(node) && countBloks(node.attrs.json as Json) > 0) || node.content.content.some(holdsBlok);
  withBloks.set(node, holds);
  return holds;
}

/** How many `blok` nodes the draft finds in a node. */
function countBloks(json: Json): number {
  if (!isObject(json)) return 0;
  const within = isList(json.content) ? json.content.reduce<number>((sum, child) => sum + countBloks(child), 0) : 0;
  return within + (json.type === 'blok' ? 1 : 0);
}
