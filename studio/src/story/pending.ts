// What was typed into fields and cannot be written: it is no JSON yet, no number, no date. The draft does not have it, so it is kept here while its field is not shown.
import { SvelteMap } from 'svelte/reactivity';
import type { Draft, Key } from '../draft/draft.ts';
import type { PendingText } from '../fields/editor.ts';
import { isEqual, type Json } from '../model/json.ts';

interface Pending {
  readonly block: Key;
  readonly member: string;
  readonly text: string;
  /** What the draft had then. Once it has something else, the text is out of date. */
  readonly value: Json | undefined;
}

/** One of a story that was left: its block is found again by where it is. */
export type LeftText = Omit<Pending, 'block'> & { readonly path: string };

export class PendingTexts {
  readonly #draft: Draft;
  readonly #texts = new SvelteMap<string, Pending>();

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  /** The text of one field. */
  of(block: Key, member: string): PendingText {
    const name = `${block} ${member}`;
    const [texts, draft] = [this.#texts, this.#draft];
    const isCurrent = (pending: Pending) => this.#isCurrent(pending);
    return {
      get text() {
        const pending = texts.get(name);
        return pending && isCurrent(pending) ? pending.text : undefined;
      },
      keep(text) {
        if (text === undefined || !draft.has(block)) texts.delete(name);
        else texts.set(name, { block, member, text, value: draft.block(block)[member] });
      },
    };
  }

  /** Whether a text would be lost with the page. */
  get isEmpty(): boolean {
    return ![...this.#texts.values()].some((pending) => this.#isCurrent(pending));
  }

  /** The texts that would be lost with the screen. */
  leave(): readonly LeftText[] {
    return [...this.#texts.values()].filter((pending) => this.#isCurrent(pending)).map(({ block, ...pending }) => ({ ...pending, path: this.#draft.path(block) }));
  }

  /** The story is open again: a text whose field is as it was is there again. */
  takeBack(left: readonly LeftText[]): void {
    for (const { path, member, text, value } of left) {
      const block = this.#draft.at(path);
      if (block !== undefined && isEqual(this.#draft.block(block)[member], value)) this.of(block, member).keep(text);
    }
  }

  #isCurrent({ block, member, value }: Pending): boolean {
    return this.#draft.has(block) && this.#draft.block(block)[member] === value;
  }
}
