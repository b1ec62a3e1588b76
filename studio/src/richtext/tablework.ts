// The commands of tables. Loaded with the first one.

import type { Command, EditorState } from 'prosemirror-state';
import {
  addColumnAfter, addColumnBefore, addRowAfter, addRowBefore, deleteColumn, deleteRow, deleteTable, goToNextCell, isInTable, mergeCells, moveTableColumn, moveTableRow, selectedRect, splitCell,
  tableEditing, toggleHeaderColumn, toggleHeaderRow,
} from 'prosemirror-tables';
import { insertBlock } from './commands.ts';
import { schema } from './schema.ts';
import type { Tables } from './tables.ts';

const { nodes: types } = schema;

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
    rowBefore: addRowBefore,
    rowAfter: addRowAfter,
    rowUp: moved(moveTableRow, 'top', rows, -1),
    rowDown: moved(moveTableRow, 'top', rows, 1),
    columnBefore: addColumnBefore,
    columnAfter: addColumnAfter,
    columnLeft: moved(moveTableColumn, 'left', columns, -1),
    columnRight: moved(moveTableColumn, 'left', columns, 1),
    mergeCells,
    splitCell,
    headRow: toggleHeaderRow,
    headColumn: toggleHeaderColumn,
    removeRow: deleteRow,
    removeColumn: deleteColumn,
    removeTable: deleteTable,
  },
  cell: goToNextCell,
  insert(height, width) {
    const row = (type: 'tableCell' | 'tableHeader') => types.tableRow!.create(null, Array.from({ length: width }, () => types[type]!.createAndFill()!));
    const table = types.table!.create(null, Array.from({ length: height }, (_, index) => row(index === 0 ? 'tableHeader' : 'tableCell')));
    return insertBlock(table, 'inside');
  },
};
