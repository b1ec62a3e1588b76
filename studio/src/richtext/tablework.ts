// The commands of tables. Loaded with the first one.

import type { Node } from 'prosemirror-model';
import { EditorState, TextSelection, type Command, type Selection, type Transaction } from 'prosemirror-state';
import {
  CellSelection, addColumnAfter, addColumnBefore, addRowAfter, addRowBefore, deleteColumn, deleteRow, deleteTable, fixTables, goToNextCell, isInTable, mergeCells, moveTableColumn, moveTableRow, selectedRect,
  splitCell, tableEditing, TableMap, toggleHeaderColumn, toggleHeaderRow,
} from 'prosemirror-tables';
import { afterwards, insertBlock } from './commands.ts';
import { schema } from './schema.ts';
import type { Tables } from './tables.ts';

const { nodes: types } = schema;

/** A command of the table that the selection is in. One that is no grid, as other programs write them, becomes one first. */
function onGrid(act: Command): Command {
  const command = mending(act);
  return (state, dispatch, view) => {
    const { $anchor, $head } = state.selection;
    const depth = Array.from({ length: $head.depth + 1 }, (_, at) => $head.depth - at).find((at) => $head.node(at).type === types.table);
    if (depth === undefined || $anchor.depth < depth || $anchor.start(depth) !== $head.start(depth)) return false;
    const table = $head.node(depth);
    const grid = gridOf(table);
    if (!grid || grid === table) return grid !== undefined && command(state, dispatch, view);
    const at = $head.before(depth);
    const change = state.tr.replaceWith(at, at + table.nodeSize, grid);
    return afterwards(state, change.setSelection(TextSelection.near(change.doc.resolve(Math.min($head.pos, at + grid.nodeSize)))), command, dispatch);
  };
}

/** How often a table is mended: mending a cell may leave another one too long. */
const MENDINGS = 5;

function gridOf(table: Node, left = MENDINGS): Node | undefined {
  if (!TableMap.get(table).problems) return table;
  const mended = fixTables(EditorState.create({ doc: types.doc!.create(null, table) }))?.doc.firstChild;
  return mended && left > 0 ? gridOf(mended, left - 1) : undefined;
}

/** Moves the row or column of the cursor by one place, and selects it there. */
function moved(move: typeof moveTableRow, side: 'top' | 'left', count: (state: EditorState) => number, by: 1 | -1): Command {
  return (state, dispatch) => {
    if (!isInTable(state)) return false;
    const { [side]: from, tableStart } = selectedRect(state);
    const to = from + by;
    if (to < 0 || to >= count(state)) return false;
    // By itself it selects from corner to corner, where a cell that spans rows or columns has no corner.
    return move({ from, to, select: false })(state, (change) => dispatch?.(change.setSelection(lineAt(change.doc, tableStart, side, to))));
  };
}

/** A command of prosemirror-tables, which leave a hole where a row is put through a cell that spans columns, and fail where a row or column has no cell of its own: then nothing is done. */
function mending(command: Command): Command {
  return (state, dispatch, view) => {
    if (!dispatch) return command(state, undefined, view);
    let change: Transaction | undefined;
    try {
      command(state, (made) => (change = made), view);
      if (!change) return false;
      const holes = fixTables(EditorState.create({ doc: change.doc }), EditorState.create({ doc: state.doc }));
      for (const step of holes?.steps ?? []) change.step(step);
      change.doc.check();
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      return false;
    }
    dispatch(change);
    return true;
  };
}

/** The selection of a whole row or column of a table. */
function lineAt(document: Node, tableStart: number, side: 'top' | 'left', index: number): Selection {
  const map = TableMap.get(document.nodeAt(tableStart - 1)!);
  const cell = (row: number, column: number) => document.resolve(tableStart + map.map[row * map.width + column]!);
  if (map.problems) return TextSelection.near(document.resolve(tableStart));
  return side === 'left' ? CellSelection.colSelection(cell(map.height - 1, index), cell(0, index)) : CellSelection.rowSelection(cell(index, map.width - 1), cell(index, 0));
}

const rows = (state: EditorState) => selectedRect(state).map.height;
const columns = (state: EditorState) => selectedRect(state).map.width;

export const TABLES: Tables = {
  plugin: tableEditing({ allowTableNodeSelection: true }),
  acts: {
    rowBefore: onGrid(addRowBefore),
    rowAfter: onGrid(addRowAfter),
    rowUp: onGrid(moved(moveTableRow, 'top', rows, -1)),
    rowDown: onGrid(moved(moveTableRow, 'top', rows, 1)),
    columnBefore: onGrid(addColumnBefore),
    columnAfter: onGrid(addColumnAfter),
    columnLeft: onGrid(moved(moveTableColumn, 'left', columns, -1)),
    columnRight: onGrid(moved(moveTableColumn, 'left', columns, 1)),
    mergeCells: onGrid(mergeCells),
    splitCell: onGrid(splitCell),
    headRow: onGrid(toggleHeaderRow),
    headColumn: onGrid(toggleHeaderColumn),
    removeRow: onGrid(deleteRow),
    removeColumn: onGrid(deleteColumn),
    removeTable: onGrid(deleteTable),
  },
  cell: goToNextCell,
  insert(height, width) {
    const row = (type: 'tableCell' | 'tableHeader') => types.tableRow!.create(null, Array.from({ length: width }, () => types[type]!.createAndFill()!));
    const table = types.table!.create(null, Array.from({ length: height }, (_, index) => row(index === 0 ? 'tableHeader' : 'tableCell')));
    return insertBlock(table, 'inside');
  },
};
