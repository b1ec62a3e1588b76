// The blocks of a content by Key. The content itself is plain JSON that is never changed in place: a change copies the blocks on the way from the root, and shares
// the rest. Beside it stands what each Key is: a block, or a `blok` node of rich text, whose blocks are in its `body`.

import { isEqual, isList, isObject, withMember, type Json, type JsonObject } from '../model/json.ts';
import type { Schemas } from '../model/schema.ts';
import { blokNodes, contentOf, isBlocks, withBlokNodes } from './blocks.ts';

/** The identity of a block or a `blok` node inside one Draft: its number in document order at load, then counted on. `_uid`s are data and repeat. */
export type Key = number;

/** A list that a block is in. */
export interface Place {
  readonly parent: Key;
  readonly field: string;
}

interface Entry {
  readonly json: JsonObject;
  /** A `blok` node of rich text. */
  readonly isNode: boolean;
  /** None of the root, and of what was taken out. */
  readonly place: Place | undefined;
  /** The blocks of each member that is a list of blocks, and the `blok` nodes of each that is rich text. */
  readonly children: ReadonlyMap<string, readonly Key[]>;
}

/** What a member holds, with the Keys of all within it, so that it can be put back as it was. */
export interface Slot {
  readonly value: Json | undefined;
  /** Its place among the members. */
  readonly at: number;
  readonly keys: readonly Key[] | undefined;
  readonly entries: ReadonlyMap<Key, Entry>;
}

const BODY = 'body';

export class Tree {
  readonly root: Key;
  readonly #schemas: Schemas;
  readonly #entries = new Map<Key, Entry>();
  #next: Key = 1;

  constructor(content: JsonObject, schemas: Schemas) {
    this.#schemas = schemas;
    this.root = this.#load(content, undefined, false);
  }

  /** The block, or the `blok` node, as it is now; what was taken out as it was last. */
  json(key: Key): JsonObject {
    return this.#entry(key).json;
  }

  isNode(key: Key): boolean {
    return this.#entry(key).isNode;
  }

  /** Whether a block is in the content, and was not taken out. */
  has(key: Key): boolean {
    if (key === this.root) return true;
    const place = this.#entries.get(key)?.place;
    return place !== undefined && (this.children(place.parent, place.field)?.includes(key) ?? false) && this.has(place.parent);
  }

  place(key: Key): Place | undefined {
    return this.#entry(key).place;
  }

  /** The blocks of a list, or the `blok` nodes of a rich text; nothing when the member is neither. */
  children(key: Key, field: string): readonly Key[] | undefined {
    return this.#entry(key).children.get(field);
  }

  /** The members that hold blocks or `blok` nodes, in their order. */
  fields(key: Key): readonly string[] {
    const entry = this.#entry(key);
    return Object.keys(membersOf(entry)).filter((field) => entry.children.has(field));
  }

  /** What a member holds. A `blok` node has the one member `body`. */
  value(key: Key, field: string): Json | undefined {
    return membersOf(this.#entry(key))[field];
  }

  /** Whether a member is a list of blocks, or an empty one. */
  isBlockList(key: Key, field: string): boolean {
    const value = this.value(key, field);
    return isList(value) && (value.length === 0 || this.children(key, field) !== undefined);
  }

  /** A new block, which is in no list yet. */
  create(block: JsonObject): Key {
    return this.#load(block, undefined, false);
  }

  /** Puts a block that is in no list into one. */
  attach(key: Key, place: Place, at: number): void {
    const parent = this.#entry(place.parent);
    const keys = [...(parent.children.get(place.field) ?? [])];
    keys.splice(at, 0, key);
    this.#entries.set(key, { ...this.#entry(key), place });
    this.#setChildren(place, keys);
  }

  /** Takes a block out of its list. */
  detach(key: Key): void {
    const { place } = this.#entry(key);
    if (!place) return;
    this.#entries.set(key, { ...this.#entry(key), place: undefined });
    this.#setChildren(place, this.children(place.parent, place.field)!.filter((other) => other !== key));
  }

  /** What a member holds now. */
  slot(key: Key, field: string): Slot {
    const entry = this.#entry(key);
    const members = membersOf(entry);
    const keys = entry.children.get(field);
    const entries = new Map<Key, Entry>();
    const collect = (child: Key) => {
      const own = this.#entry(child);
      entries.set(child, own);
      for (const below of own.children.values()) below.forEach(collect);
    };
    keys?.forEach(collect);
    return { value: members[field], at: Object.keys(members).indexOf(field), keys, entries };
  }

  /** Puts back what a member held. */
  restore(key: Key, field: string, slot: Slot): void {
    for (const [child, entry] of slot.entries) this.#entries.set(child, entry);
    this.#write(key, field, slot.value, slot.keys, slot.at < 0 ? undefined : slot.at);
  }

  /**
   * Sets a member. Blocks of the new value that were there before, by `_uid`, keep their Keys. `nodes` names the `blok` nodes of a rich text by Key: these keep the
   * blocks that they have now, whatever the value says; without a Key one is new.
   */
  set(key: Key, field: string, value: Json | undefined, nodes?: readonly (Key | undefined)[]): void {
    const entry = this.#entry(key);
    const old = entry.children.get(field) ?? [];
    const whole = nodes && isObject(value) ? this.#withBodies(value, nodes) : value;
    this.#write(key, field, whole, this.#loadMember(key, entry, field, whole, old, nodes));
  }

  /** A rich text whose nodes have the blocks that their Keys have now. */
  #withBodies(document: JsonObject, nodes: readonly (Key | undefined)[]): JsonObject {
    return withBlokNodes(document, blokNodes(document).map((node, index) => {
      const key = nodes[index];
      if (key === undefined) return node;
      const own = membersOf(this.#entry(key));
      return { ...node, attrs: withMember(isObject(node.attrs) ? node.attrs : {}, BODY, own[BODY]) };
    }));
  }

  #entry(key: Key): Entry {
    const entry = this.#entries.get(key);
    if (!entry) throw new Error(`no block has the key ${key}`);
    return entry;
  }

  /** Reads a block or node and all within it; one that was there before keeps its Key, and those of what is within it. */
  #load(json: JsonObject, place: Place | undefined, isNode: boolean, kept?: Key): Key {
    const key = kept ?? this.#next++;
    const before = kept === undefined ? undefined : this.#entries.get(kept);
    if (before?.json === json) {
      this.#entries.set(key, { ...before, place });
      return key;
    }
    const entry = { json, isNode, place, children: new Map<string, readonly Key[]>() };
    for (const [field, value] of Object.entries(membersOf(entry))) {
      const keys = this.#loadMember(key, entry, field, value, before?.children.get(field) ?? []);
      if (keys) entry.children.set(field, keys);
    }
    this.#entries.set(key, entry);
    return key;
  }

  #loadMember(key: Key, entry: Entry, field: string, value: Json | undefined, old: readonly Key[], nodes?: readonly (Key | undefined)[]): Key[] | undefined {
    const place = { parent: key, field };
    if (entry.isNode) {
      return field === BODY && isBlocks(value) ? this.#loadAll(value, place, false, old) : undefined;
    }
    switch (contentOf(entry.json, field, value, this.#schemas)) {
      case 'blocks': return this.#loadAll(value as readonly JsonObject[], place, false, old);
      case 'richtext': return this.#loadAll(blokNodes(value as JsonObject), place, true, old, nodes);
      case 'value': return undefined;
    }
  }

  #loadAll(items: readonly JsonObject[], place: Place, isNode: boolean, old: readonly Key[], nodes: readonly (Key | undefined)[] = []): Key[] {
    const left = old.filter((key) => !nodes.includes(key));
    return items.map((item, index) => {
      const at = left.findIndex((key) => isSame(this.json(key), item));
      const kept = nodes[index] ?? (at < 0 ? undefined : left.splice(at, 1)[0]);
      return this.#load(item, place, isNode, kept);
    });
  }

  /** Writes a member whose Keys are known already. */
  #write(key: Key, field: string, value: Json | undefined, keys: readonly Key[] | undefined, at?: number): void {
    const entry = this.#entry(key);
    const children = new Map(entry.children);
    children.delete(field);
    if (keys) children.set(field, keys);
    this.#replace(key, { ...entry, json: withMemberOf(entry, field, value, at), children });
  }

  #setChildren({ parent, field }: Place, keys: readonly Key[]): void {
    const entry = this.#entry(parent);
    const children = new Map(entry.children).set(field, keys);
    this.#replace(parent, { ...entry, json: withMemberOf(entry, field, this.#valueOf(entry, field, keys)), children });
  }

  /** The value of a member that has these blocks or nodes. */
  #valueOf(entry: Entry, field: string, keys: readonly Key[]): Json {
    const items = keys.map((key) => this.json(key));
    const value = membersOf(entry)[field];
    return isObject(value) ? withBlokNodes(value, items) : items;
  }

  /** Replaces what a Key stands for, and with it all that it is in. */
  #replace(key: Key, entry: Entry): void {
    this.#entries.set(key, entry);
    if (!entry.place) return;
    const { parent, field } = entry.place;
    const above = this.#entry(parent);
    this.#replace(parent, { ...above, json: withMemberOf(above, field, this.#valueOf(above, field, above.children.get(field) ?? [])) });
  }
}

/** The members of a block; of a `blok` node its attributes. */
function membersOf({ json, isNode }: Pick<Entry, 'json' | 'isNode'>): JsonObject {
  if (!isNode) return json;
  return isObject(json.attrs) ? json.attrs : {};
}

function withMemberOf(entry: Entry, field: string, value: Json | undefined, at?: number): JsonObject {
  const members = withMember(membersOf(entry), field, value, at);
  return entry.isNode ? { ...entry.json, attrs: members } : members;
}

/** Whether one is the other, perhaps changed: blocks have a `_uid`, nodes an `id`. */
function isSame(one: JsonObject, other: JsonObject): boolean {
  const nameOf = (json: JsonObject) => json._uid ?? (isObject(json.attrs) ? json.attrs.id : undefined);
  const name = nameOf(one);
  return isEqual(one, other) || (typeof name === 'string' && name !== '' && name === nameOf(other) && one.component === other.component);
}
