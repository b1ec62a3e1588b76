// How often something happens. The clock and the timer are passed in, so that tests need not wait.

export interface Timers {
  /** Milliseconds. */
  now(): number;
  /** Calls later; what it answers takes that back. */
  later(milliseconds: number, act: () => void): () => void;
}

/** Does something at once, and then at most once in each interval; the last time always. */
export class Throttle {
  readonly #interval: number;
  readonly #act: () => void;
  readonly #timers: Timers;
  #cancel: (() => void) | undefined;
  #isDue = false;

  constructor(interval: number, act: () => void, timers: Timers) {
    this.#interval = interval;
    this.#act = act;
    this.#timers = timers;
  }

  run(): void {
    if (this.#cancel) {
      this.#isDue = true;
      return;
    }
    this.#isDue = false;
    this.#cancel = this.#timers.later(this.#interval, () => {
      this.#cancel = undefined;
      if (this.#isDue) this.run();
    });
    this.#act();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isDue = false;
  }
}

/** How many messages of a site are heard: some at once, then a few each second. A person clicks less often. */
export class Budget {
  readonly #most: number;
  readonly #perSecond: number;
  #left: number;
  #at = 0;

  constructor(most: number, perSecond: number) {
    this.#most = most;
    this.#perSecond = perSecond;
    this.#left = most;
  }

  take(now: number): boolean {
    this.#left = Math.min(this.#most, this.#left + ((now - this.#at) * this.#perSecond) / 1000);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
