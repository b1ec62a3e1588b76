// Runs the state machine of saving with a clock and the server: one request at a time, and what needs a saved draft waits for it.

import { isEqual, type JsonObject } from '../model/json.ts';
import type { Refused, SaveAnswer, SaveRequest, Stale, StoryDetail, StoryProblem } from '../model/save.ts';
import type { Draft } from './draft.ts';
import { due, isUnsent, next, SAVED, step, type Purpose, type Saving, type SavingEvent, type SavingKind } from './saving.ts';

export interface SaverApi {
  /** Sends it once. While the person is signed out it waits, and says so. */
  save(request: SaveRequest, onsignedout: () => void): Promise<SaveAnswer>;
  /** What others have made of the story, when that is why something was refused. */
  staleOf(error: unknown): Stale | undefined;
}

export interface Clock {
  now(): number;
  /** Calls back at that time, or soon when it has passed; the answer takes it back. */
  wake(at: number, act: () => void): () => void;
}

/** What waits for a saved draft, such as publishing. It is given the revision, and brings the story as it is then. */
export type Task<T extends StoryDetail | void> = (revision: number) => Promise<T>;

/** The draft could not be saved, so that what needs it was not done. The state line says why. */
export class NotSaved extends Error {
  readonly kind: SavingKind;

  constructor(kind: SavingKind) {
    super(`the story is not saved: ${kind}`);
    this.kind = kind;
  }
}

/** What no server should answer. */
const FAILED: SaveAnswer = { kind: 'trouble', reason: 'failed', retryAfter: 0, requestId: '' };

interface Waiting {
  readonly task: Task<StoryDetail | void>;
  readonly resolve: (done: StoryDetail | void) => void;
  readonly reject: (error: unknown) => void;
}

export class Saver {
  readonly #draft: Draft;
  readonly #api: SaverApi;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  readonly #ends: () => void;
  readonly #tasks: Waiting[] = [];
  #state: Saving = SAVED;
  #sent: readonly JsonObject[] = [];
  #story: StoryDetail | undefined;
  #problems: readonly StoryProblem[] = [];
  #stale: Stale | undefined;
  #refused: Refused | undefined;
  #sleep = () => {};
  #isStopped = false;

  constructor(draft: Draft, api: SaverApi, clock: Clock) {
    this.#draft = draft;
    this.#api = api;
    this.#clock = clock;
    this.#ends = draft.subscribe('any', () => this.#do({ kind: 'changed' }));
  }

  get state(): Saving {
    return this.#state;
  }

  /** What the server may have without that being known here: the content of the request under way, and those of requests whose answers were lost. */
  get sent(): readonly JsonObject[] {
    return this.#sent;
  }

  /** The story as the server answered last; nothing before the first answer. */
  get story(): StoryDetail | undefined {
    return this.#story;
  }

  /** What is wrong with the draft, as of the last answer. They stay while the network is gone. */
  get problems(): readonly StoryProblem[] {
    return this.#problems;
  }

  set problems(problems: readonly StoryProblem[]) {
    this.#problems = problems;
    this.#tell();
  }

  /** What others have made of the story, in a conflict. */
  get stale(): Stale | undefined {
    return this.#stale;
  }

  /** Why the last content was refused; nothing once another answer has come, or it was taken back. */
  get refused(): Refused | undefined {
    return this.#refused;
  }

  get isUnsent(): boolean {
    return isUnsent(this.#state);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Saves a version, as soon as the request under way is done. `NotSaved` when that is not possible now. */
  save(): Promise<void> {
    this.#do({ kind: 'wanted', what: 'save' });
    return this.flush();
  }

  /** Runs something once the draft is saved, with no other request beside it. `NotSaved` when that is not possible now. */
  run<T extends StoryDetail | void>(task: Task<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#tasks.push({ task, resolve: resolve as Waiting['resolve'], reject });
      this.#do({ kind: 'wanted', what: 'task' });
      this.#refuseTasks();
    });
  }

  /** Saves what is unsent without waiting for a pause, for a screen that is left. */
  flush(): Promise<void> {
    return this.run(async () => {});
  }

  /** Ends a conflict: the draft becomes what others have made, and undo brings back what was here. */
  takeTheirs(): void {
    const { story } = this.#stale ?? {};
    if (!story) return;
    this.#draft.take(story);
    this.#take(story, this.#draft.content());
    this.settle();
  }

  /** Ends a conflict: what is here is saved, and what others have made becomes a version first. */
  keepMine(): void {
    if (!this.#stale) return;
    this.#take(this.#stale.story, this.#stale.story.content);
    this.#stale = undefined;
    this.#do({ kind: 'kept' });
  }

  /** A conflict was ended in the draft itself; or a deleted story was brought back, and is this one now, which may be a conflict. */
  settle(story?: StoryDetail): void {
    if (story) {
      const known = this.#known(story);
      if (!known) return this.#do(this.#conflict({ story, changed_by: story.last_author, changed_at: story.updated_at }));
      this.#take(story, known);
    }
    this.#stale = undefined;
    this.#do({ kind: 'settled', isChanged: this.#draft.isChanged });
  }

  online(): void {
    this.#do({ kind: 'online' });
  }

  offline(): void {
    this.#do({ kind: 'offline' });
  }

  /** Nothing is sent any more. The request under way goes on. */
  stop(): void {
    this.#isStopped = true;
    this.#sleep();
    this.#ends();
    this.#listeners.clear();
  }

  #do(event: SavingEvent): void {
    this.#state = step(this.#state, event, this.#clock.now());
    this.#tell();
    this.#go();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Sends what is due, or sleeps until something is. */
  #go(): void {
    this.#sleep();
    if (this.#isStopped) return;
    const now = this.#clock.now();
    const purpose = next(this.#state, now);
    if (purpose === 'autosave' && !this.#draft.isChanged && this.#sent.length === 0) {
      // What was refused is not there any more.
      this.#refused = undefined;
      return this.#do({ kind: 'unchanged' });
    }
    if (purpose) return void (purpose === 'task' ? this.#perform() : this.#send(purpose));
    const at = due(this.#state);
    if (at !== undefined && Number.isFinite(at)) this.#sleep = this.#clock.wake(at, () => this.#go());
  }

  async #send(purpose: Exclude<Purpose, 'task'>): Promise<void> {
    const { revision } = this.#draft.base();
    const content = this.#draft.content();
    const before = this.#sent;
    this.#sent = [...before.filter((other) => other !== content), content];
    const request = { content, revision, autosave: purpose === 'autosave', keep: this.#state.keep };
    this.#do({ kind: 'sent', purpose });
    const answer = await this.#ask(request);
    if (answer.kind === 'saved') {
      this.#take(answer.story, content);
      this.#problems = answer.problems;
    }
    if (answer.kind === 'refused') this.#sent = before;
    this.#refused = answer.kind === 'refused' ? answer : undefined;
    this.#do(answer.kind === 'stale' ? this.#meet(answer.stale, content, purpose) : { kind: 'answered', answer });
    this.#refuseTasks();
  }

  async #ask(request: SaveRequest): Promise<SaveAnswer> {
    try {
      return await this.#api.save(request, () => this.#do({ kind: 'signedOut' }));
    } catch (error) {
      // A fault of the studio: it is in the console, and is tried again like one of the server.
      console.error(error);
      return FAILED;
    }
  }

  async #perform(): Promise<void> {
    const waiting = this.#tasks.shift();
    if (!waiting) return this.#do({ kind: 'taskDone' });
    const { content, revision } = this.#draft.base();
    this.#do({ kind: 'sent', purpose: 'task' });
    try {
      const story = await waiting.task(revision);
      if (story) this.#takeDone(story, content);
      this.#do({ kind: 'taskDone' });
      if (!this.#draft.isChanged) this.#do({ kind: 'unchanged' });
      waiting.resolve(story);
    } catch (error) {
      const stale = this.#api.staleOf(error);
      this.#do(stale ? this.#meet(stale, content, 'task') : { kind: 'taskDone' });
      // Where only the revision has changed it is tried again, behind the conflict it is refused.
      if (stale) this.#tasks.unshift(waiting);
      else waiting.reject(error);
    }
    if (this.#tasks.length > 0) this.#do({ kind: 'wanted', what: 'task' });
    this.#refuseTasks();
  }

  /** What came of a task: mostly the same content, and another one where a version was restored. */
  #takeDone(story: StoryDetail, content: JsonObject): void {
    if (isEqual(story.content, content)) return this.#take(story, content);
    // What was typed meanwhile stays: the version that was restored is in the history.
    if (this.#draft.isChanged) this.#draft.merge(story);
    else this.#draft.take(story);
    this.#take(story, story.content);
  }

  /** Others have changed the story. What counts is the content: an answer that was lost was this very content, and a new place or a publication is no conflict. */
  #meet(stale: Stale, sent: JsonObject, purpose: Purpose): SavingEvent {
    const { story } = stale;
    if (story.revision === this.#draft.base().revision) return { kind: 'answered', answer: FAILED };
    const known = this.#known(story);
    if (!known) return this.#conflict(stale);
    this.#take(story, known);
    // Whether a version was written is not known: it is asked for once more, and the server writes none twice.
    return known === sent && purpose === 'autosave' ? { kind: 'answered', answer: { kind: 'saved', story, problems: this.#problems } } : { kind: 'moved', isChanged: this.#draft.isChanged };
  }

  /** The content of a story, if it is the base or something that was sent from here. */
  #known(story: StoryDetail): JsonObject | undefined {
    return [...this.#sent.toReversed(), this.#draft.base().content].find((content) => isEqual(content, story.content));
  }

  #conflict(stale: Stale): SavingEvent {
    this.#stale = stale;
    return { kind: 'answered', answer: { kind: 'stale', stale } };
  }

  #take(story: StoryDetail, content: JsonObject): void {
    this.#story = story;
    this.#sent = [];
    this.#draft.acknowledged(story.revision, content);
  }

  /** Tasks do not wait for what may take hours: the person asks again. */
  #refuseTasks(): void {
    const { kind } = this.#state;
    if (kind === 'saved' || kind === 'dirty' || kind === 'saving' || kind === 'signedOut') return;
    for (const { reject } of this.#tasks.splice(0)) reject(new NotSaved(kind));
  }
}
