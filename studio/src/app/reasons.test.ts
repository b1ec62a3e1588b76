import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import de from '../texts/de.ts';
import en from '../texts/en.ts';
import { reasonOf, reasonsOf } from './reasons.ts';

test('a code that is known is said in the language of the interface, another one in the words of the server', () => {
  for (const field of ['slug', 'translated_slugs_attributes.de.slug']) assert.equal(reasonOf({ field, code: 'taken', message: 'x' }, en), en.fieldTaken);
  const cycle = { field: 'parent_id', code: 'cycle', message: "can't be itself or one below it" };
  assert.equal(reasonOf(cycle, en), 'A folder cannot go into itself, or into one below it.');
  assert.equal(reasonOf(cycle, de), 'Ein Ordner kann nicht in sich selbst oder in einen Ordner darunter verschoben werden.');
  const slash = { field: 'translated_slugs_attributes.de.slug', code: 'invalid', message: 'may not contain slashes' };
  assert.equal(reasonOf(slash, de), 'Ein Slug enthält weder Schrägstriche noch Steuerzeichen und ist nicht „.“ oder „..“.');
  assert.equal(reasonOf({ field: 'short_filename', code: 'invalid', message: 'must keep its extension (.png)' }, en), 'The extension of a file stays as it is: replace the file to give it another one.');
  for (const code of ['toString', 'somethingNew']) assert.equal(reasonOf({ field: 'x', code, message: 'is odd' }, de), 'Das geht so nicht: is odd');
});

test('each reason is said once, and an answer without one in its own words', () => {
  const field = (name: string, code: string) => ({ field: name, code, message: 'x' });
  const fields = [field('slug', 'taken'), field('parent_id', 'cycle'), field('name', 'taken'), field('path', 'taken')];
  assert.equal(reasonsOf({ fields, message: 'slug has already been taken' }, en), `${en.fieldTaken} ${en.reasonCycle} ${en.reasonTaken}`);
  assert.equal(reasonsOf({ fields: [], message: 'The body is no JSON' }, en), 'The body is no JSON');
});

test('each code that the server has for stories, folders and plans is known', () => {
  const root = new URL('../../../crates/', import.meta.url);
  const stories = readdirSync(new URL('services/src/content/stories/', root)).map((name) => `services/src/content/stories/${name}`);
  const rules = ['hierarchy', 'scheduling', 'slug', 'story', 'story/translations', 'folder_types'].map((name) => `domain/src/content/${name}.rs`);
  const sources = [...stories.filter((name) => name.endsWith('.rs')), ...rules].map((name) => readFileSync(new URL(name, root), 'utf8'));
  const codes = new Set(sources.flatMap((text) => [...text.matchAll(/FieldCode::([A-Z]\w+)/g)].map(([, name = '']) => name.charAt(0).toLowerCase() + name.slice(1))));
  // Its reason is in the field that it is about.
  codes.delete('invalid');
  assert.ok(codes.size >= 12);
  assert.deepEqual([...codes].filter((code) => reasonOf({ field: 'x', code, message: 'x' }, de).endsWith('x')), []);
});
