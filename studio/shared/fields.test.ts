// The editors of fields over every value of the example spaces, which are real: each is shown, told in a few words, and left as it is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pictureOf, summaryOf } from '../src/fields/summary.ts';
import { valuesOf } from '../src/fields/choices.ts';
import { urlOfValue } from '../src/model/assets.ts';
import { emptiedFile, isFileValue, typedValue } from '../src/model/assetvalues.ts';
import { readField, readSchemas } from '../src/model/components.ts';
import { readDate, shownDate, typedDate } from '../src/model/dates.ts';
import { isList, isObject, type Json, type JsonObject } from '../src/model/json.ts';
import { isLink, readLink, writeLink } from '../src/model/links.ts';
import { isFlat, membersOf } from '../src/model/plugins.ts';
import { fieldOf, type Field } from '../src/model/schema.ts';
import { cellText, isTable, readTable, withTexts } from '../src/model/tables.ts';
import { isOfType, Original, shownText, writtenText } from '../src/model/values.ts';
import de from '../src/texts/de.ts';
import en from '../src/texts/en.ts';
import { read, SPACES } from './spaces.ts';

process.env.TZ = 'Europe/Berlin';

interface Value {
  readonly field: Field;
  readonly value: Json;
}

/** Every value of every block of the stories of a space, with the field of its schema: `unknown` where no schema names it. */
function valuesIn(space: string): Value[] {
  const schemas = readSchemas(read(space, 'components.json'));
  const found: Value[] = [];
  const walk = (json: Json): void => {
    if (isList(json)) return json.forEach(walk);
    if (!isObject(json)) return;
    if (typeof json.component === 'string') {
      for (const [member, value] of Object.entries(json)) {
        if (member === '_uid' || member === 'component') continue;
        found.push({ field: schemas.field(json, member) ?? readField(fieldOf(member), {}), value });
      }
    }
    Object.values(json).forEach(walk);
  };
  for (const { content } of read<{ stories: { content: JsonObject }[] }>(space, 'stories.json').stories) walk(content);
  return found;
}

const all = SPACES.map((space) => ({ space, values: valuesIn(space) }));

test('every value has an editor, and few of those with one of their own are shown as JSON', () => {
  const odd: string[] = [];
  let count = 0;
  for (const { space, values } of all) {
    for (const { field, value } of values) {
      count++;
      const hasEditor = isOfType(field.type, '') || isOfType(field.type, true) || isOfType(field.type, []);
      if (hasEditor && !isOfType(field.type, value)) odd.push(`${space} ${field.type} ${JSON.stringify(value)}`);
    }
  }
  assert.ok(count > 30_000, String(count));
  // A list that an old editor wrote as one text.
  assert.deepEqual(odd, ['field-types options "1 2"']);
});

test('what is shown, left or typed again is the same value', () => {
  for (const { values } of all) {
    for (const { field, value } of values) {
      if (isOfType(field.type, value) && !isList(value) && typeof value !== 'boolean') {
        let held: Json | undefined = value;
        const original = new Original(() => held);
        for (const text of ['', '7', 'other', shownText(value)]) held = original.write(writtenText(original.before, text));
        assert.equal(held, value);
      }
      if (isList(value) && isOfType(field.type, value)) assert.equal(valuesOf(value).length, value.length);
      // The JSON view keeps everything.
      assert.deepEqual(JSON.parse(JSON.stringify(value, null, 2)), value);
    }
  }
});

test('a URL that is typed and taken back leaves each file as it was, in its own kind', () => {
  let files = 0;
  for (const { values } of all) {
    for (const { field, value } of values) {
      if (!('asset_folder_id' in field)) continue;
      for (const file of isList(value) ? value : [value]) {
        files++;
        assert.ok(isFileValue(file));
        const typed = typedValue(field.type, file, 'https://other.example.org/crane.png');
        assert.equal(urlOfValue(typed), 'https://other.example.org/crane.png');
        if (isObject(file)) assert.deepEqual({ ...(typed as JsonObject), id: 0, filename: '', is_external_url: 0 }, { ...file, id: 0, filename: '', is_external_url: 0 });
        else assert.equal(typeof typed, file === '' && field.type === 'asset' ? 'object' : 'string');
        assert.ok(isFileValue(emptiedFile(field.type, file)));
      }
    }
  }
  assert.ok(files > 500, String(files));
});

test('one part of a link that changes leaves its other members as they were, and changed back it is the first value', () => {
  let links = 0;
  for (const { values } of all) {
    for (const { value } of values.filter(({ field }) => field.type === 'multilink')) {
      if (!isLink(value)) continue;
      links++;
      const link = readLink(value);
      assert.equal(writeLink(value, link), value);
      if (!isObject(value)) continue;
      assert.deepEqual(writeLink(value, { ...link, anchor: 'there' }), { ...value, anchor: 'there' });
      const moved = writeLink(value, { ...link, type: 'url', story: '', address: 'https://other.example.org' }) as JsonObject;
      assert.deepEqual(readLink(moved), { ...link, type: 'url', story: '', address: 'https://other.example.org' });
      for (const [name, member] of Object.entries(value)) if (!['id', 'url', 'cached_url', 'linktype', 'email', 'asset', 'input_value'].includes(name)) assert.deepEqual(moved[name], member);
    }
  }
  assert.ok(links > 300, String(links));
});

test('a cell of a table that changes leaves all others as they were', () => {
  let tables = 0;
  for (const { values } of all) {
    for (const { value } of values.filter(({ field }) => field.type === 'table')) {
      if (!isObject(value)) continue;
      assert.ok(isTable(value));
      tables++;
      const table = readTable(value);
      const text = cellText(table, 0, 0);
      const changed = withTexts(value, 0, 0, [['other']]);
      assert.equal(cellText(readTable(changed), 0, 0), 'other');
      if (table.rows.length > 0 && table.columns > 0) assert.deepEqual(withTexts(changed, 0, 0, [[text]]), value);
    }
  }
  assert.ok(tables > 0, String(tables));
});

test('the plain values of plugins are forms, and their members are all shown or kept', () => {
  let forms = 0;
  for (const { values } of all) {
    for (const { value } of values.filter(({ field }) => field.type === 'custom')) {
      if (!isObject(value) || !isFlat(value)) continue;
      forms++;
      const shown = Object.fromEntries(membersOf(value));
      assert.deepEqual({ ...value, ...shown }, value);
      assert.deepEqual(Object.keys(value).filter((name) => !(name in shown)).filter((name) => name !== '_uid' && name !== 'plugin'), []);
    }
  }
  assert.ok(forms > 100, String(forms));
});

test('every value is told in a few words, in both languages', () => {
  for (const { values } of all) {
    for (const { field, value } of values) {
      for (const texts of [en, de]) assert.ok(summaryOf(field, value, texts).length <= 160);
      pictureOf(field, value);
    }
  }
});

test('every date that is one is shown as it is typed', () => {
  let dates = 0;
  for (const { values } of all) {
    for (const { field, value } of values.filter(({ field }) => field.type === 'datetime')) {
      const moment = readDate(shownText(value));
      if (!moment) continue;
      dates++;
      const withTime = field.type === 'datetime' && !field.disable_time;
      for (const language of ['en', 'de'] as const) {
        const shown = shownDate(moment, language, withTime);
        const typed = typedDate(shown, withTime);
        assert.ok(typed);
        assert.equal(shownDate(typed, language, withTime), shown);
      }
    }
  }
  assert.ok(dates > 0);
});
