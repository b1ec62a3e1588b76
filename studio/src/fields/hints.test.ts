import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readField } from '../model/components.ts';
import type { NumberField } from '../model/schema.ts';
import de from '../texts/de.ts';
import en from '../texts/en.ts';
import { directionOf } from './direction.ts';
import { describedBy } from './editor.ts';
import { numberHint } from './hints.ts';

test('the bounds of a number are one sentence', () => {
  const hint = (raw: Record<string, string | number>, t = en) => numberHint(readField('field', { type: 'number', ...raw }) as NumberField, t);
  assert.equal(hint({}), '');
  assert.equal(hint({ min_value: '0', max_value: 100, decimals: 2, steps: 0.5 }), 'From 0 to 100, at most 2 decimals, in steps of 0.5');
  assert.equal(hint({ decimals: 0 }), 'Whole numbers');
  assert.equal(hint({ max_value: 5, decimals: 1 }, de), 'Höchstens 5, höchstens eine Nachkommastelle');
});

test('text runs as its language does, or as the schema says', () => {
  const text = readField('field', { type: 'text' });
  assert.deepEqual(['', 'de', 'ar', 'he-IL', 'fa_AF', 'arn'].map((language) => directionOf(text, language)), ['auto', 'ltr', 'rtl', 'rtl', 'rtl', 'ltr']);
  assert.equal(directionOf(readField('field', { type: 'text', rtl: true }), 'de'), 'rtl');
});

test('only what is there describes a control', () => {
  assert.equal(describedBy('a', false, undefined, '', 'b'), 'a b');
  assert.equal(describedBy(undefined, false), undefined);
});
