// The nodes and marks of rich text as content stores them: their attributes, and what may be in them. What is not named here is kept as it is.

import { isList, isObject, type Json, type JsonObject } from '../model/json.ts';

/** What stands in for an attribute that is absent. */
export type Attributes = Readonly<Record<string, Json>>;

export interface StoredType {
  readonly attrs: Attributes;
  /** Attributes that are written also where they have their default, as other editors write them. One that was absent stays absent all the same. */
  readonly always?: readonly string[];
}

const DIRECTION = { dir: null };
const SPAN = { colspan: 1, rowspan: 1, colwidth: null };
const SPANS = Object.keys(SPAN);

export const NODES: Readonly<Record<string, StoredType>> = {
  doc: { attrs: {} },
  paragraph: { attrs: { textAlign: null, ...DIRECTION } },
  heading: { attrs: { level: 1, textAlign: null, ...DIRECTION }, always: ['level'] },
  blockquote: { attrs: DIRECTION },
  bullet_list: { attrs: {} },
  ordered_list: { attrs: { order: 1 }, always: ['order'] },
  list_item: { attrs: DIRECTION },
  code_block: { attrs: { class: null, ...DIRECTION }, always: ['class'] },
  horizontal_rule: { attrs: {} },
  hard_break: { attrs: {} },
  image: { attrs: { id: null, src: null, alt: null, title: null, source: null, copyright: null, meta_data: null }, always: ['src', 'alt', 'title'] },
  emoji: { attrs: { name: null, emoji: null, fallbackImage: null }, always: ['name', 'emoji', 'fallbackImage'] },
  table: { attrs: {} },
  tableRow: { attrs: {} },
  tableCell: { attrs: { ...SPAN, backgroundColor: null }, always: SPANS },
  tableHeader: { attrs: SPAN, always: SPANS },
  blok: { attrs: { id: null, body: null }, always: ['id', 'body'] },
  text: { attrs: {} },
};

export const MARKS: Readonly<Record<string, StoredType>> = {
  link: {
    attrs: { href: null, uuid: null, anchor: null, target: null, linktype: 'url', custom: null },
    always: ['href', 'uuid', 'anchor', 'target', 'linktype'],
  },
  bold: { attrs: {} },
  italic: { attrs: {} },
  strike: { attrs: {} },
  underline: { attrs: {} },
  code: { attrs: {} },
  superscript: { attrs: {} },
  subscript: { attrs: {} },
  highlight: { attrs: { color: null }, always: ['color'] },
  textStyle: { attrs: { color: null, id: null, class: null } },
  anchor: { attrs: { id: null }, always: ['id'] },
  styled: { attrs: { class: null }, always: ['class'] },
};

/** What a node holds: blocks, text with what stands in it, the items of a list, rows, cells, or the text of code. */
export type Place = 'block' | 'inline' | 'item' | 'row' | 'cell' | 'code';

/** Nodes that hold others. All others hold none. */
const CONTENT: Readonly<Record<string, Place>> = {
  doc: 'block',
  paragraph: 'inline',
  heading: 'inline',
  blockquote: 'block',
  bullet_list: 'item',
  ordered_list: 'item',
  list_item: 'block',
  code_block: 'code',
  table: 'row',
  tableRow: 'cell',
  tableCell: 'block',
  tableHeader: 'block',
};

/** Where a known node may stand. Pictures stand in text and as blocks. */
const PLACES: Readonly<Record<string, readonly Place[]>> = {
  text: ['inline', 'code'],
  hard_break: ['inline', 'code'],
  emoji: ['inline'],
  image: ['inline', 'block'],
  list_item: ['item'],
  tableRow: ['row'],
  tableCell: ['cell'],
  tableHeader: ['cell'],
  doc: [],
};
const BLOCK: readonly Place[] = ['block'];
/** What is unknown may stand anywhere but in the grid of a table, which would have a hole. */
const UNKNOWN: readonly Place[] = ['block', 'inline', 'item', 'code'];

/** The type of a node that the editor knows; nothing of any other, of a leaf that holds something, and of a table whose cells have no size. */
export function knownType(node: JsonObject): string | undefined {
  const { type } = node;
  if (typeof type !== 'string' || !Object.hasOwn(NODES, type)) return undefined;
  if (type === 'text' && (typeof node.text !== 'string' || 'content' in node)) return undefined;
  if (type === 'table' && !hasSizes(node)) return undefined;
  return CONTENT[type] || !isList(node.content) || node.content.length === 0 ? type : undefined;
}

/** Whether the cells of a table say over how many columns and rows they go, as numbers, so that the table is a grid. */
function hasSizes(table: JsonObject): boolean {
  const cellsOf = (row: Json) => (isObject(row) && isList(row.content) ? row.content.filter(isObject) : []);
  const isCount = (value: Json | undefined) => value === undefined || (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST_SPAN);
  const isSized = ({ attrs }: JsonObject) => !isObject(attrs)
    || (isCount(attrs.colspan) && isCount(attrs.rowspan) && (attrs.colwidth === undefined || attrs.colwidth === null || (isList(attrs.colwidth) && attrs.colwidth.every((width) => typeof width === 'number'))));
  return !isList(table.content) || table.content.every((row) => cellsOf(row).every(isSized));
}

const MOST_SPAN = 1000;

export function knownMark(mark: Json): mark is JsonObject & { readonly type: string } {
  return isObject(mark) && typeof mark.type === 'string' && Object.hasOwn(MARKS, mark.type);
}

/** What a node may hold; nothing of a leaf. */
export function contentOf(type: string): Place | undefined {
  return Object.hasOwn(CONTENT, type) ? CONTENT[type] : undefined;
}

/** Where a node may stand. */
export function placesOf(node: JsonObject): readonly Place[] {
  const type = knownType(node);
  return type === undefined ? UNKNOWN : Object.hasOwn(PLACES, type) ? PLACES[type]! : BLOCK;
}
