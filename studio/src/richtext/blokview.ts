// A `blok` node in the page: an element that the cards of its blocks are put into, and that ProseMirror leaves alone.

import type { Node } from 'prosemirror-model';
import type { Json } from '../model/json.ts';
import type { NodeKey } from './document.ts';

/** Where the page shows the blocks of a `blok` node. */
export interface BlokPlace {
  readonly host: HTMLElement;
  /** Nothing of one that the draft does not know. */
  readonly key: NodeKey | undefined;
  /** Its blocks, where the draft does not know it. */
  readonly body: Json;
  /** Its place in the document. */
  position(): number | undefined;
}

export class BlokView {
  readonly dom = document.createElement('div');
  readonly #position: () => number | undefined;
  readonly #tell: () => void;
  readonly #ondestroy: () => void;
  #node: Node;

  constructor(node: Node, position: () => number | undefined, tell: () => void, ondestroy: () => void) {
    this.#node = node;
    this.#position = position;
    this.#tell = tell;
    this.#ondestroy = ondestroy;
    this.dom.className = 'rich-blok';
    // Only its head is dragged: text in the cards is selected.
    queueMicrotask(() => this.dom.removeAttribute('draggable'));
  }

  get place(): BlokPlace {
    return { host: this.dom, key: (this.#node.attrs.key as NodeKey | null) ?? undefined, body: this.#node.attrs.body as Json, position: this.#position };
  }

  update(node: Node): boolean {
    const { type, attrs } = this.#node;
    // Another one has a place of its own, so that the focus stays in its cards.
    if (node.type !== type || (attrs.key !== null && attrs.key !== node.attrs.key)) return false;
    this.#node = node;
    if (attrs.key !== node.attrs.key || attrs.body !== node.attrs.body) this.#tell();
    return true;
  }

  /** Keys and clicks in the cards are theirs; its head, by which it is dragged, is the editor's. */
  stopEvent(event: Event): boolean {
    return !(event.target instanceof Element && event.target.closest('[data-node-head]')?.parentElement === this.dom.firstElementChild && !event.target.closest('button'));
  }

  ignoreMutation(): boolean {
    return true;
  }

  destroy(): void {
    this.#ondestroy();
    this.#tell();
  }
}
