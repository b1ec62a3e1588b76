// What tests of copies have in place of a browser: what it keeps, and its tabs, which hear each other.

import { Copies, type Channel, type Copy, type CopyStore, type Owner } from './copies.ts';
import { CopyWriter } from './copywriter.ts';
import { Draft } from './draft.ts';
import { schemas } from './example.ts';
import { HandClock, Server } from './fakes.ts';
import { Saver } from './saver.ts';
import type { Tabs } from './tabs.ts';

/** Copies in memory. */
export class Memory implements CopyStore {
  copies: Copy[] = [];
  writes = 0;
  isFull = false;
  disk: Promise<unknown> = Promise.resolve();

  async put(copy: Copy): Promise<void> {
    if (this.isFull) throw new Error('QuotaExceededError');
    this.writes++;
    await this.disk;
    await this.delete(copy);
    this.copies.push(copy);
  }

  async delete({ person, space, story, tab }: Owner): Promise<void> {
    this.copies = this.copies.filter((copy) => copy.person !== person || copy.space !== space || copy.story !== story || copy.tab !== tab);
  }

  async of(person: string): Promise<readonly Copy[]> {
    return this.copies.filter((copy) => copy.person === person);
  }

  async deleteBefore(time: number): Promise<void> {
    this.copies = this.copies.filter(({ at }) => at >= time);
  }
}

/** What all tabs of a browser share. */
export class Browser {
  readonly clock = new HandClock();
  readonly memory = new Memory();
  readonly server = new Server();
  /** The names of those that hold a lock; a browser without locks knows nobody. */
  readonly locked = new Set<string>();
  hasLocks = false;
  readonly tabs: Tabs = {
    enter: (tab) => {
      if (this.hasLocks) this.locked.add(tab);
      return () => this.locked.delete(tab);
    },
    present: async () => this.locked,
  };
  #channels: { listener: (event: { data: unknown }) => void }[] = [];

  /** No tab that is there now hears the others any more. */
  silence(): void {
    this.#channels = [];
  }

  channel(): Channel {
    const own = { listener: (_event: { data: unknown }) => {} };
    this.#channels.push(own);
    return {
      postMessage: (data) => this.#channels.filter((other) => other !== own).forEach(({ listener }) => listener({ data })),
      addEventListener: (_type, listener) => (own.listener = listener),
      close: () => (this.#channels = this.#channels.filter((other) => other !== own)),
    };
  }

  tab(name: string, more: Partial<Owner> = {}) {
    const { clock, server } = this;
    const draft = new Draft({ revision: server.revision, content: server.content }, schemas, clock.now);
    const saver = new Saver(draft, { save: (request, onsignedout) => server.save(request, onsignedout), staleOf: () => undefined }, clock);
    const channel = this.channel();
    const copies = new Copies({ person: 'ann', space: 1, story: 2, tab: name, ...more }, this.memory, channel, this.tabs, clock);
    /** What was said about whether copies are kept. */
    const told: boolean[] = [];
    const writer = new CopyWriter(draft, saver, copies, clock, (isBroken) => told.push(isBroken));
    const type = (title: string) => draft.apply({ kind: 'set', block: draft.root, field: 'title', value: title });
    /** The process ends: nothing more is written, sent or answered. */
    const kill = () => {
      channel.close();
      this.locked.delete(name);
      saver.stop();
      writer.stop = async () => {};
      this.memory.put = async () => {};
    };
    return { draft, saver, copies, writer, told, type, kill };
  }

  /** The copies that are found, while time passes. */
  async left(copies: Copies): Promise<readonly Copy[]> {
    const found = copies.left();
    await this.clock.pass(1000);
    return found;
  }
}

export const titles = (copies: readonly Copy[]) => copies.map((copy) => copy.content.title);
