// The stories that a person has opened or chosen last in this browser, by their UUIDs: the search for a story begins with them.

/** How many are kept. */
const MOST = 20;

export class RecentStories {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly #name: string;

  /** They are kept in the browser's `localStorage`. */
  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>, space: number, person: string) {
    this.#storage = storage;
    this.#name = `lectern-recent-${space}-${person}`;
  }

  /** The last one first. */
  list(): readonly string[] {
    return (this.#storage.getItem(this.#name) ?? '').split(',').filter(Boolean);
  }

  add(uuid: string): void {
    const kept = [uuid, ...this.list().filter((other) => other !== uuid)].slice(0, MOST);
    try {
      this.#storage.setItem(this.#name, kept.join(','));
    } catch {
      // Without room the search begins with those that were kept before.
    }
  }
}
