import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stepped } from './steps.ts';

const none = { min_value: undefined, max_value: undefined, decimals: undefined, steps: undefined };

test('a number goes to the next step, as it was written', () => {
  const cases: [string, 1 | -1, Partial<typeof none> | object, string | undefined][] = [
    ['4', 1, {}, '5'], ['12.50', -1, {}, '11.50'], ['12,5', 1, {}, '13.5'], ['', 1, {}, '0'], ['', -1, { min_value: 3 }, '3'], ['12x', 1, {}, undefined],
    ['0.1', 1, { steps: 0.1 }, '0.2'], ['0.2', 1, { steps: 0.1 }, '0.3'], ['0.3', -1, { steps: 0.1 }, '0.2'], ['7', 1, { steps: 5 }, '10'], ['7', -1, { steps: 5 }, '5'],
    ['99', 1, { max_value: 99 }, '99'], ['1', -1, { min_value: 0.5 }, '0.5'], ['1.25', 1, { decimals: 1 }, '2.3'], ['-1', 1, {}, '0'],
  ];
  for (const [typed, direction, bounds, next] of cases) assert.equal(stepped(typed, direction, { ...none, ...bounds }), next, `${typed} ${direction} ${JSON.stringify(bounds)}`);
});

test('every step is a multiple within the bounds', () => {
  const step = fc.constantFrom(0.01, 0.1, 0.25, 1, 3, 10);
  fc.assert(fc.property(fc.integer({ min: -1000, max: 1000 }), step, fc.constantFrom<1 | -1>(1, -1), (times, steps, direction) => {
    const at = Number((times * steps).toFixed(2));
    const next = Number(stepped(String(at), direction, { ...none, steps }));
    assert.ok(Math.abs(next - (times + direction) * steps) < 1e-6, `${at} ${steps}: ${next}`);
  }));
});
