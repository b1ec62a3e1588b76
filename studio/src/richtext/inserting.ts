// How what others wrote comes into a text: reduced to what the field offers, once it is known what becomes of its pictures.

import type { Root } from 'mdast';
import { Slice } from 'prosemirror-model';
import type { EditorView } from 'prosemirror-view';
import type { JsonObject } from '../model/json.ts';
import { readDocument } from './document.ts';
import { fromMarkdown } from './markdown.ts';
import { picturesIn, reduceSlice, replacePictures, type Offer } from './reduce.ts';
import { isWellFormed } from './structure.ts';

export interface InsertActs extends Offer {
  /** Asks what becomes of pictures that were pasted: their attributes by address. What is not there goes. */
  askPictures(addresses: readonly string[]): Promise<ReadonlyMap<string, JsonObject>>;
  readMarkdown(text: string): Promise<Root>;
}

/** Puts what fits where the selection is. */
export function put(view: EditorView, slice: Slice): void {
  view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'));
}

/** Puts what others wrote where the selection is. */
export function insertSlice(view: EditorView, slice: Slice, acts: InsertActs): void {
  const fitting = reduceSlice(slice, acts);
  const addresses = picturesIn(fitting);
  if (addresses.length === 0) return put(view, fitting);
  void acts.askPictures(addresses).then((pictures) => {
    if (!view.isDestroyed) put(view, replacePictures(fitting, pictures));
  });
}

export async function insertMarkdown(view: EditorView, text: string, acts: InsertActs): Promise<void> {
  const document = { type: 'doc', content: fromMarkdown(await acts.readMarkdown(text)) };
  if (!view.isDestroyed && isWellFormed(document)) insertSlice(view, Slice.maxOpen(readDocument(document).content), acts);
}
