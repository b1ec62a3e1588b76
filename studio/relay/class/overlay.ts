// What is drawn over the page: a frame around the selected block with its name, the blocks that it is in and what can be done with it, and a thin line around
// the block under the pointer. It stands in a shadow root, so that neither styles nor a policy of the site reach it.

import { elementOf } from './blocks.ts';

/** A block and what it is in, as the editor sends it. */
export interface Breadcrumb {
  readonly _uid: string;
  readonly component: string;
  readonly _parentindex?: number;
}

export interface Selection {
  readonly uid: string;
  readonly story: string | number | undefined;
  readonly breadcrumbs: readonly Breadcrumb[];
  /** The acts of the menu, in their order. */
  readonly acts: readonly string[];
}

export interface OverlayHandlers {
  onact(act: string, block: Breadcrumb): void;
  onbreadcrumb(block: Breadcrumb): void;
  onclose(): void;
  nameOf(component: string): string;
}

const STYLES = `
  :host { all: initial; position: fixed; inset: 0; z-index: 2147483647; pointer-events: none; font: 13px/1.4 system-ui, sans-serif; }
  .box { position: absolute; box-sizing: border-box; border: 2px solid #1d5ff5; border-radius: 2px; }
  .box.thin { border: 1px dashed #1d5ff5; }
  .bar { position: absolute; inset-inline-start: -2px; bottom: 100%; display: flex; flex-wrap: wrap; width: max-content; max-width: 90vw; pointer-events: auto; background: #1d5ff5; border-radius: 4px 4px 0 0; }
  .bar.below { bottom: auto; top: 100%; border-radius: 0 0 4px 4px; }
  .bar.inside { bottom: auto; top: 0; }
  button, .name { all: unset; box-sizing: border-box; min-height: 28px; padding: 4px 8px; color: #fff; white-space: nowrap; }
  .name { font-weight: 600; }
  button { cursor: pointer; }
  button:hover, button:focus-visible { background: #0b3fb8; }
  button:focus-visible { outline: 2px solid #fff; outline-offset: -4px; }
`;

const TEXTS: Readonly<Record<string, readonly [string, string]>> = {
  toolbar: ['Block', 'Block'],
  addBlockBefore: ['Add before', 'Davor einfügen'],
  addBlockAfter: ['Add after', 'Dahinter einfügen'],
  duplicateBlock: ['Duplicate', 'Duplizieren'],
  copy: ['Copy', 'Kopieren'],
  moveForward: ['Move forward', 'Nach hinten'],
  moveBackward: ['Move backward', 'Nach vorn'],
  deleteBlock: ['Delete', 'Löschen'],
};

/** A site may render a block anew at any time, so its place is looked for again and again, in milliseconds. */
const POSITION_INTERVAL = 300;

export class Overlay {
  readonly #host = document.createElement('div');
  readonly #root: ShadowRoot;
  readonly #handlers: OverlayHandlers;
  readonly #language = navigator.language.startsWith('de') ? 1 : 0;
  #selection: Selection | undefined;
  #outlined: readonly Element[] = [];
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #place = () => this.#placeAll();

  constructor(handlers: OverlayHandlers) {
    this.#handlers = handlers;
    this.#host.className = 'storyblok__overlay';
    this.#root = this.#host.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    this.#root.adoptedStyleSheets = [sheet];
    document.documentElement.append(this.#host);
    this.#timer = setInterval(this.#place, POSITION_INTERVAL);
    addEventListener('scroll', this.#place, { capture: true, passive: true });
    addEventListener('resize', this.#place);
    this.#root.addEventListener('keydown', (event) => {
      if ((event as KeyboardEvent).key === 'Escape') this.#handlers.onclose();
    });
  }

  /** Whether an event is of the overlay itself. */
  has(event: Event): boolean {
    return event.composedPath().includes(this.#host);
  }

  select(selection: Selection | undefined, isScrolled = false): void {
    this.#selection = selection;
    this.#root.querySelector('.selected')?.remove();
    if (!selection) return;
    if (isScrolled) this.scrollTo(selection.uid, selection.story);
    const box = this.#box('selected');
    box.append(this.#bar(selection));
    this.#placeAll();
  }

  /** Draws thin lines around elements. */
  outline(elements: readonly Element[]): void {
    this.#outlined = elements;
    for (const old of this.#root.querySelectorAll('.thin')) old.remove();
    for (const _ of elements) this.#box('thin');
    this.#placeAll();
  }

  scrollTo(uid: string, story?: string | number): void {
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
    elementOf(uid, story)?.scrollIntoView({ block: 'center', behavior });
  }

  remove(): void {
    clearInterval(this.#timer);
    removeEventListener('scroll', this.#place, { capture: true });
    removeEventListener('resize', this.#place);
    this.#host.remove();
  }

  #box(kind: string): HTMLElement {
    const box = document.createElement('div');
    box.className = `box ${kind}`;
    this.#root.append(box);
    return box;
  }

  #bar({ breadcrumbs, acts }: Selection): HTMLElement {
    const bar = document.createElement('div');
    bar.className = 'bar';
    bar.setAttribute('role', 'toolbar');
    bar.setAttribute('aria-label', this.#text('toolbar'));
    const own = breadcrumbs[breadcrumbs.length - 1];
    for (const block of breadcrumbs.slice(0, -1)) bar.append(this.#button(`${this.#handlers.nameOf(block.component)} ›`, () => this.#handlers.onbreadcrumb(block)));
    const name = document.createElement('span');
    name.className = 'name';
    name.textContent = this.#handlers.nameOf(own?.component ?? '');
    bar.append(name);
    if (own) for (const act of acts) bar.append(this.#button(this.#text(act), () => this.#handlers.onact(act, own)));
    return bar;
  }

  #button(label: string, act: () => void): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.addEventListener('click', act);
    return button;
  }

  #text(name: string): string {
    return TEXTS[name]?.[this.#language] ?? name;
  }

  #placeAll(): void {
    const selected = this.#root.querySelector<HTMLElement>('.selected');
    if (selected && this.#selection) this.#placeBox(selected, elementOf(this.#selection.uid, this.#selection.story));
    this.#root.querySelectorAll<HTMLElement>('.thin').forEach((box, at) => this.#placeBox(box, this.#outlined[at] ?? null));
  }

  #placeBox(box: HTMLElement, element: Element | null): void {
    const rect = element?.isConnected ? element.getBoundingClientRect() : undefined;
    box.hidden = !rect;
    if (!rect) return;
    Object.assign(box.style, { left: `${rect.left}px`, top: `${rect.top}px`, width: `${rect.width}px`, height: `${rect.height}px` });
    const bar = box.querySelector('.bar');
    const height = bar?.getBoundingClientRect().height ?? 0;
    bar?.classList.toggle('below', rect.top < height && rect.bottom + height < innerHeight);
    bar?.classList.toggle('inside', rect.top < height && rect.bottom + height >= innerHeight);
  }
}
