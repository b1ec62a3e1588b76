import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTyped, keyStep } from './keys.ts';

/** A key with what is held with it: `Ctrl+Shift+End`. */
function press(keys: string) {
  const all = keys.split('+');
  return { key: all.at(-1) || '+', shiftKey: all.includes('Shift'), altKey: all.includes('Alt'), ctrlKey: all.includes('Ctrl'), metaKey: false };
}

const step = (down: number, along: number, more = {}) => ({ down, along, isFar: false, selects: false, moves: false, ...more });

test('the keys of a sheet lead where they do in one', () => {
  const cases: [string, ReturnType<typeof keyStep>][] = [
    ['ArrowDown', step(1, 0)], ['ArrowLeft', step(0, -1)], ['Shift+ArrowUp', step(-1, 0, { selects: true })], ['Ctrl+ArrowRight', step(0, 1, { isFar: true })],
    ['Alt+ArrowUp', step(-1, 0, { moves: true })], ['Home', step(0, -1, { isFar: true })], ['Ctrl+End', step(1, 1, { isFar: true })], ['Ctrl+Shift+End', step(1, 1, { isFar: true, selects: true })],
    ['Escape', 'leave'], ['Enter', undefined], ['a', undefined], ['Tab', undefined],
  ];
  for (const [keys, leads] of cases) assert.deepEqual(keyStep(press(keys), false), leads, keys);
  assert.deepEqual(keyStep(press('ArrowLeft'), false, true), step(0, 1));
});

test('in a cell that is being changed only Enter and Escape lead out of it', () => {
  for (const keys of ['ArrowDown', 'Home', 'Shift+Enter', 'Alt+Enter', 'a']) assert.equal(keyStep(press(keys), true), undefined, keys);
  assert.deepEqual(keyStep(press('Enter'), true), step(1, 0));
  assert.equal(keyStep(press('Escape'), true), 'leave');
});

test('a character begins a cell anew, a command does not', () => {
  for (const [keys, is] of [['a', true], ['Shift+A', true], [' ', true], ['Ctrl+c', false], ['Alt+a', false], ['F2', false], ['Enter', false]] as const) assert.equal(isTyped(press(keys)), is, keys);
});
