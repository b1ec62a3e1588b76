// The preview of the story that is open: which environment, what stands in its way, and the session of the page that is in the frame.

import { checkPage, makePreviewToken, readSignature, readStoryName, setDefaultEnvironment } from '../../api/environments.ts';
import { readDraft, readDrafts } from '../../api/drafts.ts';
import { Problem } from '../../api/problem.ts';
import type { Studio } from '../../app/context.svelte.ts';
import type { Draft, Key } from '../../draft/draft.ts';
import type { PreviewToken } from '../../model/preview.ts';
import { mayWrite } from '../../model/shell.ts';
import { STARTED, type Bridge } from '../../preview/bridge.ts';
import { environmentsOf, obstacleBetween, type Environment } from '../../preview/environments.ts';
import { findingOf, type Finding } from '../../preview/findings.ts';
import type { BridgeConfig, MenuAct } from '../../preview/messages.ts';
import { Remembered, type Choices } from '../../preview/remembered.ts';
import { PreviewSession, type PreviewSource } from '../../preview/session.ts';
import { isStale, previewUrl } from '../../preview/url.ts';
import { previewedStory, type PreviewedDetail } from './detail.ts';

/** What the story screen lends the pane. */
export interface PaneOwner {
  readonly draft: Draft;
  readonly story: PreviewedDetail;
  readonly language: string;
  /** Whether the list that a block is in takes one more. */
  hasRoom(key: Key): boolean;
  onselect(key: Key | undefined): void;
  onact(act: MenuAct, key: Key): Promise<Key | undefined>;
}

/** A page that has not loaded in this time is looked at by the server, in milliseconds. */
const SLOW = 10_000;

const TIMERS = {
  now: () => Date.now(),
  later: (milliseconds: number, act: () => void) => {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
};

export class Pane {
  readonly studio: Studio;
  readonly environments: readonly Environment[];
  environment: Environment | undefined = $state.raw();
  choices: Choices = $state.raw()!;
  /** What the frame shows. */
  address = $state('');
  frame: HTMLIFrameElement | undefined = $state.raw();
  bridge: Bridge = $state.raw(STARTED);
  /** Why the page does not show itself, where the server knows it. */
  finding: Finding | undefined = $state.raw();
  /** An origin to which the page led, and which the policy of the studio keeps away. */
  blocked = $state('');
  /** The story of a block that was clicked, when that is not this one. */
  other: { readonly id: number; readonly name: string } | undefined = $state.raw();
  isSigned = $state(true);
  readonly #owner: PaneOwner;
  readonly #remembered: Remembered;
  #signature: PreviewToken | null;
  #session: PreviewSession | undefined;
  #slow: (() => void) | undefined;
  #starts = 0;
  #shownSlug = '';
  #selected: Key | undefined;

  constructor(studio: Studio, owner: PaneOwner) {
    const { space } = studio.shell;
    this.studio = studio;
    this.#owner = owner;
    this.#remembered = new Remembered(localStorage, space.id);
    this.environments = environmentsOf(space, location.origin);
    this.choices = this.#remembered.choices();
    this.environment = this.environments.find((environment) => environment.location === this.choices.environment) ?? this.environments[0];
    this.#signature = owner.story.preview_token ?? null;
    this.isSigned = this.#signature !== null;
  }

  /** The line that makes a site hear clicks. */
  get line(): string {
    return `<script src="${this.studio.shell.base_url}/f/bridge.js"></script>`;
  }

  get obstacle() {
    return this.environment && obstacleBetween(location.origin, this.environment.origin);
  }

  get isLive(): boolean {
    return !this.environment || !this.choices.onSave.includes(this.environment.location);
  }

  /** Loads the page from its beginning. */
  async start(): Promise<void> {
    const { environment } = this;
    this.close();
    const own = this.#starts;
    [this.bridge, this.finding, this.blocked, this.other] = [STARTED, undefined, '', undefined];
    if (!environment) return;
    if (isStale(this.#signature, Date.now())) this.#signature = await this.#newSignature();
    if (own !== this.#starts) return;
    this.#shownSlug = this.#owner.story.full_slug;
    this.#session = this.#makeSession(environment);
    this.#session.started();
    this.#slow = TIMERS.later(SLOW, () => this.bridge.phase === 'loading' && void this.#look());
    this.address = this.#addressIn(environment, this.#signature);
  }

  /** Opens the page in a tab where its link is too old, because sites refuse an old signature. The frame keeps its own. */
  async openSignedAnew(event: MouseEvent): Promise<void> {
    const { environment } = this;
    if (!environment || !isStale(this.#signature, Date.now())) return;
    event.preventDefault();
    // Browsers let a click open a tab, and nothing that comes later.
    const tab = open('', '_blank');
    const address = this.#addressIn(environment, await this.#newSignature());
    if (!tab) return;
    tab.opener = null;
    tab.location.href = address;
  }

  /** What was begun before comes to nothing. */
  close(): void {
    this.#starts += 1;
    this.#session?.close();
    this.#session = undefined;
    this.#slow?.();
  }

  choose(change: Partial<Choices>): void {
    this.choices = { ...this.choices, ...change };
    this.#remembered.keepChoices(this.choices);
    const environment = this.environments.find(({ location }) => location === this.choices.environment);
    if (change.environment === undefined || !environment) return;
    this.environment = environment;
    void this.start();
  }

  setLive(isLive: boolean): void {
    const location = this.environment?.location ?? '';
    const others = this.choices.onSave.filter((other) => other !== location);
    this.choose({ onSave: isLive ? others : [...others, location] });
    this.#session?.setLive(isLive);
  }

  loaded(): void {
    this.#slow?.();
    this.#session?.loaded();
  }

  /** Takes a message, if it is of the page in the frame and of the origin of its environment. */
  received({ source, origin, data }: MessageEvent): void {
    if (source && source === this.frame?.contentWindow && origin === this.environment?.origin) this.#session?.received(data);
  }

  /** The policy of the studio has kept something away. */
  violated({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void {
    if (effectiveDirective === 'frame-src') this.blocked = URL.canParse(blockedURI) ? new URL(blockedURI).origin : blockedURI;
  }

  changed(): void {
    this.#session?.changed();
  }

  select(key: Key | undefined): void {
    this.#selected = key;
    this.#session?.select(key);
  }

  hover(key: Key | undefined): void {
    this.#session?.hover(key);
  }

  saved(): void {
    if (this.#needsStart()) void this.start();
    else this.#session?.saved(this.#shownSlug);
  }

  published(): void {
    if (this.#needsStart()) void this.start();
    else this.#session?.published(this.#shownSlug);
  }

  unpublished(): void {
    this.#session?.unpublished();
  }

  /** Makes a token that signs, and loads the page with it. */
  async makeToken(name: string): Promise<void> {
    const { client } = this.studio;
    await makePreviewToken(client, name);
    this.#signature = await readSignature(client, this.#owner.story.id);
    this.isSigned = this.#signature !== null;
    // The pane may be closed by now.
    if (this.#session) await this.start();
  }

  /** Makes a location the default environment. The policy of the studio names environments, so the page has to load again. */
  async setLocation(location: string): Promise<void> {
    await setDefaultEnvironment(this.studio.client, this.studio.shell.space.id, location);
    globalThis.location.reload();
  }

  /** Offline the old signature may do; the page cannot be loaded then anyway. */
  async #newSignature(): Promise<PreviewToken | null> {
    return readSignature(this.studio.client, this.#owner.story.id).catch(() => this.#signature);
  }

  #addressIn({ location }: Environment, signature: PreviewToken | null): string {
    const { story, language } = this.#owner;
    return previewUrl({ location, space: this.studio.shell.space.id, story: previewedStory(story, language), language, signature, now: Date.now() });
  }

  /** Whether the page is at another address now, or its signature too old to load it once more. */
  #needsStart(): boolean {
    return this.#owner.story.full_slug !== this.#shownSlug || isStale(this.#signature, Date.now());
  }

  #makeSession(environment: Environment): PreviewSession {
    const { draft, story, language } = this.#owner;
    const { shell } = this.studio;
    const session = new PreviewSession({
      space: shell.space.id,
      story: { id: story.id, full_slug: story.full_slug },
      draft,
      language,
      mayWrite: mayWrite(shell.role),
      hasRoom: (key) => this.#owner.hasRoom(key),
      isLive: this.isLive,
      remembered: this.#remembered.config(environment.location),
      componentNames: Object.fromEntries(shell.components.map(({ name, display_name }) => [name, display_name || name])),
      post: (message) => this.frame?.contentWindow?.postMessage(message, environment.origin),
      source: this.#source(story.id),
      timers: TIMERS,
      handlers: {
        onselect: (key) => this.#owner.onselect(key),
        onact: (act, key) => this.#owner.onact(act, key),
        onother: (id) => void this.#offer(id),
        onkey: (key) => this.#pressed(key),
        onbridge: (bridge) => this.#bridgeChanged(bridge, environment),
      },
    });
    session.select(this.#selected);
    return session;
  }

  #source(story: number): PreviewSource {
    const { client } = this.studio;
    const wishes = (language: string, config: BridgeConfig) => ({ language, fallback: config.fallbackLang, relations: config.resolveRelations, links: config.resolveLinks });
    return {
      story: (language, config) => readDraft(client, story, wishes(language, config)),
      stories: (uuids, language, config) => readDrafts(client, uuids, wishes(language, config)),
    };
  }

  #bridgeChanged(bridge: Bridge, environment: Environment): void {
    const isSilent = bridge.phase === 'oneWay' && this.bridge.phase !== 'oneWay';
    this.bridge = bridge;
    if (bridge.config) this.#remembered.keepConfig(environment.location, bridge.config);
    if (bridge.phase === 'twoWay') this.finding = undefined;
    if (isSilent) void this.#look();
  }

  /** Has the server look at the page. Where it cannot, nothing is said. */
  async #look(): Promise<void> {
    const own = this.#starts;
    try {
      const finding = findingOf(await checkPage(this.studio.client, this.address), location.origin);
      if (own === this.#starts && this.bridge.phase !== 'twoWay') this.finding = finding;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }

  async #offer(id: number): Promise<void> {
    const own = this.#starts;
    const name = await readStoryName(this.studio.client, id).catch(() => '');
    if (own === this.#starts) this.other = { id, name };
  }

  /** A key that was pressed in the page is one that was pressed at the frame, which is out of reach while a dialog is open. */
  #pressed({ key, shiftKey, isCommand }: { readonly key: string; readonly shiftKey: boolean; readonly isCommand: boolean }): void {
    if (document.querySelector('dialog[open]')) return;
    this.frame?.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, ctrlKey: isCommand, bubbles: true, cancelable: true }));
  }
}
