// Where a dragged story lands, from where the pointer is over a row.

import type { Folder } from './shell.ts';
import type { Story } from './story.ts';

export type Landing = 'before' | 'behind' | 'into';

/** The landing over a row of this height: into a folder over its middle, else before or behind it. Where the order is not to be changed, only folders take it. */
export function landingOf(offset: number, height: number, isFolder: boolean, canOrder: boolean): Landing | undefined {
  const part = height > 0 ? offset / height : 0.5;
  if (isFolder && (!canOrder || (part > 0.25 && part < 0.75))) return 'into';
  if (!canOrder) return undefined;
  return part < 0.5 ? 'before' : 'behind';
}

/**
 * The sibling that the story comes behind, `undefined` for none, and whether it moves at all. Rows are asked for by their number, because those out of sight may
 * not be known: nothing moves behind one of them.
 */
export function placeBehind(idAt: (row: number) => number | undefined, dragged: number, over: number, landing: 'before' | 'behind'): { readonly after: number | undefined; readonly moves: boolean } {
  const above = landing === 'behind' ? over : over - 1;
  const below = above + 1;
  const after = above < 0 ? undefined : idAt(above);
  const isKnown = above < 0 || after !== undefined;
  return { after, moves: isKnown && after !== dragged && idAt(below) !== dragged };
}

/** Whether a story can be moved into a folder: not where it is already, and no folder into itself or below itself. */
export function fitsInto(story: Story, folder: Pick<Folder, 'id' | 'full_slug'>): boolean {
  return folder.id !== story.parent_id && folder.id !== story.id && !folder.full_slug.startsWith(`${story.full_slug}/`);
}
