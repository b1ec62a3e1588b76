// Where blocks are in a content: in members that are lists of blocks, and in the `blok` nodes of rich text. What has another shape is no list of blocks: it is a
// value like any other, and nothing of it is lost.

import { isList, isObject, type Json, type JsonObject } from '../model/json.ts';
import { fieldOf, type Schemas } from '../model/schema.ts';

/** What a member of a block holds. */
export type Content = 'blocks' | 'richtext' | 'value';

export function contentOf(block: JsonObject, member: string, value: Json | undefined, schemas: Schemas): Content {
  if (typeof value !== 'object' || value === null) return 'value';
  const component = schemas.component(block.component);
  const type = component?.fields.find(({ name }) => name === fieldOf(member))?.type;
  if (type === 'bloks') return isBlocks(value) ? 'blocks' : 'value';
  if (type === 'richtext') return isObject(value) ? 'richtext' : 'value';
  // A component or a field without a schema: what the value looks like decides.
  if (type !== undefined) return 'value';
  if (isObject(value)) return value.type === 'doc' ? 'richtext' : 'value';
  return value.length > 0 && isBlocks(value) ? 'blocks' : 'value';
}

/** Whether a value is a list in which everything is a block. */
export function isBlocks(value: Json | undefined): value is readonly JsonObject[] {
  return isList(value) && value.every((item) => isObject(item) && typeof item.component === 'string');
}

/** The `blok` nodes of a rich text, in the order of the document. */
export function blokNodes(document: JsonObject): JsonObject[] {
  const found: JsonObject[] = document.type === 'blok' ? [document] : [];
  const children = isList(document.content) ? document.content.filter(isObject) : [];
  return found.concat(...children.map(blokNodes));
}

/** The rich text with these nodes in place of its `blok` nodes, in their order; the same object when they are the same. */
export function withBlokNodes(document: JsonObject, nodes: readonly JsonObject[]): JsonObject {
  let next = 0;
  const replaced = (node: JsonObject): JsonObject => {
    const own = node.type === 'blok' ? (nodes[next++] ?? node) : node;
    if (!isList(own.content)) return own;
    const content = own.content.map((child) => (isObject(child) ? replaced(child) : child));
    return content.every((child, index) => child === (own.content as readonly Json[])[index]) ? own : { ...own, content };
  };
  return replaced(document);
}

/** The rich text without one of its `blok` nodes. What held nothing else gets an empty paragraph, because something has to be there. */
export function withoutBlokNode(document: JsonObject, index: number): JsonObject {
  let next = 0;
  const left = (node: JsonObject): JsonObject | undefined => {
    if (node.type === 'blok' && next++ === index) return undefined;
    if (!isList(node.content)) return node;
    const content = node.content.map((child) => (isObject(child) ? left(child) : child)).filter((child) => child !== undefined);
    if (content.length === 0 && node.content.length > 0) return { ...node, content: [{ type: 'paragraph' }] };
    return content.length === node.content.length && content.every((child, at) => child === (node.content as readonly Json[])[at]) ? node : { ...node, content };
  };
  return left(document) ?? document;
}

/** The blocks of each `blok` node; none of one that holds something else. */
export function bodiesOf(nodes: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  return nodes.map(({ attrs }) => (isObject(attrs) && isBlocks(attrs.body) ? attrs.body : []));
}

export function withBody(node: JsonObject, body: readonly JsonObject[]): JsonObject {
  return { ...node, attrs: { ...(isObject(node.attrs) ? node.attrs : {}), body } };
}

/** A rich text without the blocks in it. */
export function withoutBodies(document: JsonObject): JsonObject {
  const nodes = blokNodes(document);
  const bodies = bodiesOf(nodes);
  return withBlokNodes(document, nodes.map((node, index) => (bodies[index]!.length > 0 ? withBody(node, []) : node)));
}
