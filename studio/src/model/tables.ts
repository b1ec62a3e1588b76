// Tables as content holds them: a head of cells and rows of cells. Each change gives a new table in which everything else is as it was: cells keep what is not
// known of them, and new ones look like those that are there, so that an old table without `_uid` stays one.

import { isList, isObject, numberOf, textOf, type Json, type JsonObject } from './json.ts';
import { newUid } from './uids.ts';

/** The number of the head among the rows. */
export const HEAD = -1;

export interface Table {
  readonly head: readonly JsonObject[];
  readonly rows: readonly JsonObject[];
  /** How many cells the longest row has. */
  readonly columns: number;
}

/** Whether a value can be shown as a table: rows and cells are objects, and cells hold nothing but text. */
export function isTable(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (!isObject(value)) return false;
  return isListOf(value.thead, isCell) && isListOf(value.tbody, (row) => isObject(row) && isListOf(row.body, isCell));
}

function isListOf(value: Json | undefined, isItem: (item: Json) => boolean): boolean {
  return value === undefined || value === null || (isList(value) && value.every(isItem));
}

function isCell(cell: Json): boolean {
  return isObject(cell) && (cell.value === undefined || cell.value === null || textOf(cell.value) !== undefined);
}

export function readTable(value: Json | undefined): Table {
  const table = isObject(value) ? value : {};
  const head = cellsOf(table.thead);
  const rows = cellsOf(table.tbody);
  return { head, rows, columns: Math.max(head.length, ...rows.map((row) => cellsOf(row.body).length)) };
}

const NONE: readonly JsonObject[] = [];
const cellsOf = (list: Json | undefined) => (isList(list) ? (list as readonly JsonObject[]) : NONE);

/** What stands in a cell. */
export function cellText(table: Table, row: number, column: number): string {
  const cells = row === HEAD ? table.head : cellsOf(table.rows[row]?.body);
  return textOf(cells[column]?.value) ?? '';
}

/** A table that has no cells yet, with a head and a row; what is not known of it stays. */
export function begunTable(value: Json | undefined): JsonObject {
  return withTexts(value, HEAD, 0, [['', ''], ['', '']]);
}

/** Writes a block of texts into a table, from a cell on. It grows as far as they reach; a row or column of it that was shorter grows with it. */
export function withTexts(value: Json | undefined, row: number, column: number, texts: readonly (readonly string[])[]): JsonObject {
  const { columns } = readTable(value);
  const width = Math.max(columns, column + Math.max(0, ...texts.map((line) => line.length)));
  const write = (cells: Cells, at: number, name: CellName, table: JsonObject): Cells => {
    const line = texts[at - row];
    // A column that is new has a head, where the others have one.
    if (line === undefined || line.length === 0) return filled(cells, at === HEAD && width > columns && cells.length > 0 ? width : 0, name, table);
    return filled(cells, column + line.length, name, table).map((cell, index) => {
      const text = line[index - column];
      return text === undefined || text === (textOf(cell.value) ?? '') ? cell : { ...cell, value: ofKind(cell.value, text) };
    });
  };
  return changed(value, ({ head, rows }, table) => {
    const last = Math.max(rows.length, row + texts.length);
    const all = Array.from({ length: last }, (_, index) => rows[index] ?? newRow(table, width));
    return { head: write(head, HEAD, '_table_head', table), rows: all.map((one, index) => withCells(one, write(cellsOf(one.body), index, '_table_col', table))) };
  });
}

/** A row more, before another one or behind the last. */
export function withRow(value: Json | undefined, at: number): JsonObject {
  return changed(value, ({ head, rows, columns }, table) => ({ head, rows: rows.toSpliced(at, 0, newRow(table, columns)) }));
}

export function withoutRow(value: Json | undefined, at: number): JsonObject {
  return changed(value, ({ head, rows }) => ({ head, rows: rows.toSpliced(at, 1) }));
}

export function withMovedRow(value: Json | undefined, from: number, to: number): JsonObject {
  return changed(value, ({ head, rows }) => ({ head, rows: moved(rows, from, to) }));
}

/** A column more, before another one or behind the last. A row that does not reach there stays as it is, and so do the ones below. */
export function withColumn(value: Json | undefined, at: number): JsonObject {
  return eachRow(value, at, (cells, name, table) => cells.toSpliced(at, 0, newCell(table, name)));
}

export function withoutColumn(value: Json | undefined, at: number): JsonObject {
  return eachRow(value, at, (cells) => cells.toSpliced(at, 1));
}

export function withMovedColumn(value: Json | undefined, from: number, to: number): JsonObject {
  return eachRow(value, Math.min(from, to) + 1, (cells, name, table) => moved(filled(cells, Math.max(from, to) + 1, name, table), from, to));
}

type CellName = '_table_head' | '_table_col';
type Cells = readonly JsonObject[];

/** Changes the rows that reach to a column; one without cells reaches nowhere. */
function eachRow(value: Json | undefined, column: number, change: (cells: Cells, name: CellName, table: JsonObject) => Cells): JsonObject {
  const changeLong = (cells: Cells, name: CellName, table: JsonObject) => (cells.length === 0 || cells.length < column ? cells : change(cells, name, table));
  return changed(value, ({ head, rows }, table) => ({ head: changeLong(head, '_table_head', table), rows: rows.map((row) => withCells(row, changeLong(cellsOf(row.body), '_table_col', table))) }));
}

/** A table with another head and other rows; a list that is as it was stays, also where it is missing. Where nothing was it begins as the hosted service writes it. */
function changed(value: Json | undefined, change: (table: Table, raw: JsonObject) => { readonly head: Cells; readonly rows: Cells }): JsonObject {
  const raw: JsonObject = isObject(value) ? value : { fieldtype: 'table', thead: [], tbody: [] };
  const before = readTable(raw);
  const { head, rows } = change(before, raw);
  return { ...raw, ...(isSame(head, before.head) ? {} : { thead: head }), ...(isSame(rows, before.rows) ? {} : { tbody: rows }) };
}

function isSame(one: Cells, other: Cells): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** What was typed over a value: a number stays one where it says the same. */
function ofKind(before: Json | undefined, text: string): Json {
  const number = typeof before === 'number' ? numberOf(text) : undefined;
  return number !== undefined && textOf(number) === text ? number : text;
}

function withCells(row: JsonObject, cells: Cells): JsonObject {
  return isSame(cells, cellsOf(row.body)) ? row : { ...row, body: cells };
}

function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  return list.toSpliced(from, 1).toSpliced(to, 0, list[from]!);
}

/** Cells up to a number. */
function filled(cells: Cells, count: number, name: CellName, table: JsonObject): Cells {
  return cells.length >= count ? cells : [...cells, ...Array.from({ length: count - cells.length }, () => newCell(table, name))];
}

function newCell(table: JsonObject, name: CellName): JsonObject {
  return { ...marks(table, name), value: '' };
}

function newRow(table: JsonObject, columns: number): JsonObject {
  return { ...marks(table, '_table_row'), body: Array.from({ length: columns }, () => newCell(table, '_table_col')) };
}

/** What a new cell or row has beside its value, which is what the others have: old tables have neither. */
function marks(table: JsonObject, component: string): JsonObject {
  const { head, rows } = readTable(table);
  const others = [...head, ...rows, ...rows.flatMap((row) => cellsOf(row.body))];
  const has = (member: string) => others.length === 0 || others.some((one) => member in one);
  return { ...(has('_uid') ? { _uid: newUid() } : {}), ...(has('component') ? { component } : {}) };
}
