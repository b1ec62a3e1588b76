// Whether a rich text is built as its nodes allow, and how it can be put right where it is not. It works on the JSON: what is not wrong stays the same object.

import { isList, isObject, type Json, type JsonObject } from '../model/json.ts';
import { newUid } from '../model/uids.ts';
import { contentOf, knownType, placesOf, type Place } from './types.ts';

/** What a repair does, once: words for it are in the texts. */
export type Repair =
  /** It was no document: it gets one around it. */
  | 'document'
  /** Blocks stood where a text has to be: they are blocks of the text. */
  | 'blocks'
  /** A single node stood where a list of them has to be. */
  | 'single'
  /** Text or pictures stood where only blocks may: they get a paragraph. */
  | 'paragraph'
  /** What stood directly in a list gets an item, or items without a list get one. */
  | 'item'
  | 'list'
  /** Rows and cells get the table around them that they need. */
  | 'table'
  /** A block stood within a line of text: the line is divided there. */
  | 'divide'
  /** A document stood within another one: its content takes its place. */
  | 'unwrap'
  /** A plain text becomes a text. */
  | 'text'
  /** What is no node is left out. */
  | 'leaveOut'
  /** A table or row without cells is left out. */
  | 'emptyTable';

export interface Repaired {
  readonly document: JsonObject;
  readonly repairs: readonly Repair[];
  /** What is left out. */
  readonly left: readonly Json[];
}

/** Deeper documents are shown as JSON: no editor goes there. */
const DEEPEST = 100;

/** Whether the editor can show a rich text. */
export function isWellFormed(document: JsonObject): boolean {
  return document.type === 'doc' && !isTooDeep(document) && repairDocument(document).repairs.length === 0;
}

export function isTooDeep(value: Json): boolean {
  return isDeeper(isList(value) ? { content: value } : value, DEEPEST);
}

/** The document with everything at a place where it may be, and what was done for it. Anything else becomes a document first. */
export function repairDocument(value: Json): Repaired {
  const repairer = new Repairer();
  const document = repairer.document(value);
  const [repaired = document] = repairer.node(document);
  return { document: repaired, repairs: repairer.repairs, left: repairer.left };
}

function isDeeper(node: Json | undefined, levels: number): boolean {
  if (!isObject(node) || !isList(node.content)) return false;
  return levels === 0 || node.content.some((child) => isDeeper(child, levels - 1));
}

class Repairer {
  readonly repairs: Repair[] = [];
  readonly left: Json[] = [];

  #noted<T>(repair: Repair, value: T): T {
    this.repairs.push(repair);
    return value;
  }

  #leftOut(value: Json): readonly never[] {
    this.left.push(value);
    return this.#noted('leaveOut', []);
  }

  document(value: Json): JsonObject {
    if (isObject(value) && value.type === 'doc') return value;
    if (isObject(value) && typeof value.type !== 'string' && isList(value.content)) return this.#noted('document', { ...value, type: 'doc' });
    const parts = groups(this.#flat(value).flatMap((part) => this.#atTop(part)), isBlock);
    const content = parts.flatMap(({ name: areBlocks, items }) => (areBlocks ? this.#noted('blocks', [{ type: 'blok', attrs: { id: newUid(), body: items } }]) : items));
    return this.#noted('document', { type: 'doc', content });
  }

  #flat(value: Json): readonly Json[] {
    return isList(value) ? value.flatMap((item) => this.#flat(item)) : [value];
  }

  /** Each line of a plain text is a paragraph. */
  #atTop(value: Json): readonly JsonObject[] {
    if (isObject(value)) return [value];
    if (value === null || value === '') return this.#leftOut(value);
    const lines = String(value).split(/\r?\n/).filter((line) => line !== '');
    return this.#noted('text', lines.map((line) => ({ type: 'paragraph', content: [{ type: 'text', text: line }] })));
  }

  /** A node put right. A line of text that holds blocks becomes several nodes. */
  node(node: JsonObject): readonly JsonObject[] {
    const place = contentOf(knownType(node) ?? '');
    if (!place || node.content === undefined) return [node];
    const given = isList(node.content) ? node.content : this.#asList(node.content);
    const inner = given.flatMap((child) => this.#asNode(child)).flatMap((child) => this.node(child)).flatMap((child) => this.#unwrapped(child));
    if ((place === 'inline' || place === 'code') && !inner.every((child) => placesOf(child).includes(place))) return this.#divided(node, inner, place);
    const content = this.#placed(inner, place);
    const isSame = given === node.content && content.length === given.length && content.every((child, index) => child === given[index]);
    return [isSame ? node : { ...node, content }];
  }

  #asList(content: Json): readonly Json[] {
    if (typeof content === 'string') return [content];
    return isObject(content) ? this.#noted('single', [content]) : this.#leftOut(content);
  }

  #asNode(child: Json): readonly JsonObject[] {
    if (isObject(child)) return [child];
    return typeof child === 'string' && child !== '' ? this.#noted('text', [{ type: 'text', text: child }]) : this.#leftOut(child);
  }

  #unwrapped(node: JsonObject): readonly JsonObject[] {
    return node.type === 'doc' ? this.#noted('unwrap', isList(node.content) ? node.content.filter(isObject) : []) : [node];
  }

  #divided(line: JsonObject, inner: readonly JsonObject[], place: Place): readonly JsonObject[] {
    const parts = groups(inner, (child) => placesOf(child).includes(place));
    return this.#noted('divide', parts.flatMap(({ name: fits, items }) => (fits ? [{ ...line, content: items }] : items)));
  }

  /** What is in a place, where neighbours that may not stand there are in what may hold them. */
  #placed(nodes: readonly JsonObject[], place: Place): readonly JsonObject[] {
    const parts = groups(nodes, (node) => (placesOf(node).includes(place) ? undefined : (placesOf(node)[0] ?? 'block')));
    const placed = parts.length === 1 && parts[0]!.name === undefined ? nodes : parts.flatMap(({ name, items }) => (name === undefined ? items : this.#wrapped(items, name, place)));
    const isHole = ({ type, content }: JsonObject) => (type === 'table' || type === 'tableRow') && (!isList(content) || content.length === 0);
    return placed.some(isHole) ? placed.filter((node) => !isHole(node) || this.#noted('emptyTable', false)) : placed;
  }

  #wrapped(nodes: readonly JsonObject[], kind: Place, place: Place): readonly JsonObject[] {
    const wrap = (repair: Repair, type: string, within: Place) => this.#noted(repair, [{ type, content: this.#placed(nodes, within) }]);
    switch (place) {
      case 'item': return wrap('item', 'list_item', 'block');
      case 'row': return wrap('table', 'tableRow', 'cell');
      case 'cell': return wrap('table', 'tableCell', 'block');
      default: break;
    }
    switch (kind) {
      case 'item': return wrap('list', 'bullet_list', 'item');
      case 'row':
      case 'cell': return wrap('table', 'table', 'row');
      default: return wrap('paragraph', 'paragraph', 'inline');
    }
  }
}

/** A block of a component; nodes have a type. */
function isBlock({ component, type }: JsonObject): boolean {
  return typeof component === 'string' && typeof type !== 'string';
}

/** Neighbours with the same name, together. */
function groups<N>(nodes: readonly JsonObject[], nameOf: (node: JsonObject) => N): readonly { readonly name: N; readonly items: readonly JsonObject[] }[] {
  const found: { name: N; items: JsonObject[] }[] = [];
  for (const node of nodes) {
    const name = nameOf(node);
    const last = found.at(-1);
    if (last && last.name === name) last.items.push(node);
    else found.push({ name, items: [node] });
  }
  return found;
}
