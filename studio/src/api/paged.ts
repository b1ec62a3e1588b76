// A list of the server that may be long: its pages are read as they come into view, and what was read stays until there is something newer.

export interface Page<T> {
  readonly items: readonly T[];
  /** How many there are in all. */
  readonly total: number;
}

/** How long it waits while a list scrolls by, in milliseconds: pages that are only passed are not read. */
const REST = 80;

export class PagedList<T> {
  readonly #read: (page: number, signal: AbortSignal) => Promise<Page<T>>;
  readonly #perPage: number;
  readonly #onchange: () => void;
  #pages = new Map<number, readonly T[]>();
  /** Pages that were read before something changed. */
  #stale = new Set<number>();
  #reading = new Map<number, AbortController>();
  #first = 0;
  #end = 1;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #total = 0;
  #isRead = false;
  #isClosed = false;
  #problem: unknown;

  /** `read` answers a page, counted from 1; `onchange` is told whenever something else is to be shown. */
  constructor(perPage: number, read: (page: number, signal: AbortSignal) => Promise<Page<T>>, onchange: () => void) {
    this.#perPage = perPage;
    this.#read = read;
    this.#onchange = onchange;
    this.#readVisible();
  }

  get total(): number {
    return this.#total;
  }

  /** Whether anything was answered. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Why the last page that was asked for did not come. */
  get problem(): unknown {
    return this.#problem;
  }

  /** An item, where it was read. */
  at(index: number): T | undefined {
    return this.#pages.get(this.#pageOf(index))?.[index % this.#perPage];
  }

  /** What was read, from first to last. */
  items(): T[] {
    return [...this.#pages].sort(([one], [other]) => one - other).flatMap(([, items]) => items);
  }

  /** Which items are in sight: those that are missing are read, `end` is the one after the last. */
  show(first: number, end: number): void {
    if (first === this.#first && end === this.#end) return;
    this.#first = first;
    this.#end = Math.max(first + 1, end);
    this.#rest ??= setTimeout(() => {
      this.#rest = undefined;
      this.#readVisible();
    }, REST);
  }

  /** Something has changed, or a page did not come: what is in sight is read again, and the rest when it comes into view. */
  reload(): void {
    for (const abort of this.#reading.values()) abort.abort();
    this.#reading.clear();
    this.#stale = new Set(this.#pages.keys());
    this.#problem = undefined;
    this.#readVisible();
  }

  /** Nothing is read any more. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#rest);
    for (const abort of this.#reading.values()) abort.abort();
  }

  #pageOf(index: number): number {
    return Math.floor(index / this.#perPage) + 1;
  }

  #readVisible(): void {
    if (this.#isClosed) return;
    const [first, last] = [this.#pageOf(this.#first), this.#pageOf(Math.max(this.#first, this.#end - 1))];
    for (const [page, abort] of this.#reading) {
      if (page >= first && page <= last) continue;
      abort.abort();
      this.#reading.delete(page);
    }
    for (let page = first; page <= last; page += 1) {
      const isMissing = !this.#pages.has(page) || this.#stale.has(page);
      if (isMissing && !this.#reading.has(page)) void this.#readPage(page);
    }
  }

  async #readPage(page: number): Promise<void> {
    const abort = new AbortController();
    this.#reading.set(page, abort);
    try {
      const { items, total } = await this.#read(page, abort.signal);
      if (abort.signal.aborted) return;
      this.#take(page, items, total);
      this.#problem = undefined;
    } catch (problem) {
      if (abort.signal.aborted) return;
      this.#problem = problem;
    }
    this.#reading.delete(page);
    this.#onchange();
  }

  #take(page: number, items: readonly T[], total: number): void {
    this.#pages.set(page, items);
    this.#stale.delete(page);
    this.#isRead = true;
    if (total === this.#total) return;
    this.#total = total;
    const last = Math.ceil(total / this.#perPage);
    for (const known of [...this.#pages.keys()].filter((number) => number > last)) this.#pages.delete(known);
    // What was in sight may be beyond the end now.
    if (this.#first >= total) this.show(Math.max(0, total - this.#perPage), total);
  }
}
