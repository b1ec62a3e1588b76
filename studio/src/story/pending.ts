// What was typed into fields and cannot be written: it is no JSON yet, no number, no date. The draft does not have it, so it is kept here while its field is not shown.
import { SvelteMap } from 'svelte/reactivity';
import type { Draft, Key } from '../draft/draft.ts';
import type { PendingText } from '../fields/editor.ts';
import { isEqual, type Json } from '../model/json.ts';

interface Pending {
  readonly block: Key;
  readonly member: string;
  readonly text: string;
  /** What the draft had then. Once it has something else, by undo or another person, the text is out of date: it is offered, and not shown as if it were of now. */
  readonly value: Json | undefined;
}

/** One of a story that was left: its block is found again by where it is. */
export type LeftText = Omit<Pending, 'block'> & { readonly path: string };

export class PendingTexts {
  readonly #draft: Draft;
  readonly #texts = new SvelteMap<string, Pending>();
  /** Those in whose place something else was typed before they were taken back or dropped. */
  readonly #outdated = new SvelteMap<string, Pending>();

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  /** The text of one field. */
  of(block: Key, member: string): PendingText {
    const name = `${block} ${member}`;
    const [texts, older, draft] = [this.#texts, this.#outdated, this.#draft];
    const isCurrent = (pending: Pending) => this.#isCurrent(pending);
    const outdated = () => {
      const pending = texts.get(name);
      return pending && !isCurrent(pending) ? pending : older.get(name);
    };
    const drop = () => {
      const pending = texts.get(name);
      if (pending && !isCurrent(pending)) texts.delete(name);
      else older.delete(name);
    };
    const keep = (text: string | undefined) => {
      const pending = texts.get(name);
      if (pending && draft.has(block) && !isCurrent(pending)) older.set(name, pending);
      if (text === undefined || !draft.has(block)) texts.delete(name);
      else texts.set(name, { block, member, text, value: draft.block(block)[member] });
    };
    return {
      get text() {
        const pending = texts.get(name);
        return pending && isCurrent(pending) ? pending.text : undefined;
      },
      get outdated() {
        return draft.has(block) ? outdated()?.text : undefined;
      },
      keep,
      renew(text) {
        texts.set(name, { block, member, text, value: draft.block(block)[member] });
      },
      drop,
      takeBack() {
        const text = outdated()?.text;
        drop();
        keep(text);
      },
    };
  }

  /** Whether a text would be lost with the page. */
  get isEmpty(): boolean {
    return this.leave().length === 0;
  }

  /** The texts that would be lost with the screen. */
  leave(): readonly LeftText[] {
    const all = [...this.#outdated.values(), ...this.#texts.values()].filter(({ block }) => this.#draft.has(block));
    return all.map(({ block, ...pending }) => ({ ...pending, path: this.#draft.path(block) }));
  }

  /** The story is open again: a text whose field is as it was is there again, any other is offered. */
  takeBack(left: readonly LeftText[]): void {
    for (const { path, member, text, value } of left) {
      const block = this.#draft.at(path);
      if (block === undefined) continue;
      if (isEqual(this.#draft.block(block)[member], value)) this.of(block, member).keep(text);
      else this.#outdated.set(`${block} ${member}`, { block, member, text, value });
    }
  }

  #isCurrent({ block, member, value }: Pending): boolean {
    return this.#draft.has(block) && this.#draft.block(block)[member] === value;
  }
}
