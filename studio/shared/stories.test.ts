// The draft engine over the stories of the example spaces, which are real: how `scripts/test.py` finds them says LECTERN_SHARED.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Draft, type Key } from '../src/draft/draft.ts';
import { readSchemas } from '../src/model/components.ts';
import { isEqual, type JsonObject } from '../src/model/json.ts';
import type { Schemas } from '../src/model/schema.ts';
import { read, SPACES } from './spaces.ts';

/** How long a key may take in the draft, in milliseconds: three times the goal, because this machine does other things as well. */
const KEY = 3 * 4;

interface Story {
  readonly slug: string;
  readonly is_folder: boolean;
  readonly content: JsonObject;
}

const storiesOf = (space: string) => read<{ stories: Story[] }>(space, 'stories.json').stories.filter((story) => !story.is_folder);
const schemasOf = (space: string) => readSchemas({ ...read<object>(space, 'components.json'), ...read<object>(space, 'component_groups.json') });
const open = (content: JsonObject, schemas: Schemas, clock = () => 0) => new Draft({ revision: 1, content }, schemas, clock);

function keysOf(draft: Draft, key: Key = draft.root): Key[] {
  return [key, ...draft.lists(key).flatMap((list) => draft.children(key, list)).flatMap((child) => keysOf(draft, child))];
}

/** How many blocks a content has, counted without the draft: what names a component and is no part of a table. */
function blocksIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const { component } = value as { component?: unknown };
  const own = typeof component === 'string' && !component.startsWith('_table_') ? 1 : 0;
  return Object.values(value).reduce<number>((sum, member) => sum + blocksIn(member), own);
}

test('every story opens with all its blocks, and its content is the same object until something changes', () => {
  let stories = 0;
  for (const space of SPACES) {
    const schemas = schemasOf(space);
    for (const { slug, content } of storiesOf(space)) {
      const text = JSON.stringify(content);
      const draft = open(content, schemas);
      const keys = keysOf(draft);
      assert.equal(draft.content(), content);
      assert.equal(JSON.stringify(draft.content()), text, slug);
      assert.equal(keys.length, blocksIn(content), `${space} ${slug}`);
      assert.deepEqual(keys, keys.toSorted((one, other) => one - other));
      for (const key of keys) assert.equal(draft.at(draft.path(key)), key);
      stories++;
    }
  }
  assert.equal(stories, 710);
});

test('one change in every block of every story changes nothing else, and undo brings the first content back', () => {
  for (const space of SPACES) {
    const schemas = schemasOf(space);
    for (const { slug, content } of storiesOf(space)) {
      const draft = open(content, schemas);
      const keys = keysOf(draft);
      for (const key of keys) {
        const before = draft.block(key);
        draft.apply({ kind: 'set', block: key, field: 'a field of a test', value: 'x' });
        const { 'a field of a test': added, ...rest } = draft.block(key);
        assert.equal(added, 'x');
        assert.ok(isEqual(rest, before));
        draft.undo();
      }
      assert.equal(JSON.stringify(draft.content()), JSON.stringify(content), slug);
    }
  }
});

test('a key in the largest story costs the way from the root', () => {
  const schemas = schemasOf('energy-site');
  const { content } = storiesOf('energy-site').find(({ slug }) => slug === 'page-enroll')!;
  let now = 0;
  const draft = open(content, schemas, () => now);
  const keys = keysOf(draft);
  assert.equal(keys.length, 447);
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    for (const key of keys) {
      now += 100;
      const began = performance.now();
      draft.apply({ kind: 'set', block: key, field: 'title', value: `typed ${now}` });
      draft.content();
      times.push(performance.now() - began);
    }
  }
  times.sort((one, other) => one - other);
  const p95 = times[Math.floor(times.length * 0.95)]!;
  assert.ok(p95 < KEY, `p95 of a key is ${p95.toFixed(2)} ms`);
  // What is not on the way is shared: far fewer objects than the story has.
  const all = new Set<unknown>();
  const collect = (value: unknown, into: Set<unknown>): void => {
    if (typeof value !== 'object' || value === null || into.has(value)) return;
    into.add(value);
    Object.values(value).forEach((member) => collect(member, into));
  };
  collect(draft.content(), all);
  const deepest = keys.reduce((one, other) => (draft.path(other).split('/').length > draft.path(one).split('/').length ? other : one));
  draft.apply({ kind: 'set', block: deepest, field: 'title', value: 'the deepest' });
  const after = new Set<unknown>();
  collect(draft.content(), after);
  const made = [...after].filter((object) => !all.has(object)).length;
  assert.equal(made, draft.path(deepest).split('/').length + 1, 'a block and a list for each step of the way');
});
