// What can be done with the blocks in a text as a whole.

import { NodeSelection, TextSelection, type Command } from 'prosemirror-state';
import { afterwards, moveNode } from './commands.ts';
import { schema } from './schema.ts';

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
