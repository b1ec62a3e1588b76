import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isEqual, type Json, type JsonObject } from './json.ts';
import { readSheet, writeSheet } from './sheets.ts';
import { begunTable, cellText, HEAD, isTable, readTable, withColumn, withMovedColumn, withMovedRow, withoutColumn, withoutRow, withRow, withTexts } from './tables.ts';

const OLD: JsonObject = { thead: [{ value: 'x' }, { value: 'y' }], tbody: [{ body: [{ value: '1' }, { value: 2, value__i18n__fr: 'deux' }] }, { body: [{ value: '3' }] }], odd: true };

const text = fc.string({ maxLength: 4 });
const cell = (component: string) => fc.record({ _uid: fc.uuid(), component: fc.constant(component), value: fc.oneof(text, fc.integer()), extra: fc.constant(1) }, { requiredKeys: [], noNullPrototype: true });
const table = fc.record({
  fieldtype: fc.constant('table'),
  thead: fc.array(cell('_table_head'), { maxLength: 4 }),
  tbody: fc.array(fc.record({ _uid: fc.uuid(), component: fc.constant('_table_row'), body: fc.array(cell('_table_col'), { maxLength: 4 }) }, { requiredKeys: [], noNullPrototype: true }), { maxLength: 4 }),
}, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<JsonObject>;

const textsOf = (value: Json | undefined) => {
  const read = readTable(value);
  return Array.from({ length: read.rows.length + 1 }, (_, row) => Array.from({ length: read.columns }, (_, column) => cellText(read, row - 1, column)));
};

test('tables of every age can be shown, and what is none is for the JSON view', () => {
  for (const value of [undefined, null, '', {}, OLD, { thead: null, tbody: [] }, { tbody: [{}] }]) assert.equal(isTable(value), true, JSON.stringify(value));
  const odd: readonly Json[] = ['a', 5, [], { thead: {} }, { thead: ['x'] }, { tbody: [[]] }, { tbody: [{ body: [{ value: {} }] }] }];
  for (const value of odd) assert.equal(isTable(value), false, JSON.stringify(value));
});

test('one cell changes and nothing else: a number stays one, and an old table gets no `_uid`', () => {
  const changed = withTexts(OLD, 0, 1, [['5']]);
  assert.deepEqual(changed, { ...OLD, tbody: [{ body: [{ value: '1' }, { value: 5, value__i18n__fr: 'deux' }] }, { body: [{ value: '3' }] }] });
  assert.deepEqual(withTexts(OLD, 1, 1, [['4']]).tbody, [(OLD.tbody as Json[])[0], { body: [{ value: '3' }, { value: '4' }] }]);
  assert.deepEqual(withRow(OLD, 1).tbody, [(OLD.tbody as Json[])[0], { body: [{ value: '' }, { value: '' }] }, (OLD.tbody as Json[])[1]]);
});

test('a new table is as the hosted service writes it', () => {
  const made = withTexts(undefined, HEAD, 0, [['a', 'b'], ['c', 'd']]);
  assert.equal(made.fieldtype, 'table');
  const [head] = made.thead as JsonObject[];
  const [row] = made.tbody as JsonObject[];
  assert.match(String(head?._uid), /^[0-9a-f-]{36}$/);
  assert.deepEqual([head?.component, row?.component, (row?.body as JsonObject[])[1]?.component], ['_table_head', '_table_row', '_table_col']);
  assert.deepEqual(textsOf(made), [['a', 'b'], ['c', 'd']]);
  // One that is begun keeps what was there beside its cells.
  const { odd, tbody, thead } = begunTable({ odd: [1], tbody: [{ note: 'x' }] });
  assert.deepEqual([odd, (tbody as JsonObject[])[0]!.note, (thead as Json[]).length], [[1], 'x', 2]);
});

// Cells of any kind that the grid shows, in rows of any length.
const anyCell = fc.record({ _uid: fc.uuid(), value: fc.oneof(fc.constantFrom<Json>(null, true, false, '', '12', ' '), fc.double({ noNaN: true }), text), extra: fc.jsonValue() }, { requiredKeys: [], noNullPrototype: true });
const anyTable = fc.record({
  thead: fc.option(fc.array(anyCell, { maxLength: 4 })),
  tbody: fc.option(fc.array(fc.record({ body: fc.option(fc.array(anyCell, { maxLength: 4 })), note: fc.jsonValue() }, { requiredKeys: [], noNullPrototype: true }), { maxLength: 4 })),
  unknown: fc.jsonValue(),
}, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<JsonObject>;

const rowsOf = (value: Json | undefined) => ((value as JsonObject).tbody ?? []) as readonly JsonObject[];
const cellsIn = (value: Json | undefined) => [((value as JsonObject).thead ?? []) as readonly Json[], ...rowsOf(value).map((row) => (row.body ?? []) as readonly Json[])];

test('only the cells that are written change: the others are the very same, whatever they hold, and so is what stands beside them', () => {
  fc.assert(fc.property(anyTable, fc.integer({ min: HEAD, max: 4 }), fc.nat(4), fc.nat(), fc.array(fc.array(text, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 }), (value, row, column, other, texts) => {
    assert.equal(isTable(value), true);
    const { rows, columns } = readTable(value);
    const [one, two] = [column % (columns || 1), other % (columns || 1)];
    const isWritten = (r: number, c: number) => texts[r - 1 - row]?.[c - column] !== undefined;
    const changes: [JsonObject, (r: number, c: number) => boolean][] = [
      [withTexts(value, row, column, texts), isWritten], [withRow(value, other % (rows.length + 1)), () => false], [withColumn(value, other % (columns + 1)), () => false],
      ...(columns > 0 ? [[withMovedColumn(value, one, two), () => false], [withoutColumn(value, one), (_: number, c: number) => c === one]] as typeof changes : []),
      ...(rows.length > 0 ? [[withMovedRow(value, row < 0 ? 0 : row % rows.length, other % rows.length), () => false], [withoutRow(value, other % rows.length), (r: number) => r === 1 + (other % rows.length)]] as typeof changes : []),
    ];
    for (const [next, isOwn] of changes) {
      const found = new Set(cellsIn(next).flat());
      cellsIn(value).forEach((cells, r) => cells.forEach((cell, c) => assert.ok(isOwn(r, c) || found.has(cell))));
      const { thead, tbody, ...others } = next;
      for (const name of Object.keys(others)) assert.equal(others[name], value[name]);
      assert.equal(Object.keys(others).length, Object.keys(value).filter((name) => name !== 'thead' && name !== 'tbody').length);
      // A list that was missing is not there for no reason.
      if (thead !== value.thead) assert.ok((thead as Json[]).length > 0 || value.thead);
      if (tbody !== value.tbody) assert.ok((tbody as Json[]).length > 0 || value.tbody);
    }
  }));
});

test('rows that are shorter than others stay so where nothing is written into them', () => {
  const value: JsonObject = { tbody: [{ body: [{ value: 1 }, { value: true }, {}] }, { body: [{ value: null }] }, { note: 'x' }] };
  const [, short, empty] = rowsOf(value);
  for (const next of [withColumn(value, 2), withColumn(value, 3), withoutColumn(value, 2), withMovedColumn(value, 1, 2), withTexts(value, 0, 2, [['a', 'b']])]) {
    assert.equal(rowsOf(next)[1], short);
    assert.equal(rowsOf(next)[2], empty);
    assert.equal(Object.hasOwn(next, 'thead'), false);
  }
});

test('texts land where they are pasted, and every other cell stays', () => {
  const block = fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });
  fc.assert(fc.property(table, fc.integer({ min: HEAD, max: 4 }), fc.nat(4), block, (value, row, column, texts) => {
    const [before, after] = [textsOf(value), textsOf(withTexts(value, row, column, texts))];
    after.forEach((line, at) => line.forEach((found, index) => {
      assert.equal(found, texts[at - 1 - row]?.[index - column] ?? before[at]?.[index] ?? '');
    }));
    assert.ok(after.length > row + texts.length);
  }));
});

test('a number stays one where it says the same', () => {
  const table = { tbody: [{ body: [{ value: 12 }] }] };
  const written = (text: string) => ((withTexts(table, 0, 0, [[text]]).tbody as JsonObject[])[0]!.body as JsonObject[])[0]!.value;
  assert.deepEqual(['12', '13.5', '12.50', ' 12', 'dozen'].map(written), [12, 13.5, '12.50', ' 12', 'dozen']);
});

test('what is written as it was is the same table', () => {
  fc.assert(fc.property(table.filter((value) => readTable(value).columns > 0), (value) => {
    const { rows } = readTable(value);
    rows.forEach((row, at) => ((row.body as JsonObject[] | undefined) ?? []).forEach((_, column) => {
      const same = withTexts(value, at, column, [[cellText(readTable(value), at, column)]]);
      assert.deepEqual(same, value);
    }));
  }));
});

test('rows and columns that are added and removed, or moved there and back, leave the table as it was', () => {
  fc.assert(fc.property(table.filter((value) => readTable(value).rows.length > 0), fc.nat(), fc.nat(), (value, one, other) => {
    const { rows, columns } = readTable(value);
    const [from, to] = [one % rows.length, other % rows.length];
    assert.ok(isEqual(withoutRow(withRow(value, from), from), value));
    assert.ok(isEqual(withMovedRow(withMovedRow(value, from, to), to, from), value));
    assert.deepEqual(textsOf(withoutColumn(withColumn(value, from % (columns + 1)), from % (columns + 1))), textsOf(value));
    if (columns > 0) assert.deepEqual(textsOf(withMovedColumn(withMovedColumn(value, one % columns, other % columns), other % columns, one % columns)), textsOf(value));
  }));
});

test('cells go to a sheet and back', () => {
  assert.deepEqual(readSheet('a\tb\r\nc\t"d ""e""\nf"\r\n'), [['a', 'b'], ['c', 'd "e"\nf']]);
  assert.deepEqual(readSheet('"quoted" and more\tb'), [['"quoted" and more', 'b']]);
  assert.deepEqual(readSheet(''), [['']]);
  const rows = fc.array(fc.array(fc.string().map((one) => one.replaceAll('\r', '')), { minLength: 1 }), { minLength: 1 });
  fc.assert(fc.property(rows.filter((all) => all.at(-1)!.join('') !== ''), (all) => assert.deepEqual(readSheet(writeSheet(all)), all)));
});
