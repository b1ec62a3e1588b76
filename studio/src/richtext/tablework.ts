// The commands of tables. Loaded with the first one.

import type { Node } from 'prosemirror-model';
import { EditorState, TextSelection, type Command } from 'prosemirror-state';
import {
  addColumnAfter, addColumnBefore, addRowAfter, addRowBefore, deleteColumn, deleteRow, deleteTable, fixTables, goToNextCell, isInTable, mergeCells, moveTableColumn, moveTableRow, selectedRect,
  splitCell, tableEditing, TableMap, toggleHeaderColumn, toggleHeaderRow,
} from 'prosemirror-tables';
import { afterwards, insertBlock } from './commands.ts';
import { schema } from './schema.ts';
import type { Tables } from './tables.ts';

const { nodes: types } = schema;

/** A command of the table that the selection is in. One that is no grid, as other programs write them, becomes one first. */
function onGrid(command: Command): Command {
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

/** Moves the row or column of the cursor by one place. */
function moved(move: typeof moveTableRow, side: 'top' | 'left', count: (state: EditorState) => number, by: 1 | -1): Command {
  return (state, dispatch) => {
    if (!isInTable(state)) return false;
    const from = selectedRect(state)[side];
    const to = from + by;
    return to >= 0 && to < count(state) && move({ from, to })(state, dispatch);
  };
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
