// Keeps the copy of an open story: written while something is unsent, also while typing goes on, and deleted when the server has everything.

import type { Copies, Owner } from './copies.ts';
import type { Draft } from './draft.ts';
import type { Clock, Saver } from './saver.ts';

/** A change is in the copy after this long at the latest, in milliseconds, and the time that writing takes. */
export const DELAY = 200;

export class CopyWriter {
  readonly #draft: Draft;
  readonly #saver: Saver;
  readonly #copies: Copies;
  readonly #clock: Clock;
  readonly #onbroken: (isBroken: boolean) => void;
  readonly #ends: readonly (() => void)[];
  /** Copies of others that this draft has taken over: they go once it has one of its own, or needs none. */
  #adopted: Owner[] = [];
  #hasCopy = false;
  /** How many requests the server may have taken whose answers are not there. */
  #sent = 0;
  #isQueued = false;
  #isBroken = false;
  #cancel: (() => void) | undefined;
  #work: Promise<void> = Promise.resolve();

  /** Tells when the browser keeps no copies, as it refuses or its disk is full; and when it does again. */
  constructor(draft: Draft, saver: Saver, copies: Copies, clock: Clock, onbroken: (isBroken: boolean) => void = () => {}) {
    this.#draft = draft;
    this.#saver = saver;
    this.#copies = copies;
    this.#clock = clock;
    this.#onbroken = onbroken;
    this.#ends = [draft.subscribe('any', () => this.#soon()), saver.subscribe(() => this.#heard())];
    // What was typed while the store was opened.
    if (saver.isUnsent) this.#soon();
  }

  /** The draft holds what this copy held. */
  adopt(copy: Owner): Promise<void> {
    this.#adopted.push(copy);
    return this.flush();
  }

  /** Writes at once: the tab is hidden, and may not come back. Fulfilled when it is written. */
  flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    // One write is under way and one waits at most, however slow the disk is: the one that waits will hold everything.
    if (!this.#isQueued) {
      this.#isQueued = true;
      this.#work = this.#work.then(() => this.#write());
    }
    return this.#work;
  }

  /** The story is left. What is unsent stays in its copy. */
  async stop(): Promise<void> {
    for (const end of this.#ends) end();
    await this.flush();
    this.#copies.close();
  }

  /** Something is unsent; also what was undone, as long as the server may have it. */
  get #isNeeded(): boolean {
    return this.#saver.isUnsent && (this.#draft.isChanged || this.#saver.sent.length > 0);
  }

  /** What the server may have of it, or that it has everything, is written at once: what a tab leaves that ends now would else be of another version. */
  #heard(): void {
    const sent = this.#saver.sent.length;
    if (sent === this.#sent) return this.#soon();
    this.#sent = sent;
    void this.flush();
  }

  #soon(): void {
    this.#cancel ??= this.#clock.wake(this.#clock.now() + DELAY, () => void this.flush());
  }

  async #write(): Promise<void> {
    this.#isQueued = false;
    try {
      if (this.#isNeeded) {
        await this.#copies.write(this.#draft.base(), this.#saver.sent, this.#draft.content());
        this.#hasCopy = true;
      } else if (this.#hasCopy) {
        await this.#copies.delete();
        this.#hasCopy = false;
      }
      const replaced = this.#hasCopy || !this.#draft.isChanged ? this.#adopted.splice(0) : [];
      for (const copy of replaced) await this.#copies.delete(copy);
      this.#setBroken(false);
    } catch {
      this.#setBroken(true);
    }
  }

  #setBroken(isBroken: boolean): void {
    if (isBroken === this.#isBroken) return;
    this.#isBroken = isBroken;
    this.#onbroken(isBroken);
  }
}
