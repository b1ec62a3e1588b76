// For tests: a clock that goes when it is told to.

import type { Timers } from './pace.ts';

export class ManualClock implements Timers {
  #now = 0;
  #waiting: { readonly at: number; readonly act: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  later(milliseconds: number, act: () => void): () => void {
    const entry = { at: this.#now + milliseconds, act };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
    };
  }

  /** Lets time pass, and does what is due in it. */
  pass(milliseconds: number): void {
    const until = this.#now + milliseconds;
    for (;;) {
      const next = this.#waiting.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#waiting = this.#waiting.filter((entry) => entry !== next);
      this.#now = next.at;
      next.act();
    }
    this.#now = until;
  }
}
