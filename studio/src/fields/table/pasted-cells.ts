// The cells of what was pasted: of a table in HTML, else of the lines and tabs of its text.

import { pastedDocument, pastedText, textOfElement } from '../../kit/pasted.ts';
import { readSheet } from '../../model/sheets.ts';

/** Nothing where there is no text: only files were copied, or an empty table. */
export function pastedCells(data: DataTransfer): readonly (readonly string[])[] | undefined {
  const table = pastedDocument(data.getData('text/html')).querySelector('table');
  const cells = table ? cellsOfTable(table) : [];
  if (cells.some((line) => line.length > 0)) return cells;
  const text = pastedText(data);
  return text === '' ? undefined : readSheet(text);
}

/** The texts of a table. A cell over several rows or columns has its text in the first of its places. */
function cellsOfTable(table: HTMLTableElement): readonly (readonly string[])[] {
  const rows: (string | undefined)[][] = [...table.rows].map(() => []);
  [...table.rows].forEach((row, at) => {
    for (const cell of row.cells) {
      let column = 0;
      while (rows[at]![column] !== undefined) column += 1;
      for (let down = 0; down < Math.max(1, cell.rowSpan) && at + down < rows.length; down++) {
        for (let along = 0; along < Math.max(1, cell.colSpan); along++) rows[at + down]![column + along] = down + along === 0 ? textOfElement(cell) : '';
      }
    }
  });
  return rows.map((row) => Array.from(row, (text) => text ?? ''));
}
