// One frame with a site in it: what it is told of the draft, and what its messages ask of the editor. The window, the server and the clock are passed in.

import type { JsonObject } from '../model/json.ts';
import { findBlock, frameOf, type BlockTree } from './blocks.ts';
import { PATIENCE, STARTED, step, type Bridge, type BridgeEvent } from './bridge.ts';
import { NO_CONFIG, parseMessage, type BridgeConfig, type MenuAct, type SiteMessage } from './messages.ts';
import { Budget, Throttle, type Timers } from './pace.ts';
import { RelatedStories, type Delivered, type Resolved } from './related.ts';
import { Renderer } from './render.ts';

/** A draft that can be shown. */
export interface ShownDraft extends BlockTree {
  content(): JsonObject;
}

/** What the server says of a story and of those that it refers to. */
export interface PreviewSource {
  /** The draft in the shape of the Delivery API, with what it refers to. */
  story(language: string, config: BridgeConfig): Promise<Resolved & { readonly story: Delivered & { readonly id: number } }>;
  stories(uuids: readonly string[], language: string, config: BridgeConfig): Promise<readonly Delivered[]>;
}

/** What the site asks of the editor. */
export interface PreviewHandlers {
  onselect(key: number | undefined): void;
  /** Does an act of the block menu; answers the block that it has made or moved. */
  onact(act: MenuAct, key: number): Promise<number | undefined>;
  /** A block of another story was clicked. */
  onother(story: number): void;
  onkey(key: { readonly key: string; readonly shiftKey: boolean; readonly isCommand: boolean }): void;
  /** The state of the bridge is another. */
  onbridge(bridge: Bridge): void;
}

export interface PreviewOptions {
  readonly space: number;
  readonly story: { readonly id: number; readonly full_slug: string };
  readonly draft: ShownDraft;
  /** The code of the language; empty for the default one. */
  readonly language: string;
  readonly mayWrite: boolean;
  /** Whether the list that a block is in takes one more. */
  readonly hasRoom: (key: number) => boolean;
  /** Whether the site is shown each key, or only what was saved. */
  readonly isLive: boolean;
  /** What the site asked for the last time, for sites that are not heard. */
  readonly remembered: BridgeConfig | undefined;
  readonly componentNames: Readonly<Record<string, string>>;
  /** Sends to the frame, with the exact origin of the environment. */
  readonly post: (message: object) => void;
  readonly source: PreviewSource;
  readonly timers: Timers;
  readonly handlers: PreviewHandlers;
}

/** Sites render each `input`, so they get at most one in this time, in milliseconds. */
const INPUT_INTERVAL = 100;
/** A load within this time after the site was told to load itself is that. */
const RELOAD_TIME = 10_000;

/** What the bridge is told when the editor has done what a menu asked for. */
const DONE: Partial<Record<MenuAct, string>> = {
  addBlockBefore: 'addedBlock',
  addBlockAfter: 'addedBlock',
  duplicateBlock: 'duplicatedBlock',
  moveForward: 'movedBlock',
  moveBackward: 'movedBlock',
  deleteBlock: 'deletedBlock',
};

export class PreviewSession {
  readonly #options: PreviewOptions;
  readonly #budget = new Budget(20, 10);
  readonly #input: Throttle;
  #bridge: Bridge = STARTED;
  #isLive: boolean;
  #slug: string;
  #stopWaiting: (() => void) | undefined;
  #renderer: Promise<Renderer> | undefined;
  /** Grows with each `input` that begins, so that a slow one never overtakes. */
  #inputs = 0;
  #selected: number | undefined;
  #reloadUntil = 0;
  #isClosed = false;

  constructor(options: PreviewOptions) {
    this.#options = options;
    this.#isLive = options.isLive;
    this.#slug = options.story.full_slug;
    this.#input = new Throttle(INPUT_INTERVAL, () => void this.#sendLive(), options.timers);
  }

  /** The studio has set the address of the frame. */
  started(): void {
    this.#renderer = undefined;
    this.#stopWaiting?.();
    this.#advance({ kind: 'started' });
  }

  /** The frame says that a page has loaded. */
  loaded(): void {
    const { timers } = this.#options;
    this.#stopWaiting?.();
    this.#advance({ kind: 'loaded', isExpected: timers.now() < this.#reloadUntil });
    this.#reloadUntil = 0;
    this.#stopWaiting = timers.later(PATIENCE, () => {
      const isSilent = this.#bridge.phase === 'waiting';
      this.#advance({ kind: 'settled' });
      if (isSilent) void this.#greet();
    });
  }

  /** A message of the page in the frame. Whether it is of that page, and of the origin of the environment, is known before. */
  received(data: unknown): void {
    const message = parseMessage(data);
    if (message && this.#budget.take(this.#options.timers.now())) void this.#answer(message);
  }

  /** Something of the draft is another. */
  changed(): void {
    if (this.#isLive && this.#bridge.phase !== 'loading') this.#input.run();
  }

  setLive(isLive: boolean): void {
    this.#isLive = isLive;
    this.changed();
  }

  /** The editor has chosen another block. The root is the page itself: it gets a frame only where it was clicked. */
  select(key: number | undefined): void {
    const shown = key === this.#options.draft.root ? undefined : key;
    if (key === this.#selected || shown === this.#selected) return;
    this.#selected = shown;
    this.#showSelection();
  }

  /** The pointer is over a block of the editor's list, or has left it: bridges take their line away where they find no block. */
  hover(key: number | undefined): void {
    this.#post('hoverComponent', { componentId: key === undefined ? '' : this.#uid(key), storyId: this.#options.story.id });
  }

  /** The draft was saved by the person; sites load themselves again. */
  saved(fullSlug: string): void {
    this.#reload('change', fullSlug, { reload: true });
  }

  published(fullSlug: string): void {
    this.#reload('published', fullSlug, {});
  }

  unpublished(): void {
    this.#post('unpublished', { slug: this.#slug, storyId: this.#options.story.id });
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWaiting?.();
    this.#input.stop();
  }

  #reload(action: string, fullSlug: string, members: object): void {
    const { story, timers } = this.#options;
    const slugChanged = fullSlug !== this.#slug;
    this.#slug = fullSlug;
    this.#renderer = undefined;
    this.#reloadUntil = timers.now() + RELOAD_TIME;
    this.#post(action, { slug: fullSlug, storyId: story.id, slugChanged, ...members });
  }

  async #answer(message: SiteMessage): Promise<void> {
    const { handlers } = this.#options;
    switch (message.kind) {
      case 'initialized':
        this.#advance(message);
        return this.#greet();
      case 'ping': return this.#post('pingBack', {});
      case 'key': return handlers.onkey(message);
      case 'noFocus':
        this.#selected = undefined;
        this.#post('deselectBlok', {});
        return handlers.onselect(undefined);
      case 'edit': return this.#edit(message.uid, message.story);
      case 'menu': return this.#act(message.act, message.uid);
    }
  }

  #edit(uid: string, story: number | undefined): void {
    const { handlers, draft } = this.#options;
    if (story !== undefined && story !== this.#options.story.id) return handlers.onother(story);
    const key = findBlock(draft, uid, this.#shown());
    if (key === undefined) return;
    this.#selected = key;
    this.#post('editedBlok', this.#frame(key));
    handlers.onselect(key);
  }

  async #act(act: MenuAct, uid: string): Promise<void> {
    const { handlers, draft, mayWrite } = this.#options;
    const key = findBlock(draft, uid, this.#shown());
    if (key === undefined || (!mayWrite && act !== 'copy')) return;
    const made = await handlers.onact(act, key);
    const action = DONE[act];
    if (this.#isClosed || !action || (made === undefined && act !== 'deleteBlock')) return;
    // The block has to be in the page before the bridge can go to it.
    await this.#sendInput();
    this.#post(action, { blockId: made === undefined ? uid : this.#uid(made) });
    if (made === undefined) return;
    this.#selected = made;
    this.#post('editedBlok', this.#frame(made));
  }

  /** What a page has to know once it listens. */
  async #greet(): Promise<void> {
    const { story, componentNames } = this.#options;
    const blockId = this.#selected === undefined ? '' : this.#uid(this.#selected);
    this.#post('enterEditmode', { reload: true, storyId: story.id, blockId, componentNames, appVersion: 'v2' });
    await this.#sendLive();
    this.#showSelection();
  }

  #showSelection(): void {
    const key = this.#selected;
    if (key === undefined) return this.#post('deselectBlok', {});
    this.#post('enterComponent', { ...this.#frame(key), componentId: this.#uid(key), storyId: this.#options.story.id });
  }

  /** Whoever is not shown each key may have been while the server answered. */
  async #sendLive(): Promise<void> {
    if (this.#isLive) await this.#sendInput(() => this.#isLive);
  }

  async #sendInput(isWanted = () => true): Promise<void> {
    const own = (this.#inputs += 1);
    const { draft } = this.#options;
    try {
      this.#renderer ??= this.#makeRenderer();
      const story = await (await this.#renderer).complete(draft.content());
      if (own === this.#inputs && isWanted()) this.#post('input', { story });
    } catch {
      // The server cannot be reached: the next change asks again.
      this.#renderer = undefined;
    }
  }

  async #makeRenderer(): Promise<Renderer> {
    const { space, language, source } = this.#options;
    const config = this.#config();
    const { story, ...resolved } = await source.story(language, config);
    const related = new RelatedStories((uuids) => source.stories(uuids, language, config), resolved);
    return new Renderer({ space, base: story, language, config, related });
  }

  #advance(event: BridgeEvent): void {
    const before = this.#config();
    this.#bridge = step(this.#bridge, event);
    if (JSON.stringify(this.#config()) !== JSON.stringify(before)) this.#renderer = undefined;
    this.#options.handlers.onbridge(this.#bridge);
  }

  #config(): BridgeConfig {
    return this.#bridge.config ?? this.#options.remembered ?? NO_CONFIG;
  }

  #shown() {
    return { language: this.#options.language, fallback: this.#config().fallbackLang };
  }

  #frame(key: number) {
    const { draft, space, story, mayWrite, hasRoom } = this.#options;
    return frameOf(draft, key, { space, id: story.id }, { mayWrite, hasRoom: hasRoom(key) });
  }

  #uid(key: number): string {
    const uid = this.#options.draft.block(key)._uid;
    return typeof uid === 'string' ? uid : '';
  }

  #post(action: string, members: object): void {
    if (!this.#isClosed) this.#options.post({ action, ...members });
  }
}
