// The picture that is selected in a text, and how it becomes another one.

import { Slice } from 'prosemirror-model';
import { NodeSelection, type Command, type EditorState } from 'prosemirror-state';
import type { JsonObject } from '../model/json.ts';
import { afterwards, insertBlock } from './commands.ts';
import { readNode, writeNode } from './document.ts';
import { schema } from './schema.ts';

const { image, image_block: imageBlock } = schema.nodes;

/** The picture that is selected, as content has it. */
export function pictureAt({ selection }: EditorState): { readonly attrs: JsonObject; readonly isBlock: boolean } | undefined {
  if (!(selection instanceof NodeSelection) || (selection.node.type !== image && selection.node.type !== imageBlock)) return undefined;
  return { attrs: (writeNode(selection.node).attrs as JsonObject | undefined) ?? {}, isBlock: selection.node.type === imageBlock };
}

/** Puts a picture in, or in place of the one that is selected: in a line of text, or on a line of its own. */
export function setPicture(attrs: JsonObject, isBlock: boolean): Command {
  return (state, dispatch) => {
    const { selection } = state;
    const before = pictureAt(state);
    const stored: JsonObject = before ? { ...writeNode((selection as NodeSelection).node), attrs } : { type: 'image', attrs };
    const type = isBlock ? imageBlock! : image!;
    const node = before ? readNode(stored, isBlock ? 'block' : 'inline', () => undefined) : type.create(attrs);
    if (!dispatch) return true;
    if (before?.isBlock === isBlock) {
      const tr = state.tr.replaceWith(selection.from, selection.to, node);
      dispatch(tr.setSelection(NodeSelection.create(tr.doc, selection.from)).scrollIntoView());
      return true;
    }
    if (isBlock) return afterwards(state, before ? state.tr.deleteSelection() : state.tr, insertBlock(node), dispatch);
    dispatch(state.tr.replaceSelection(new Slice(schema.nodes.paragraph!.create(null, node).content, 0, 0)).scrollIntoView());
    return true;
  };
}
