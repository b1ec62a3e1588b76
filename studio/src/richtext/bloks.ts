// What can be done with the blocks in a text as a whole.

import type { Attrs, Node } from 'prosemirror-model';
import { NodeSelection, TextSelection, type Command } from 'prosemirror-state';
import { isList, isObject, type Json } from '../model/json.ts';
import { newUid, withNewUids } from '../model/uids.ts';
import { afterwards, moveNode } from './commands.ts';
import { schema } from './schema.ts';

/** The attributes of a copy of a node with blocks: it is new, and so are they. */
export function copiedBlok({ attrs }: Node, body: Json): Attrs {
  return { ...attrs, key: null, id: newUid(), body: isList(body) ? body.map((block) => (isObject(block) ? withNewUids(block) : block)) : body };
}

export type BlokAct = 'up' | 'down' | 'before' | 'after' | 'remove';

/** Does it with the node at a position. */
export function blokCommand(act: BlokAct, position: number): Command {
  return (state, dispatch) => {
    const node = state.doc.nodeAt(position);
    if (!node) return false;
    const tr = state.tr;
    switch (act) {
      case 'up':
      case 'down':
        return afterwards(state, tr.setSelection(NodeSelection.create(state.doc, position)), moveNode(act === 'up' ? -1 : 1), dispatch);
      case 'before':
      case 'after': {
        const at = act === 'before' ? position : position + node.nodeSize;
        dispatch?.(tr.insert(at, schema.nodes.paragraph!.create()).setSelection(TextSelection.create(tr.doc, at + 1)).scrollIntoView());
        return true;
      }
      case 'remove':
        dispatch?.(tr.delete(position, position + node.nodeSize).scrollIntoView());
        return true;
    }
  };
}
