// Which page loads of this browser are there. Each holds a lock with its name: it ends with the page, however that ends, and one that sleeps or is busy has it still.
// Browsers have locks in secure contexts only; without them nobody is known to be there.

export interface Tabs {
  /** From now on this one is there. Answers how it leaves. */
  enter(tab: string): () => void;
  /** Those that are there. */
  present(): Promise<ReadonlySet<string>>;
}

const PREFIX = 'lectern-tab-';

export function browserTabs(locks: LockManager | undefined): Tabs {
  return {
    enter(tab) {
      let leave = () => {};
      const isThere = new Promise<void>((resolve) => (leave = resolve));
      // A page that is on its way out is refused one.
      locks?.request(PREFIX + tab, () => isThere).catch(() => {});
      return leave;
    },
    async present() {
      const held = (await locks?.query())?.held ?? [];
      return new Set(held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])));
    },
  };
}
