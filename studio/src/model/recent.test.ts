import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentStories } from './recent.ts';

test('the last twenty stories are kept, each once, for a person and a space', () => {
  const kept = new Map<string, string>();
  const storage = { getItem: (name: string) => kept.get(name) ?? null, setItem: (name: string, value: string) => void kept.set(name, value) };
  const recent = new RecentStories(storage, 1, 'ann');
  assert.deepEqual(recent.list(), []);
  for (const uuid of ['a', 'b', 'c', 'a']) recent.add(uuid);
  assert.deepEqual(recent.list(), ['a', 'c', 'b']);
  for (let number = 0; number < 30; number += 1) recent.add(`s${number}`);
  assert.equal(recent.list().length, 20);
  assert.equal(recent.list()[0], 's29');
  for (const other of [new RecentStories(storage, 2, 'ann'), new RecentStories(storage, 1, 'bob')]) assert.deepEqual(other.list(), []);
  const full = new RecentStories({ ...storage, setItem: () => { throw new Error('no room'); } }, 1, 'ann');
  full.add('x');
  assert.equal(full.list()[0], 's29');
});
