// A class that sites use as they use the bridge of the hosted service, with which it has its name, its methods and its messages in common, and nothing else:
// what it speaks is in the studio's documentation for front-end developers. Sites load it by a script tag or by `bridgeUrl`.
//
// It hears only the window that frames the page, and only with the origin of the studio. Outside of a frame it does nothing.

import { blockAround, elementOf, markComments, markOf } from './class/blocks.ts';
import { Overlay, type Breadcrumb } from './class/overlay.ts';

/** The server writes its own origin in here when it serves the file. */
const STUDIO = '__LECTERN_ORIGIN__';

interface Options {
  readonly customParent?: string;
  readonly resolveRelations?: string | readonly string[] | null;
  readonly resolveLinks?: string | null;
  readonly preventClicks?: boolean;
  readonly initOnlyOnce?: boolean;
  readonly fallbackLang?: string | null;
  readonly setActiveBlock?: boolean;
}

/** What comes from the editor. */
interface EditorEvent {
  readonly action: string;
  readonly [member: string]: unknown;
}

type Callback = (this: StoryblokBridge, event: EditorEvent) => void;

const EVENTS = [
  'enterEditmode', 'input', 'change', 'published', 'unpublished', 'editedBlok', 'enterComponent', 'hoverComponent', 'highlightComponent', 'deselectBlok',
  'addedBlock', 'movedBlock', 'duplicatedBlock', 'deletedBlock', 'viewLiveVersion', 'sessionReceived', 'customEvent', 'pingBack',
];

/** The bridges of this page. What is drawn and clicked is there once. */
const bridges: StoryblokBridge[] = [];
let overlay: Overlay | undefined;
let names: Readonly<Record<string, string>> = {};

class StoryblokBridge {
  readonly config: Options & { readonly resolveRelations: readonly string[] | null };
  readonly #target: string;
  readonly #callbacks = new Map<string, Set<Callback>>();
  readonly #pings: ((bridge: StoryblokBridge) => void)[] = [];
  readonly #hear = (event: MessageEvent) => {
    // Where the relay runs as well, `parent` stands for the window that frames the page.
    const isFraming = event.source === window.parent || event.source === window.top;
    if (!isFraming || event.origin !== this.#target) return;
    const data = event.data as EditorEvent | null;
    if (typeof data === 'object' && data !== null && EVENTS.includes(data.action)) this.#receive(data);
  };
  #isInEditor = false;

  constructor(options: Options = {}) {
    const { resolveRelations: relations = null } = options;
    this.#target = new URL(options.customParent || STUDIO, location.href).origin;
    this.config = {
      resolveLinks: null, preventClicks: false, initOnlyOnce: true, fallbackLang: null, ...options,
      customParent: this.#target,
      resolveRelations: typeof relations === 'string' ? relations.split(',') : relations,
    };
    if (window.parent === window) return;
    bridges.push(this);
    window.addEventListener('message', this.#hear);
    this.send({ action: 'initialized', config: this.config });
  }

  /** Whether the editor has answered. */
  isInEditor(): boolean {
    return this.#isInEditor;
  }

  /** Calls back when the page is in the editor, and never otherwise. */
  pingEditor(callback: (bridge: StoryblokBridge) => void): void {
    if (window.parent === window) return;
    this.#pings.push(callback);
    this.send({ action: 'ping' });
  }

  on(events: string | readonly string[], callback: Callback): void {
    for (const name of typeof events === 'string' ? [events] : events) {
      this.#callbacks.set(name, (this.#callbacks.get(name) ?? new Set()).add(callback));
    }
  }

  /** Makes the blocks of the page clickable. */
  enterEditmode(event: Partial<EditorEvent> = {}): void {
    names = (event.componentNames as typeof names | undefined) ?? names;
    markComments(document);
    overlay ??= makeOverlay();
    if (this.config.setActiveBlock && typeof event.blockId === 'string') overlay.select({ uid: event.blockId, story: undefined, breadcrumbs: [], acts: [] });
  }

  destroy(): void {
    window.removeEventListener('message', this.#hear);
    this.#callbacks.clear();
    if (bridges.includes(this)) bridges.splice(bridges.indexOf(this), 1);
    if (bridges.length > 0 || !overlay) return;
    overlay.remove();
    overlay = undefined;
    document.removeEventListener('click', onclick, true);
    document.removeEventListener('pointerover', onpointerover);
  }

  /** Whether the page wants these events. */
  hears(event: string): boolean {
    return this.#callbacks.has(event);
  }

  send(message: object): void {
    window.parent.postMessage(message, this.#target);
  }

  #receive(event: EditorEvent): void {
    this.#isInEditor = true;
    if (event.action === 'pingBack') for (const callback of this.#pings.splice(0)) callback.call(this, this);
    else if (event.action === 'enterEditmode') this.enterEditmode(event);
    else if (bridges[0] === this) draw(event);
    for (const callback of this.#callbacks.get(event.action) ?? []) callback.call(this, event);
  }
}

/** What the editor asks to be drawn. */
function draw(event: EditorEvent): void {
  const { action, storyId, blockId } = event;
  const story = typeof storyId === 'number' || typeof storyId === 'string' ? storyId : undefined;
  const uid = String(event.componentId ?? '');
  if (action === 'deselectBlok') overlay?.select(undefined);
  else if (action === 'hoverComponent') overlay?.outline([elementOf(uid, story)].filter((element) => element !== null));
  else if (action === 'highlightComponent' && Array.isArray(event.componentIds)) {
    overlay?.outline(event.componentIds.map((id) => elementOf(String(id), story)).filter((element) => element !== null));
    overlay?.scrollTo(uid, story);
  } else if (action === 'editedBlok' || action === 'enterComponent') select(event, action === 'enterComponent');
  else if (typeof blockId === 'string' && ['addedBlock', 'movedBlock', 'duplicatedBlock'].includes(action)) {
    overlay?.select({ uid: blockId, story: undefined, breadcrumbs: [], acts: [] }, true);
  }
}

function select(event: EditorEvent, isScrolled: boolean): void {
  const block = event.blok as { uid?: string; id?: string } | undefined;
  const breadcrumbs = Array.isArray(event.breadcrumbs) ? (event.breadcrumbs as Breadcrumb[]) : [];
  const uid = block?.uid ?? breadcrumbs[breadcrumbs.length - 1]?._uid ?? '';
  overlay?.select({ uid, story: block?.id, breadcrumbs, acts: actsOf(event, breadcrumbs) }, isScrolled);
}

/** The acts of the menu: none in a page that does not show what they change. */
function actsOf(event: EditorEvent, breadcrumbs: readonly Breadcrumb[]): readonly string[] {
  if (breadcrumbs.length < 2 || !bridges.some((bridge) => bridge.hears('input'))) return [];
  return [
    ...(event.canAddBlocks ? ['addBlockBefore', 'addBlockAfter', 'duplicateBlock'] : []),
    'copy',
    ...(event.canMoveForward ? ['moveForward'] : []),
    ...(event.canMoveBackward ? ['moveBackward'] : []),
    ...(event.canDeleteBlocks ? ['deleteBlock'] : []),
  ];
}

function makeOverlay(): Overlay {
  document.addEventListener('click', onclick, true);
  document.addEventListener('pointerover', onpointerover);
  return new Overlay({
    onact: (act, block) => bridges[0]?.send({ action: act, blok: block }),
    onbreadcrumb: ({ component, _uid }) => edit({ name: component, uid: _uid }),
    onclose: () => bridges[0]?.send({ action: 'noFocus' }),
    nameOf: (component) => names[component] || component,
  });
}

function edit(block: { readonly name: string; readonly uid: string; readonly id?: string; readonly space?: string }): void {
  const [bridge] = bridges;
  bridge?.send({ action: 'edit', dataC: block, config: bridge.config });
}

function onclick(event: MouseEvent): void {
  if (overlay?.has(event)) return;
  if (bridges.some(({ config }) => config.preventClicks)) event.preventDefault();
  markComments(document);
  const element = blockAround(event.target);
  const mark = element && markOf(element);
  if (mark) edit(mark);
  else bridges[0]?.send({ action: 'noFocus' });
}

function onpointerover(event: PointerEvent): void {
  const element = overlay?.has(event) ? null : blockAround(event.target);
  overlay?.outline(element ? [element] : []);
}

Object.assign(window, { StoryblokBridge });
