// Reads a draft for parts of the page. Each block is read through a subscription of its own, so that a key that is typed asks only the parts that show the block;
// the content itself is never reactive state.

import { createSubscriber } from 'svelte/reactivity';
import type { Draft, Key } from '../draft/draft.ts';
import { componentName, displayName } from '../model/blocks.ts';
import type { JsonObject } from '../model/json.ts';
import type { Component, Schemas } from '../model/schema.ts';
import { texts } from '../texts/texts.ts';

const NOTHING: JsonObject = {};

export class DraftReader {
  readonly draft: Draft;
  readonly schemas: Schemas;
  readonly #watched = new Map<Key, () => void>();
  readonly #structure: () => void;
  readonly #any: () => void;

  constructor(draft: Draft, schemas: Schemas) {
    this.draft = draft;
    this.schemas = schemas;
    this.#structure = createSubscriber((update) => draft.subscribe('structure', update));
    this.#any = createSubscriber((update) => draft.subscribe('any', update));
  }

  /** The members of a block; what reads them is told when they change. */
  block(key: Key): JsonObject {
    this.#watch(key);
    return this.draft.has(key) ? this.draft.block(key) : NOTHING;
  }

  component(key: Key): Component | undefined {
    return this.schemas.component(this.block(key).component);
  }

  /** What a block is called. */
  nameOf(key: Key): string {
    const component = this.component(key);
    return component ? displayName(component) : componentName(this.block(key)) || texts().blockWithoutName;
  }

  /** The blocks of a list. */
  children(key: Key, list: string): readonly Key[] {
    this.#watch(key);
    this.watchStructure();
    return this.draft.has(key) ? this.draft.children(key, list) : [];
  }

  /** The lists of a block that hold blocks, those within its rich texts with them. */
  lists(key: Key): readonly string[] {
    this.#watch(key);
    this.watchStructure();
    return this.draft.has(key) ? this.draft.lists(key) : [];
  }

  /** The `blok` nodes of a rich text. */
  nodes(key: Key, member: string): readonly Key[] {
    this.#watch(key);
    this.watchStructure();
    return this.draft.has(key) ? this.draft.nodes(key, member) : [];
  }

  /** Makes what reads the whole draft ask again when anything changes. */
  watchAny(): void {
    this.#any();
  }

  /** Whether a member holds a list of blocks. */
  isList(key: Key, member: string): boolean {
    return this.lists(key).includes(member);
  }

  /** Where a member of a block is, as the server names it. */
  pathOf(key: Key, member: string): string {
    this.watchStructure();
    const path = this.draft.has(key) ? this.draft.path(key) : '';
    return path ? `${path}/${member}` : member;
  }

  /** Makes what reads places of blocks ask again when blocks come, go or move. */
  watchStructure(): void {
    this.#structure();
  }

  #watch(key: Key): void {
    let watch = this.#watched.get(key);
    if (!watch) {
      watch = createSubscriber((update) => this.draft.subscribe(key, update));
      this.#watched.set(key, watch);
    }
    watch();
  }
}
