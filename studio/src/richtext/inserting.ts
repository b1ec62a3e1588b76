// How what others wrote comes into a text: reduced to what the field offers, once it is known what becomes of its pictures.

import type { Root } from 'mdast';
import { Slice } from 'prosemirror-model';
import type { EditorView } from 'prosemirror-view';
import type { CopyPlace } from '../model/clipboard.ts';
import type { JsonObject } from '../model/json.ts';
import type { PastedText } from '../model/pastedtext.ts';
import { readDocument, writeNode } from './document.ts';
import { lossesOf } from './losses.ts';
import { fromMarkdown } from './markdown.ts';
import { picturesIn, reduceSlice, replacePictures, type Offer } from './reduce.ts';
import { isWellFormed } from './structure.ts';

export interface InsertActs extends Offer {
  /** Asks what becomes of pictures that were pasted: their attributes by address. What is not there goes. */
  askPictures(addresses: readonly string[]): Promise<ReadonlyMap<string, JsonObject>>;
  readMarkdown(text: string): Promise<Root>;
  /** What is pasted goes in by `putIn`; then it is told what of it was left out, and what leads to another space. */
  paste(pasted: PastedText, putIn: () => void): void;
}

/** Puts what fits where the selection is. */
export function put(view: EditorView, slice: Slice): void {
  view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'));
}

/** Puts in what fits of a copy of the studio, where the selection is if nothing else is said. */
export function insertCopy(view: EditorView, copy: Slice, from: CopyPlace | undefined, acts: InsertActs, putIn = (fitting: Slice) => put(view, fitting)): void {
  const fitting = reduceSlice(copy, acts);
  acts.paste({ lost: lossesOf(copy, fitting), from, nodes: fitting.content.content.map(writeNode) }, () => isWorth(fitting, copy) && putIn(fitting));
}

/** Pastes that wait for an answer about their pictures, by the editor that they were pasted into. */
const waiting = new WeakMap<EditorView, Set<() => void>>();

/** The editor goes: what waits still comes in without its pictures. */
export function settlePastes(view: EditorView): void {
  for (const settle of waiting.get(view) ?? []) settle();
}

/** Puts what others wrote where the selection is. */
export function insertSlice(view: EditorView, slice: Slice, acts: InsertActs): void {
  const fitting = reduceSlice(slice, acts);
  const addresses = picturesIn(fitting);
  const paste = (made: Slice) => acts.paste({ lost: lossesOf(slice, fitting), from: undefined, nodes: [] }, () => isWorth(made, slice) && put(view, made));
  if (addresses.length === 0) return paste(fitting);
  const others = waiting.get(view) ?? new Set();
  const settle = (pictures: ReadonlyMap<string, JsonObject> = new Map()) => {
    if (others.delete(settle)) paste(replacePictures(fitting, pictures));
  };
  waiting.set(view, others.add(settle));
  void acts.askPictures(addresses).then(settle);
}

/** What is selected stays where nothing is left of what was to take its place. */
function isWorth(made: Slice, given: Slice): boolean {
  const hasSomething = ({ content }: Slice) => content.textBetween(0, content.size, '', ' ') !== '';
  return hasSomething(made) || !hasSomething(given);
}

export async function insertMarkdown(view: EditorView, text: string, acts: InsertActs): Promise<void> {
  const document = { type: 'doc', content: fromMarkdown(await acts.readMarkdown(text)) };
  if (!view.isDestroyed && isWellFormed(document)) insertSlice(view, Slice.maxOpen(readDocument(document).content), acts);
}
