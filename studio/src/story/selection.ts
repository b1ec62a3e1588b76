// The blocks that a person has selected to do something with all of them at once. What is done with one of these is done with all.
import { SvelteSet } from 'svelte/reactivity';
import type { Draft, Key } from '../draft/draft.ts';
import { listOf } from './lists.ts';

export class Selection {
  readonly #draft: Draft;
  readonly #keys = new SvelteSet<Key>();
  /** Where a range begins. */
  #anchor: Key | undefined;

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  has(key: Key): boolean {
    return this.#keys.has(key);
  }

  get size(): number {
    return this.#keys.size;
  }

  /** In the order of the document, without those that are within another one of them. */
  get keys(): readonly Key[] {
    return [...this.#outermost(this.#draft.root)];
  }

  /** The blocks that something at one of them is done with: all that are selected when it is one of them, else this one. */
  of(key: Key): readonly Key[] {
    return this.has(key) ? this.keys : [key];
  }

  toggle(key: Key): void {
    if (!this.#keys.delete(key)) this.#keys.add(key);
    this.#anchor = key;
  }

  /** From the one that was selected or focused last to this one, where both are in one list. */
  extendTo(key: Key, from: Key): void {
    const anchor = this.#anchor !== undefined && this.has(this.#anchor) ? this.#anchor : from;
    const [one, other] = [listOf(this.#draft, anchor), listOf(this.#draft, key)];
    if (!one || !other || one.parent !== other.parent || one.list !== other.list) return this.toggle(key);
    this.clear();
    const [first, last] = one.at < other.at ? [one.at, other.at] : [other.at, one.at];
    for (const each of this.#draft.children(one.parent, one.list).slice(first, last + 1)) this.#keys.add(each);
    this.#anchor = anchor;
  }

  /** All blocks of the list that this one is in. */
  all(key: Key): void {
    const list = listOf(this.#draft, key);
    if (list) for (const each of this.#draft.children(list.parent, list.list)) this.#keys.add(each);
  }

  clear(): void {
    this.#keys.clear();
    this.#anchor = undefined;
  }

  /** What is gone is selected no more. */
  prune(): void {
    for (const key of [...this.#keys]) if (!this.#draft.has(key)) this.#keys.delete(key);
  }

  *#outermost(key: Key): Generator<Key> {
    if (this.has(key)) return yield key;
    for (const list of this.#draft.lists(key)) for (const child of this.#draft.children(key, list)) yield* this.#outermost(child);
  }
}
