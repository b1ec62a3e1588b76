// What tests of saving have in place of time and of the server: a clock that is moved by hand, and one story that keeps revisions as the real server does.

import { isEqual, type JsonObject } from '../model/json.ts';
import type { SaveAnswer, SaveRequest, Stale, StoryDetail } from '../model/save.ts';
import { content } from './example.ts';
import type { Clock } from './saver.ts';

export class HandClock implements Clock {
  time = 0;
  #sleepers: { at: number; act: () => void }[] = [];

  now = () => this.time;

  wake(at: number, act: () => void): () => void {
    const sleeper = { at, act };
    this.#sleepers.push(sleeper);
    return () => (this.#sleepers = this.#sleepers.filter((other) => other !== sleeper));
  }

  /** Lets time pass, and all that is done meanwhile. */
  async pass(milliseconds: number): Promise<void> {
    const until = this.time + milliseconds;
    for (;;) {
      await settled();
      const [first] = this.#sleepers.toSorted((one, other) => one.at - other.at);
      if (!first || first.at > until) break;
      this.#sleepers = this.#sleepers.filter((other) => other !== first);
      this.time = Math.max(this.time, first.at);
      first.act();
    }
    this.time = until;
  }
}

/** Everything that waits for nothing but the test's server has happened: its answers take a turn each. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

export class Refused extends Error {
  readonly stale: Stale;

  constructor(stale: Stale) {
    super('stale');
    this.stale = stale;
  }
}

/** The one story of a server. */
export class Server {
  revision = 7;
  content: JsonObject = content;
  readonly requests: (SaveRequest & { readonly got: SaveAnswer['kind'] })[] = [];
  /** What happens to the next requests instead of being answered. */
  readonly faults: ('lost' | 'offline' | 'broken' | 'refused' | 'thrown')[] = [];
  signIn: Promise<void> | undefined;

  get story(): StoryDetail {
    return { content: this.content, revision: this.revision } as StoryDetail;
  }

  get stale(): Stale {
    return { story: this.story, changed_by: { friendly_name: 'Ada' }, changed_at: 'now' };
  }

  change(more: JsonObject): void {
    this.content = { ...this.content, ...more };
    this.revision++;
  }

  async save(request: SaveRequest, onsignedout: () => void): Promise<SaveAnswer> {
    const fault = this.faults.shift();
    if (this.signIn) {
      onsignedout();
      await this.signIn;
    }
    await nextTurn();
    if (fault === 'thrown') throw new TypeError('thrown');
    const answer: SaveAnswer = fault === 'offline' ? { kind: 'offline' } : fault === 'refused' ? { kind: 'refused', reason: 'tooLarge', message: '', fields: [] } : this.#take(request);
    this.requests.push({ ...request, got: answer.kind });
    if (fault === 'broken') return { kind: 'stale', stale: { ...this.stale, story: { ...this.story, revision: request.revision } } };
    return fault === 'lost' ? { kind: 'offline' } : answer;
  }

  #take(request: SaveRequest): SaveAnswer {
    if (request.revision !== this.revision) return { kind: 'stale', stale: this.stale };
    if (!isEqual(this.content, request.content)) this.change(request.content);
    return { kind: 'saved', story: this.story, problems: [{ field: 'title', uid: null, code: 'blank', message: String(this.content.title), severity: 'error' }] };
  }

  async publish(revision: number): Promise<StoryDetail> {
    await nextTurn();
    if (revision !== this.revision) throw new Refused(this.stale);
    this.revision++;
    return this.story;
  }
}
