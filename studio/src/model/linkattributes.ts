// The attributes of a link as a form has them: in rows, where what is typed may be no attribute yet.

export interface Attribute {
  readonly name: string;
  readonly value: string;
}

/** An attribute as it is typed. */
export interface AttributeRow extends Attribute {
  /** The name that it came with, which it keeps in the link for as long as it has no other good one; a new row has none. */
  readonly first: string;
}

/** Why a row is not in the link as it was typed. */
export type RowProblem = 'unfinished' | 'taken' | 'reserved' | 'malformed';

/** The members of links that have a meaning of their own, in fields and in rich texts: an attribute of such a name would take their place. */
export const MEMBERS: readonly string[] = [
  '_uid', '_editable', 'id', 'url', 'cached_url', 'linktype', 'fieldtype', 'email', 'asset', 'anchor', 'target', 'name', 'input_value', 'story', 'prep', 'uuid', 'href',
  'filename', 'custom', 'component', 'plugin', '__proto__',
];
/** These have controls of their own. */
const FIXED: readonly string[] = ['rel', 'title'];

/** Whether no attribute can have a name, however it is written: pages do not tell capitals. */
export function isReserved(name: string): boolean {
  return MEMBERS.includes(name.trim().toLowerCase());
}

export function isFixed({ name }: Attribute): boolean {
  return FIXED.includes(name);
}

export function rowsOf(attributes: readonly Attribute[]): readonly AttributeRow[] {
  return attributes.map(({ name, value }) => ({ name, value, first: name }));
}

export function problemOf(rows: readonly AttributeRow[], at: number): RowProblem | undefined {
  const { name: typed, value, first } = rows[at]!;
  const name = typed.trim();
  if (name !== first) {
    if (name === '') return 'unfinished';
    if (isReserved(name)) return 'reserved';
    if (/[\s"'<>/=\0]/.test(name)) return 'malformed';
    if (isTaken(rows, at, name.toLowerCase())) return 'taken';
  }
  return name === '' || value === '' ? 'unfinished' : undefined;
}

/** Also what another row would come back to is taken. Of two new rows the first one has the name. */
function isTaken(rows: readonly AttributeRow[], at: number, name: string): boolean {
  return FIXED.includes(name)
    || rows.some((row, other) => other !== at && (row.first.toLowerCase() === name || (row.name.trim().toLowerCase() === name && (other < at || row.first !== ''))));
}

/** What of the rows is in the link: each attribute has a name of its own, and a value. */
export function attributesIn(rows: readonly AttributeRow[]): readonly Attribute[] {
  return rows.flatMap(({ name, value, first }, at) => {
    const problem = problemOf(rows, at);
    const written = problem === undefined ? name.trim() : first;
    return written === '' || value === '' ? [] : [{ name: written, value }];
  });
}

/** The rows as a text that is kept for as long as some of what was typed is not in the link. */
export function unwrittenRows(rows: readonly AttributeRow[]): string | undefined {
  const isUnwritten = rows.some(({ name, value }, at) => (name.trim() !== '' || value !== '') && problemOf(rows, at) !== undefined);
  return isUnwritten ? JSON.stringify(rows.map(({ name, value, first }) => [name, value, first])) : undefined;
}

/** The rows that were kept as a text; none of a text that is something else. */
export function keptRows(text: string | undefined): readonly AttributeRow[] {
  const rows = text === undefined ? [] : jsonOf(text);
  return Array.isArray(rows) && rows.every((row) => Array.isArray(row) && row.length === 3 && row.every((part) => typeof part === 'string')) ? rows.map(([name, value, first]) => ({ name, value, first })) : [];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It was typed where the value was no link.
    return undefined;
  }
}
