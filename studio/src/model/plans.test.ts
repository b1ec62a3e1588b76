import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failedOf, plannedOf, type Plan } from './plans.ts';

const plan = (id: number, publish_at: string, more: Partial<Plan> = {}): Plan => ({ id, publish_at, language: null, status: 'scheduled', ...more });
const [FIRST, SECOND, THIRD] = ['2027-01-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z', '2027-03-01T00:00:00.000Z'] as const;

test('what is going to happen is what is planned, and what stands at the story itself', () => {
  const plans = [plan(1, SECOND, { language: 'de', action: 'unpublish' }), plan(2, FIRST), plan(3, FIRST, { status: 'deleted' })];
  const planned = plannedOf({ publish_at: null, expire_at: THIRD }, plans);
  assert.deepEqual(planned.map(({ key, action, at, language, plan: id }) => [key, action, at, language, id]), [
    ['2', 'publish', FIRST, null, 2],
    ['1', 'unpublish', SECOND, 'de', 1],
    ['unpublish', 'unpublish', THIRD, null, undefined],
  ]);
});

test('plans that could not be carried out are told, the last first', () => {
  const plans = [plan(1, FIRST, { status: 'invalid_story' }), plan(2, SECOND, { status: 'schedule_published' }), plan(3, THIRD, { status: 'invalid_story' })];
  assert.deepEqual(failedOf(plans).map(({ id }) => id), [3, 1]);
});
