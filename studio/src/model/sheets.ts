// Cells as a sheet puts them on the clipboard as text: tabs between cells, line ends between rows, and quotes around a cell that has one of these.

/** The rows of a text from a sheet. A text without tabs and line ends is one cell. */
export function readSheet(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  let at = 0;
  const source = text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  for (;;) {
    const cell = readCell(source, at);
    rows.at(-1)!.push(cell.text);
    at = cell.end;
    if (at >= source.length) return rows;
    if (source[at] === '\n') rows.push([]);
    at += 1;
  }
}

/** A cell that begins at a place, and where it ends. */
function readCell(source: string, from: number): { readonly text: string; readonly end: number } {
  const quoted = source[from] === '"' ? /"((?:[^"]|"")*)"(?=[\t\n]|$)/y : undefined;
  if (quoted) {
    quoted.lastIndex = from;
    const found = quoted.exec(source);
    // A cell may begin with a quote and be none of those: then it is as it stands there.
    if (found) return { text: (found[1] ?? '').replaceAll('""', '"'), end: quoted.lastIndex };
  }
  const plain = /[^\t\n]*/y;
  plain.lastIndex = from;
  return { text: plain.exec(source)?.[0] ?? '', end: plain.lastIndex };
}

/** Rows as text for a sheet. */
export function writeSheet(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map((cell) => (/[\t\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t')).join('\n');
}
