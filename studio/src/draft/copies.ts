// Copies of unsent work in this browser: what a closed, killed or signed-out tab has not sent is there when the story is opened again. A copy never takes the place
// of what the server has unasked: it is put into the draft only when it was made on just that, and the draft can be undone.

import { isEqual, type JsonObject } from '../model/json.ts';
import type { Base } from './draft.ts';
import type { Clock } from './saver.ts';
import type { Tabs } from './tabs.ts';

/** Another number is of another release of the studio, and is not put into a draft. */
export const FORMAT = 1;
/** After so many milliseconds a copy is deleted: 30 days. */
export const KEPT = 30 * 24 * 3600 * 1000;
/** How long other tabs may take to say that they are there, in milliseconds. */
const PATIENCE = 300;

/** Whose copy it is, and of what. A tab is one page load: it has a new name each time. */
export interface Owner {
  readonly person: string;
  readonly space: number;
  readonly story: number;
  readonly tab: string;
}

export interface Copy extends Owner {
  readonly format: number;
  /** When it was written. */
  readonly at: number;
  /** What it was made on. */
  readonly base: Base;
  /** What the server may have of it. */
  readonly sent: readonly JsonObject[];
  readonly content: JsonObject;
}

/** Where copies are kept: `copystore.ts` has IndexedDB. */
export interface CopyStore {
  put(copy: Copy): Promise<void>;
  delete(owner: Owner): Promise<void>;
  /** All copies of a person. */
  of(person: string): Promise<readonly Copy[]>;
  /** Deletes what was written before a time, of whomever. */
  deleteBefore(time: number): Promise<void>;
}

/** A `BroadcastChannel`. */
export interface Channel {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  close(): void;
}

/** What becomes of a copy when its story is opened. */
export type Judgement =
  /** The server has all of it. */
  | 'done'
  /** It was made on what the server has, and goes on from there. */
  | 'continues'
  /** The story was changed since, or another release of the studio has written it: it is offered beside the story. */
  | 'beside';

export function judge(copy: Copy, server: Base): Judgement {
  if (copy.format !== FORMAT) return 'beside';
  if (isEqual(copy.content, server.content)) return 'done';
  if (copy.base.revision === server.revision) return 'continues';
  // Requests whose answers were lost; and what changes no content, such as a publication.
  return [copy.base.content, ...copy.sent].some((content) => isEqual(content, server.content)) ? 'continues' : 'beside';
}

/** The copies of one story, as the tab sees them that has it open. */
export class Copies {
  readonly owner: Owner;
  readonly #store: CopyStore;
  readonly #channel: Channel;
  readonly #clock: Clock;
  readonly #tabs: Tabs;
  readonly #leave: () => void;
  readonly #living = new Set<string>();

  constructor(owner: Owner, store: CopyStore, channel: Channel, tabs: Tabs, clock: Clock) {
    this.owner = owner;
    this.#store = store;
    this.#channel = channel;
    this.#tabs = tabs;
    this.#leave = tabs.enter(owner.tab);
    this.#clock = clock;
    channel.addEventListener('message', ({ data }) => this.#hear(data));
  }

  /** What other page loads of this person have left of the story, the newest first; not what a tab that is open will send by itself. */
  async left(): Promise<readonly Copy[]> {
    await this.#store.deleteBefore(this.#clock.now() - KEPT);
    const { person, space, story, tab } = this.owner;
    const present = await this.#tabs.present();
    const isOf = (copy: Copy) => copy.space === space && copy.story === story && copy.tab !== tab && !present.has(copy.tab);
    const found = (await this.#store.of(person)).filter(isOf);
    if (found.length === 0) return [];
    this.#living.clear();
    this.#channel.postMessage({ ask: tab });
    await new Promise<void>((resolve) => this.#clock.wake(this.#clock.now() + PATIENCE, resolve));
    return found.filter((copy) => !this.#living.has(copy.tab)).toSorted((one, other) => other.at - one.at);
  }

  write(base: Base, sent: readonly JsonObject[], content: JsonObject): Promise<void> {
    return this.#store.put({ ...this.owner, format: FORMAT, at: this.#clock.now(), base, sent, content });
  }

  /** Deletes the copy of this tab, or one that another has left. */
  delete(owner: Owner = this.owner): Promise<void> {
    return this.#store.delete(owner);
  }

  /** This tab has left the story: its copy is one that was left. */
  close(): void {
    this.#channel.close();
    this.#leave();
  }

  #hear(message: unknown): void {
    const { ask, here } = message as { ask?: unknown; here?: unknown };
    if (typeof ask === 'string') this.#channel.postMessage({ here: this.owner.tab });
    if (typeof here === 'string') this.#living.add(here);
  }
}

/** Whether a person has copies of unsent work here: `Sign out` asks then, and deletes them. */
export async function hasCopies(store: CopyStore, person: string): Promise<boolean> {
  return (await store.of(person)).length > 0;
}

export async function deleteCopies(store: CopyStore, person: string): Promise<void> {
  for (const copy of await store.of(person)) await store.delete(copy);
}
