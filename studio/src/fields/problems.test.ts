import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import de from '../texts/de.ts';
import en from '../texts/en.ts';
import { problemText } from './problems.ts';

test('a code that is known is said in the language of the interface, with its bound', () => {
  const cases: [string, string, string, string][] = [
    ['blank', "can't be blank", 'This is required and still empty.', 'Dieses Pflichtfeld ist noch leer.'],
    ['tooLong', 'is too long (maximum is 80 characters)', 'This is too long: at most 80 characters.', 'Das ist zu lang: höchstens 80 Zeichen.'],
    ['tooSmall', 'must be greater than or equal to -1.5', 'This is too small: -1.5 or more.', 'Das ist zu klein: mindestens -1.5.'],
  ];
  for (const [code, message, english, german] of cases) {
    assert.equal(problemText({ code, message }, en), english);
    assert.equal(problemText({ code, message }, de), german);
  }
});

test('another code, or one without its number, is said in the words of the server', () => {
  for (const code of ['toString', 'somethingNew', 'tooLong']) {
    assert.equal(problemText({ code, message: 'is odd' }, en), 'The server says: is odd');
  }
});

test('each code that the validation of the server reports is known', () => {
  const folder = new URL('../../../crates/domain/src/content/validation/', import.meta.url);
  const severities = readFileSync(new URL('problem.rs', folder), 'utf8');
  const sources = ['blocks', 'links', 'options', 'values', 'walk'].map((name) => readFileSync(new URL(`${name}.rs`, folder), 'utf8'));
  const codes = new Set([severities, ...sources].flatMap((text) => [...text.matchAll(/FieldCode::([A-Z]\w+)/g)].map(([, name = '']) => name.charAt(0).toLowerCase() + name.slice(1))));
  assert.ok(codes.size >= 24);
  const others = [...codes].filter((code) => problemText({ code, message: 'has 3' }, en) === 'The server says: has 3');
  assert.deepEqual(others, []);
});
