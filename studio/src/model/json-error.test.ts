import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findJsonError } from './json-error.ts';

function isJson(text: string): boolean {
  try {
    // A number that is too large for the browser is none.
    let isFinite = true;
    JSON.parse(text, (_, value: unknown) => void (isFinite &&= typeof value !== 'number' || Number.isFinite(value)));
    return isFinite;
  } catch {
    return false;
  }
}

test('an error has its line and its reason', () => {
  const cases: [string, string | undefined][] = [
    ['{"a": 1}', undefined], ['[]', undefined], [' "a" ', undefined], ['-0.5e+3', undefined],
    ['', 'end 1'], ['{', 'end 1'], ['{"a": [1,', 'end 1'], ['{\n  "a": 1,\n}', 'key 3'], ['{\n  a: 1\n}', 'key 2'], ['{"a" 1}', 'colon 1'],
    ['[\n1\n2\n]', 'comma 3'], ['[1,\n]', 'value 2'], ['tru', 'value 1'], ['undefined', 'value 1'], ['"a', 'string 1'], ['"\n"', 'string 1'], ['"\\x"', 'string 1'],
    ['01', 'number 1'], ['1.', 'number 1'], ['[1,\n -1e400, 2]', 'large 2'], ['1e308', undefined], ['{"a": 1}\n{', 'rest 2'],
  ];
  for (const [text, told] of cases) {
    const error = findJsonError(text);
    assert.equal(error && `${error.kind} ${error.line}`, told, JSON.stringify(text));
  }
});

test('it agrees with the browser on what is JSON, and the place of an error is in the text', () => {
  // A text that is JSON, and the same with a piece cut out or put in.
  const damaged = fc.tuple(fc.json(), fc.nat(), fc.nat(3), fc.constantFrom('', '"', ',', '}', ']', '{', '[', ':', '0', '-', '.', 'e', '\\', '\n', 'x', '\u0001'))
    .map(([text, at, length, piece]) => text.slice(0, at % (text.length + 1)) + piece + text.slice((at % (text.length + 1)) + length));
  fc.assert(fc.property(fc.oneof(fc.json(), damaged, fc.string({ unit: 'binary' })), (text) => {
    const error = findJsonError(text);
    assert.equal(error === undefined, isJson(text));
    if (error) assert.ok(error.at >= 0 && error.at <= text.length && error.line >= 1);
  }), { numRuns: 2_000 });
});
