// Tables in a rich text. What does the work is large, and loaded with the first table.

import type { Command, Plugin } from 'prosemirror-state';

/** What can be done with the table that the cursor is in. */
export const TABLE_ACTS = [
  'rowBefore', 'rowAfter', 'rowUp', 'rowDown', 'columnBefore', 'columnAfter', 'columnLeft', 'columnRight', 'mergeCells', 'splitCell', 'headRow', 'headColumn', 'removeRow', 'removeColumn', 'removeTable',
] as const;
export type TableAct = (typeof TABLE_ACTS)[number];

export interface Tables {
  readonly plugin: Plugin;
  readonly acts: { readonly [act in TableAct]: Command };
  /** To the cell beside; none behind the last and before the first. */
  cell(by: 1 | -1): Command;
  /** A new table, whose first row is its head. */
  insert(rows: number, columns: number): Command;
}

export async function tablesOf(): Promise<Tables> {
  return (await import('./tablework.ts')).TABLES;
}
