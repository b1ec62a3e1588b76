// The cells of what was pasted: of a table in HTML, else of the lines and tabs of its text.

import { pastedDocument } from '../../kit/pasted.ts';
import { readSheet } from '../../model/sheets.ts';

/** What is read as a line of its own within a cell. */
const BLOCKS = 'P, DIV, LI, H1, H2, H3, H4, H5, H6, PRE, BLOCKQUOTE';

export function pastedCells(data: DataTransfer): readonly (readonly string[])[] {
  const table = pastedDocument(data.getData('text/html')).querySelector('table');
  return table ? cellsOfTable(table) : readSheet(data.getData('text/plain'));
}

/** The texts of a table. A cell over several rows or columns has its text in the first of its places. */
function cellsOfTable(table: HTMLTableElement): readonly (readonly string[])[] {
  const rows: (string | undefined)[][] = [...table.rows].map(() => []);
  [...table.rows].forEach((row, at) => {
    for (const cell of row.cells) {
      let column = 0;
      while (rows[at]![column] !== undefined) column += 1;
      for (let down = 0; down < Math.max(1, cell.rowSpan) && at + down < rows.length; down++) {
        for (let along = 0; along < Math.max(1, cell.colSpan); along++) rows[at + down]![column + along] = down + along === 0 ? textOfCell(cell) : '';
      }
    }
  });
  return rows.map((row) => Array.from(row, (text) => text ?? ''));
}

function textOfCell(cell: HTMLElement): string {
  const lines = [''];
  const walk = (node: Node) => {
    if (node.nodeType === Node.TEXT_NODE) lines[lines.length - 1] += (node.textContent ?? '').replace(/\s+/g, ' ');
    else if (node.nodeName === 'BR') lines.push('');
    else {
      const isBlock = node !== cell && node instanceof Element && node.matches(BLOCKS);
      if (isBlock && lines.at(-1)!.trim() !== '') lines.push('');
      node.childNodes.forEach(walk);
      if (isBlock && lines.at(-1)!.trim() !== '') lines.push('');
    }
  };
  walk(cell);
  return lines.map((line) => line.trim()).join('\n').trim();
}
