import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Budget, Throttle } from './pace.ts';
import { ManualClock } from './manual-clock.ts';

test('something is done at once, and the last time always', () => {
  const clock = new ManualClock();
  const done: number[] = [];
  const throttle = new Throttle(100, () => done.push(clock.now()), clock);
  throttle.run();
  clock.pass(30);
  throttle.run();
  throttle.run();
  clock.pass(500);
  throttle.run();
  clock.pass(500);
  assert.deepEqual(done, [0, 100, 530]);
  throttle.run();
  throttle.run();
  throttle.stop();
  clock.pass(500);
  assert.equal(done.length, 4);
});

test('whatever is asked for, two are never nearer than the interval, and none that was asked for is left out', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 50 }), (pauses) => {
      const clock = new ManualClock();
      const done: number[] = [];
      const throttle = new Throttle(100, () => done.push(clock.now()), clock);
      for (const pause of pauses) {
        throttle.run();
        clock.pass(pause);
      }
      const last = clock.now() - (pauses.at(-1) ?? 0);
      clock.pass(100);
      assert.ok(done.every((at, index) => index === 0 || at - done[index - 1]! >= 100));
      assert.ok(pauses.length === 0 || done.at(-1)! >= last);
    }),
  );
});

test('of a flood few are heard, and later some again', () => {
  const budget = new Budget(20, 10);
  const heard = (now: number, count: number) => Array.from({ length: count }, () => budget.take(now)).filter(Boolean).length;
  assert.equal(heard(0, 10_000), 20);
  assert.equal(heard(1000, 10_000), 10);
  assert.equal(heard(100_000, 10_000), 20);
});
