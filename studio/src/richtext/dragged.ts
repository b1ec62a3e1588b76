// What is dragged out of one rich text of the page and into another. Both are of one draft, so that it moves there with its blocks, as it does within a text.

import { Slice } from 'prosemirror-model';
import type { NodeSelection } from 'prosemirror-state';
import { dropPoint } from 'prosemirror-transform';
import type { EditorView } from 'prosemirror-view';
import type { JsonObject } from '../model/json.ts';

export interface Dragged {
  readonly view: EditorView;
  readonly slice: Slice;
  /** As others can read it: the blocks are in it. */
  readonly written: JsonObject;
}

interface Source {
  readonly view: EditorView;
  write(slice: Slice): JsonObject;
}

/** Where the drag began that is under way: a page has one at a time. */
let source: Source | undefined;

export function beginDrag(view: EditorView, write: (slice: Slice) => JsonObject): void {
  source = { view, write };
}

export function endDrag(): void {
  source = undefined;
}

/** What is dragged from another text. */
export function draggedInto(view: EditorView): Dragged | undefined {
  if (!source || source.view === view || source.view.isDestroyed || !source.view.dragging) return undefined;
  const { slice } = source.view.dragging;
  return { view: source.view, slice, written: source.write(slice) };
}

/** Whether a text is within what is dragged, where it cannot be put. */
export function isInside({ view: from }: Dragged, view: EditorView): boolean {
  if (!from.dom.contains(view.dom)) return false;
  const { from: start, to: end } = draggedNode(from) ?? from.state.selection;
  const at = from.posAtDOM(view.dom, 0, -1);
  return at >= start && at < end;
}

/** Whether the person asks for a copy, by the key that the system has for it. */
export function asksForCopy(event: DragEvent): boolean {
  return /Mac/.test(navigator.platform) ? event.altKey : event.ctrlKey;
}

/** Takes it away where it was. */
export function takeAway({ view }: Dragged): void {
  const tr = view.state.tr;
  const node = draggedNode(view);
  if (node) node.replace(tr);
  else tr.deleteSelection();
  view.dispatch(tr.setMeta('uiEvent', 'drop'));
  // The element that was dragged is gone, and so tells nothing of the end.
  view.dragging = null;
  endDrag();
}

/** Puts it in near a position: whole nodes between others, words between words. */
export function putNear(view: EditorView, near: number, slice: Slice): void {
  const at = dropPoint(view.state.doc, near, slice) ?? near;
  const [only] = slice.content.content;
  const tr = view.state.tr;
  if (only && slice.content.childCount === 1 && slice.openStart === 0 && slice.openEnd === 0) tr.replaceRangeWith(at, at, only);
  else tr.replaceRange(at, at, slice);
  view.dispatch(tr.scrollIntoView().setMeta('uiEvent', 'drop'));
}

/** A node that was dragged without being selected; ProseMirror knows it, and its types do not say so. */
function draggedNode({ dragging }: EditorView): NodeSelection | undefined {
  return (dragging as { readonly node?: NodeSelection } | null)?.node;
}
