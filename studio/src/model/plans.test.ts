import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failedOf, hintOf, plannedOf, type Plan, type Planned, type PlanHint } from './plans.ts';

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

test('a plan that would not do what it says is told as one', () => {
  const now = Date.parse(FIRST);
  const story = (languages: readonly string[] | undefined) => ({
    published: languages !== undefined,
    translated_stories: ['de', 'fr'].map((lang) => ({ lang, published_at: languages?.includes(lang) ? FIRST : null })),
  });
  const earlier = (action: Planned['action'], language: string | null): Planned[] => [{ key: '1', action, at: SECOND, language, plan: 1 }];
  const draft = story(undefined);
  const [inDefault, inGerman] = [story([]), story(['de'])];
  const cases: [PlanHint | undefined, ReturnType<typeof story>, readonly Planned[], Planned['action'], string | null][] = [
    [undefined, draft, [], 'publish', null],
    [undefined, draft, [], 'publish', '[default]'],
    ['needsDefault', draft, [], 'publish', 'de'],
    [undefined, inDefault, [], 'publish', 'de'],
    [undefined, draft, earlier('publish', '[default]'), 'publish', 'de'],
    ['needsDefault', draft, earlier('publish', 'fr'), 'publish', 'de'],
    ['needsDefault', inDefault, earlier('unpublish', null), 'publish', 'de'],
    ['needsDefault', inDefault, earlier('unpublish', '[default]'), 'publish', 'de'],
    // It is refused, because German is published still.
    [undefined, inGerman, earlier('unpublish', '[default]'), 'publish', 'fr'],
    ['notPublished', draft, [], 'unpublish', null],
    ['notPublished', inDefault, [], 'unpublish', 'de'],
    ['notPublished', inGerman, earlier('unpublish', 'de'), 'unpublish', 'de'],
    [undefined, inGerman, [], 'unpublish', 'de'],
    [undefined, draft, earlier('publish', null), 'unpublish', 'fr'],
    [undefined, inDefault, [], 'unpublish', '[default]'],
    ['needsAll', inGerman, [], 'unpublish', '[default]'],
    [undefined, inGerman, earlier('unpublish', 'de'), 'unpublish', '[default]'],
  ];
  for (const [expected, of, planned, action, language] of cases) {
    assert.equal(hintOf(of, planned, ['de', 'fr'], { action, language, at: new Date(THIRD) }, now), expected, `${action} ${language}`);
  }
  // What comes later changes nothing before.
  assert.equal(hintOf(draft, earlier('publish', null), ['de', 'fr'], { action: 'publish', language: 'de', at: new Date(now + 1) }, now), 'needsDefault');
  assert.equal(hintOf(inGerman, [], ['de', 'fr'], { action: 'unpublish', language: null, at: new Date(now) }, now), 'past');
});
