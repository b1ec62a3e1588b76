// An open story. It holds the content, and nothing else does: form, outline, preview, saving and local copies read it here, and change it by operations alone.

import { isEqual, isObject, type JsonObject } from '../model/json.ts';
import type { Schemas } from '../model/schema.ts';
import { differences, type Difference } from './differences.ts';
import { History } from './history.ts';
import { merge, type Conflict } from './merge.ts';
import { inverse, ownerOf, perform, placeOf, repeat, type Change, type Operation } from './operations.ts';
import { Tree, type Key } from './tree.ts';

export type { Operation } from './operations.ts';
export type { Conflict } from './merge.ts';
export type { Difference } from './differences.ts';
export type { Key } from './tree.ts';

/** What the server has: as it was read, or as it took it last. */
export interface Base {
  readonly revision: number;
  readonly content: JsonObject;
}

/**
 * `structure` is where blocks are, `any` is everything. A Key is told when its own members or lists change. What happens to blocks within it is told to it only where
 * it may show them as JSON: in its rich texts, and in lists that no schema names.
 */
export type Topic = Key | 'structure' | 'any';

export class Draft {
  readonly root: Key;
  readonly #schemas: Schemas;
  readonly #tree: Tree;
  readonly #history = new History();
  readonly #opened: JsonObject;
  readonly #clock: () => number;
  readonly #listeners = new Map<Topic, Set<() => void>>();
  #base: Base;
  #leftTheirs = false;
  /** The operations of a step that is being made. */
  #waiting: Operation[] | undefined;

  constructor(base: Base, schemas: Schemas, clock: () => number) {
    this.#base = base;
    this.#opened = base.content;
    this.#schemas = schemas;
    this.#tree = new Tree(base.content, schemas);
    this.#clock = clock;
    this.root = this.#tree.root;
  }

  /** The content: the same object while nothing changes. */
  content(): JsonObject {
    return this.#tree.json(this.root);
  }

  base(): Base {
    return this.#base;
  }

  /** Whether the server has something else. */
  get isChanged(): boolean {
    return !isEqual(this.content(), this.#base.content);
  }

  /** A block; one that was removed as it was last. */
  block(key: Key): JsonObject {
    return this.#tree.json(key);
  }

  has(key: Key): boolean {
    return this.#tree.has(key);
  }

  /** The lists of blocks of a block, in the order of its members: `body`, `body__i18n__de`, and `text/0` for the first `blok` node of the rich text `text`. */
  lists(key: Key): readonly string[] {
    const isRichText = (field: string) => isObject(this.#tree.value(key, field));
    return this.#tree.fields(key).flatMap((field) => (isRichText(field) ? this.nodes(key, field).map((_, index) => `${field}/${index}`) : [field]));
  }

  /** The blocks of a list; none where nothing is. */
  children(key: Key, field: string): readonly Key[] {
    const place = placeOf(this.#tree, key, field);
    return (this.#tree.children(place.parent, place.field) ?? []).filter((child) => !this.#tree.isNode(child));
  }

  /** The `blok` nodes of a rich text, in the order of the document: a `set` of the document names them as `nodes`. */
  nodes(key: Key, field: string): readonly Key[] {
    return (this.#tree.children(key, field) ?? []).filter((child) => this.#tree.isNode(child));
  }

  /** The block that a block is in, with the list and the place there; nothing of the root, and of what was removed. */
  parent(key: Key): { readonly parent: Key; readonly field: string; readonly at: number } | undefined {
    const place = this.has(key) ? this.#tree.place(key) : undefined;
    if (!place) return undefined;
    const at = this.#tree.children(place.parent, place.field)!.indexOf(key);
    if (!this.#tree.isNode(place.parent)) return { ...place, at };
    const outer = this.#tree.place(place.parent)!;
    return { parent: outer.parent, field: `${outer.field}/${this.nodes(outer.parent, outer.field).indexOf(place.parent)}`, at };
  }

  /** Where a block is, as the server names it: `body/3/cta/0`; the root is the empty text. */
  path(key: Key): string {
    const place = this.parent(key);
    if (!place) return '';
    const above = this.path(place.parent);
    return `${above}${above ? '/' : ''}${place.field}/${place.at}`;
  }

  /** The block at a path. */
  at(path: string): Key | undefined {
    const { block, rest } = this.locate(path);
    return rest === '' ? block : undefined;
  }

  /** The innermost block that a path leads to, and what is left of it: a field, of a path that the server gives to a problem. */
  locate(path: string): { readonly block: Key; readonly rest: string } {
    let [block, rest] = [this.root, path];
    for (;;) {
      const list = this.lists(block).find((field) => rest.startsWith(`${field}/`));
      const [number = '', ...further] = list === undefined ? [] : rest.slice(list.length + 1).split('/');
      const child = list === undefined || !/^\d+$/.test(number) ? undefined : this.children(block, list)[Number(number)];
      if (child === undefined) return { block, rest };
      [block, rest] = [child, further.join('/')];
    }
  }

  /** Makes one step of operations. It throws on what no caller should ask for, and then nothing of it is done. */
  apply(...operations: readonly Operation[]): void {
    if (this.#waiting) return void this.#waiting.push(...operations);
    const changes: Change[] = [];
    try {
      for (const operation of operations) changes.push(...perform(this.#tree, operation));
    } catch (error) {
      for (const change of changes.toReversed()) repeat(this.#tree, inverse(change));
      throw error;
    }
    if (changes.length === 0) return;
    const isAlone = operations.some((operation) => operation.kind === 'set' && operation.isAlone);
    this.#history.add(changes, isAlone ? undefined : this.#clock());
    this.#tell(changes);
  }

  /** Makes one step of all that is applied during the act, at its end. */
  asOneStep(act: () => void): void {
    const operations: Operation[] = (this.#waiting = []);
    try {
      act();
    } finally {
      this.#waiting = undefined;
    }
    this.apply(...operations);
  }

  get canUndo(): boolean {
    return this.#history.canUndo;
  }

  get canRedo(): boolean {
    return this.#history.canRedo;
  }

  /** The last undo or redo left something as it is, because others have changed it since. */
  get leftTheirs(): boolean {
    return this.#leftTheirs;
  }

  /** Makes the last step back; false when there is none. */
  undo(): boolean {
    return this.#repeat(this.#history.undo()?.toReversed().map(inverse));
  }

  redo(): boolean {
    return this.#repeat(this.#history.redo());
  }

  /** Makes everything back since the story was opened: one step, which can be undone as well. */
  undoAll(): boolean {
    if (isEqual(this.content(), this.#opened)) return false;
    const changes = this.#history.lastFirst().flatMap((step) => step.toReversed().map(inverse));
    const made = changes.filter((change) => repeat(this.#tree, change));
    this.#leftTheirs = made.length < changes.length;
    // Older steps than the history has.
    if (this.#history.isCut && !this.#leftTheirs) made.push(...this.#setAll(this.#opened));
    this.#history.add(made);
    this.#tell(made);
    return true;
  }

  /** Calls the listener after each step that touches the topic, once. The answer ends that. */
  subscribe(what: Topic, listener: () => void): () => void {
    const listeners = this.#listeners.get(what) ?? new Set();
    this.#listeners.set(what, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(what) === listeners) this.#listeners.delete(what);
    };
  }

  /** The server has taken a content: without one, the present one. */
  acknowledged(revision: number, content = this.content()): void {
    this.#base = { revision, content };
  }

  /** The content becomes what others have made of it, in one step, so that undo brings back what was here. */
  take(theirs: Base): void {
    this.#base = { revision: theirs.revision, content: theirs.content };
    this.replace(theirs.content);
  }

  /** The content becomes another one, in one step. Blocks that are in both keep their Keys. */
  replace(content: JsonObject): void {
    const changes = this.#setAll(content);
    if (changes.length > 0) this.#history.add(changes);
    this.#tell(changes);
  }

  /** Takes what others have changed since the base into the content. Where both have changed the same, the content keeps mine. Undo does not reach it. */
  merge(theirs: Base): readonly Conflict[] {
    const { content, conflicts } = merge(this.#base.content, this.content(), theirs.content, this.#schemas);
    this.#base = { revision: theirs.revision, content: theirs.content };
    this.#tell(this.#setAll(content));
    return conflicts;
  }

  /** What differs from the base, field by field: in the content here, or in that of others. */
  differences(content = this.content()): readonly Difference[] {
    return differences(this.#base.content, content, this.#schemas);
  }

  #repeat(step: readonly Change[] | undefined): boolean {
    if (!step) return false;
    const made = step.filter((change) => repeat(this.#tree, change));
    this.#leftTheirs = made.length < step.length;
    this.#tell(made);
    return true;
  }

  /** Sets every member of the root that differs. */
  #setAll(content: JsonObject): Change[] {
    const names = new Set([...Object.keys(this.content()), ...Object.keys(content)]);
    return [...names].flatMap((field) => perform(this.#tree, { kind: 'set', block: this.root, field, value: content[field] }));
  }

  /** The blocks above that may show a block as a part of the JSON of a field. */
  #showingAsJson(key: Key): Key[] {
    const place = this.#tree.place(key);
    if (!place) return [];
    const above = ownerOf(this.#tree, place.parent);
    const isList = this.#schemas.field(this.#tree.json(above), place.field)?.type === 'bloks' && above === place.parent;
    return [...(isList ? [] : [above]), ...this.#showingAsJson(above)];
  }

  #tell(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    const topics = new Set<Topic>(['any']);
    for (const change of changes) {
      for (const key of touchedBy(change)) {
        topics.add(key).add(ownerOf(this.#tree, key));
        for (const above of this.#showingAsJson(key)) topics.add(above);
      }
      if (change.kind === 'move' || change.before.keys || change.after.keys) topics.add('structure');
    }
    const listeners = new Set([...topics].flatMap((topic) => [...(this.#listeners.get(topic) ?? [])]));
    for (const listener of listeners) listener();
  }
}

/** The Keys whose members or lists a change has changed. */
function touchedBy(change: Change): Key[] {
  if (change.kind === 'move') return [change.block, change.from?.parent, change.to?.parent].filter((key) => key !== undefined);
  const { before, after } = change;
  return [change.block, ...[...after.entries.keys()].filter((key) => before.entries.get(key) !== after.entries.get(key))];
}
