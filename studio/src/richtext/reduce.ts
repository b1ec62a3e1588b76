// What is pasted is reduced to what the field offers: text is never lost, only what it was set as.

import { Fragment, Slice, type Mark, type Node } from 'prosemirror-model';
import { isObject, type Json, type JsonObject } from '../model/json.ts';
import { MARK_TOOLS, type Tool } from '../model/toolbar.ts';
import { lineTool, MARK_OF } from './commands.ts';
import { schema } from './schema.ts';

export interface Offer {
  offers(tool: Tool): boolean;
  /** Whether a block may be in the field. */
  allowsBlock(block: JsonObject): boolean;
}

const { nodes: types } = schema;
const TOOL_OF_MARK = new Map<string, Tool>([
  ...MARK_TOOLS.map((tool): [string, Tool] => [MARK_OF[tool].name, tool]),
  ['link', 'link'], ['anchor', 'anchor'], ['highlight', 'highlight'], ['textStyle', 'color'], ['styled', 'styled'],
]);

export function reduceSlice(slice: Slice, offer: Offer): Slice {
  const content = reduceAll(slice.content, offer);
  if (content.length === slice.content.childCount && content.every((node, index) => node === slice.content.child(index))) return slice;
  const isSameShape = content.length === slice.content.childCount && content.every((node, index) => node.type === slice.content.child(index).type);
  const fragment = Fragment.fromArray(content);
  if (!isSameShape) return Slice.maxOpen(fragment);
  const deepest = Slice.maxOpen(fragment);
  return new Slice(fragment, Math.min(slice.openStart, deepest.openStart), Math.min(slice.openEnd, deepest.openEnd));
}

function reduceAll(content: Fragment, offer: Offer): readonly Node[] {
  return content.content.flatMap((node) => reduce(node, offer));
}

function reduce(node: Node, offer: Offer): readonly Node[] {
  const { offers } = offer;
  if (node.isInline) return reduceInline(node, offer);
  switch (node.type) {
    case types.heading: return [offers(lineTool(node)!) ? withContent(node, offer) : paragraphOf(node, offer)];
    case types.code_block: return offers('code') ? [node] : linesOf(node.textContent);
    case types.blockquote: return offers('quote') ? [withContent(node, offer)] : reduceAll(node.content, offer);
    case types.bullet_list: return reduceList(node, 'list', 'olist', offer);
    case types.ordered_list: return reduceList(node, 'olist', 'list', offer);
    case types.horizontal_rule: return offers('hrule') ? [node] : [];
    case types.image_block: return offers('image') ? [node] : [];
    case types.table: return offers('table') ? [withContent(node, offer)] : node.content.content.map((row) => lineOf(row, offer));
    case types.blok: return reduceBlok(node, offer);
    case types.unknown:
    case types.unknown_item: return offers('blok') ? [node] : [];
    default: return [withContent(node, offer)];
  }
}

/** An item without its list gives its blocks. */
function reduceList(list: Node, tool: Tool, other: Tool, offer: Offer): readonly Node[] {
  const { offers } = offer;
  if (!offers(tool) && !offers(other)) return list.content.content.flatMap((item) => (item.type === types.list_item ? reduceAll(item.content, offer) : []));
  const own = withContent(list, offer);
  return [offers(tool) ? own : (other === 'list' ? types.bullet_list! : types.ordered_list!).create(null, own.content)];
}

function reduceBlok(node: Node, { offers, allowsBlock }: Offer): readonly Node[] {
  if (!offers('blok')) return [];
  const body = node.attrs.body as Json;
  if (!Array.isArray(body)) return [node];
  const allowed = body.filter((block) => isObject(block) && allowsBlock(block));
  if (allowed.length === body.length) return [node];
  return allowed.length > 0 ? [types.blok!.create({ ...node.attrs, body: allowed })] : [];
}

function reduceInline(node: Node, offer: Offer): readonly Node[] {
  if (node.type === types.image && !offer.offers('image')) return [];
  const left = node.marks.filter((mark) => keepsMark(mark, offer));
  return [left.length === node.marks.length ? node : node.mark(left)];
}

function keepsMark({ type }: Mark, { offers }: Offer): boolean {
  const tool = TOOL_OF_MARK.get(type.name);
  return tool === undefined || offers(tool);
}

function withContent(node: Node, offer: Offer): Node {
  const content = reduceAll(node.content, offer);
  const isSame = content.length === node.childCount && content.every((child, index) => child === node.child(index));
  const attrs = isLaidOut(node) && !offer.offers(`align-${node.attrs.textAlign as 'left'}`) ? { ...node.attrs, textAlign: null } : node.attrs;
  if (isSame && attrs === node.attrs) return node;
  const fragment = Fragment.fromArray(content);
  return node.type.validContent(fragment) ? node.type.create(attrs, fragment, node.marks) : (node.type.createAndFill(attrs, fragment) ?? types.paragraph!.create());
}

const isLaidOut = ({ attrs }: Node) => typeof attrs.textAlign === 'string';

function paragraphOf(node: Node, offer: Offer): Node {
  return withContent(types.paragraph!.create(null, node.content), offer);
}

/** A row of a table as a line of text: a tab between cells, and what was in lines of its own in one. */
function lineOf(row: Node, offer: Offer): Node {
  const cells = row.content.content.map((cell) => {
    const parts: Node[] = [];
    cell.descendants((line) => {
      if (!line.isTextblock) return;
      const words = reduceAll(line.content, offer);
      if (parts.length > 0 && words.length > 0) parts.push(schema.text(' '));
      parts.push(...words);
    });
    return parts;
  });
  return types.paragraph!.create(null, cells.flatMap((cell, index) => (index > 0 ? [schema.text('\t'), ...cell] : cell)));
}

function linesOf(text: string): readonly Node[] {
  return text.split('\n').map((line) => types.paragraph!.create(null, textOf(line)));
}

function textOf(text: string): Node | null {
  return text === '' ? null : schema.text(text);
}

/** Pictures of a slice, by their addresses; each becomes what is given for it, and goes where nothing is. */
export function replacePictures(slice: Slice, pictures: ReadonlyMap<string, JsonObject>): Slice {
  const replaced = (content: Fragment): Fragment => Fragment.fromArray(content.content.flatMap((node): Node[] => {
    if (node.type !== types.image && node.type !== types.image_block) return [node.childCount > 0 ? node.copy(replaced(node.content)) : node];
    const given = pictures.get(String(node.attrs.src));
    if (!given) return [];
    // What the text says of the picture stays, where the library says nothing.
    const attrs = Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== '' || !node.attrs[name]));
    return [node.type.create({ ...node.attrs, ...attrs }, null, node.marks)];
  }));
  return new Slice(replaced(slice.content), slice.openStart, slice.openEnd);
}

/** The addresses of the pictures in a slice. */
export function picturesIn(slice: Slice): readonly string[] {
  const found = new Set<string>();
  slice.content.descendants((node) => {
    if (node.type === types.image || node.type === types.image_block) found.add(String(node.attrs.src));
  });
  return [...found];
}
