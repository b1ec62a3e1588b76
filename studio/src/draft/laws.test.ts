// What holds for any operations on any content.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isEqual, type Json, type JsonObject } from '../model/json.ts';
import { Draft, type Key, type Operation } from './draft.ts';
import { blok, paragraph, schemas } from './example.ts';

/** Numbers that choose, so that an operation fits whatever the content has become. */
type Choices = readonly [kind: number, block: number, list: number, at: number, other: number];

const value: fc.Arbitrary<Json> = fc.oneof(fc.string({ maxLength: 5 }), fc.integer(), fc.constant(null), fc.constant([]), fc.constant({ odd: [1] }));
const own = { noNullPrototype: true };
const uid = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const block: fc.Arbitrary<JsonObject> = fc.letrec<{ block: JsonObject }>((tie) => ({
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ _uid: uid, component: fc.constant('teaser'), headline: value }, own),
    fc.record({ _uid: uid, component: fc.constantFrom('grid', 'gone'), columns: fc.array(tie('block'), { maxLength: 3 }), name: value }, own),
    fc.record({ _uid: uid, component: fc.constant('page'), body: fc.oneof(fc.array(tie('block'), { maxLength: 3 }), value), text: fc.array(fc.array(tie('block'), { maxLength: 2 }), { maxLength: 2 }).map(richText) }, own),
  ),
})).block;
const page = fc.record({ component: fc.constant('page'), title: value, body: fc.array(block, { maxLength: 4 }), body__i18n__de: fc.array(block, { maxLength: 2 }), text: fc.array(fc.array(block, { maxLength: 2 }), { maxLength: 3 }).map(richText) }, own);
const choices: fc.Arbitrary<Choices> = fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99), fc.nat(99), fc.nat(99));

function richText(bodies: readonly JsonObject[][]): JsonObject {
  return { type: 'doc', content: [paragraph('x'), ...bodies.map((body, index) => blok(`node-${index}`, ...body))] };
}

function keysOf(draft: Draft, key: Key = draft.root): Key[] {
  return [key, ...draft.lists(key).flatMap((list) => draft.children(key, list)).flatMap((child) => keysOf(draft, child))];
}

const pick = <T>(from: readonly T[], number: number): T | undefined => from[number % from.length];

function operationOf(draft: Draft, [kind, first, list, at, other]: Choices): Operation | undefined {
  const keys = keysOf(draft);
  const key = pick(keys, first)!;
  const field = pick(draft.lists(key), list);
  const moved = pick(keys, other)!;
  const isWithin = (one: Key): boolean => one === moved || (draft.parent(one) !== undefined && isWithin(draft.parent(one)!.parent));
  switch (kind % 7) {
    case 0: return { kind: 'set', block: key, field: pick(['headline', 'title', 'name', 'extra'], list)!, value: `text ${at}` };
    case 1: return { kind: 'set', block: key, field: pick(Object.keys(draft.block(key)).filter((name) => name !== 'component'), list)!, value: undefined };
    case 2: return field === undefined ? undefined : { kind: 'insert', parent: key, field, at: at % (draft.children(key, field).length + 1), blocks: [{ component: 'teaser', headline: `${other}` }, { component: 'grid', columns: [{ component: 'teaser' }] }] };
    case 3: return key === draft.root ? undefined : { kind: 'remove', blocks: [key] };
    case 4:
    case 5: return field === undefined || moved === draft.root || isWithin(key) ? undefined : { kind: 'move', blocks: [moved], parent: key, field, at: at % (draft.children(key, field).length + 1) };
    default: {
      // A document that has lost one of its nodes, or a list with a copy in it, written as a whole.
      if (field === undefined) return undefined;
      const [member = ''] = field.split('/');
      const now = draft.block(key)[member];
      if (Array.isArray(now)) return { kind: 'set', block: key, field: member, value: [...now.slice(1), ...now] };
      const nodes = draft.nodes(key, member);
      return { kind: 'set', block: key, field: member, value: richText(nodes.slice(1).map(() => [])), nodes: nodes.slice(1) };
    }
  }
}

/** What a draft is, apart from its content: where each Key is. */
const placesOf = (draft: Draft) => keysOf(draft).map((key) => [key, draft.path(key)]);
const open = (content: JsonObject) => new Draft({ revision: 1, content }, schemas, () => 0);

/** One step for each, joined or not, and no more than what was done. */
function perform(draft: Draft, all: readonly Choices[]): Operation[] {
  return all.flatMap((numbers) => {
    const operation = operationOf(draft, numbers);
    if (!operation) return [];
    draft.apply(operation);
    return [operation];
  });
}

test('operations and then as many undos are the start, with the same Keys; redo brings all back', () => {
  fc.assert(fc.property(page, fc.array(choices, { maxLength: 12 }), (content, all) => {
    const draft = open(content);
    const start = placesOf(draft);
    perform(draft, all);
    const [done, places] = [draft.content(), placesOf(draft)];
    while (draft.undo()) assert.equal(draft.leftTheirs, false);
    assert.equal(JSON.stringify(draft.content()), JSON.stringify(content));
    assert.deepEqual(placesOf(draft), start);
    while (draft.redo()) assert.equal(draft.leftTheirs, false);
    assert.deepEqual(draft.content(), done);
    assert.deepEqual(placesOf(draft), places);
    const hasUndone = draft.undoAll();
    assert.ok(isEqual(draft.content(), content));
    if (hasUndone) draft.undo();
    assert.ok(isEqual(draft.content(), done));
  }), { numRuns: 300 });
});

test('operations in any split into steps are the same', () => {
  fc.assert(fc.property(page, fc.array(choices, { maxLength: 12 }), fc.array(fc.nat(3)), (content, all, sizes) => {
    const single = open(content);
    const operations = perform(single, all);
    const split = open(content);
    for (let at = 0, step = 0; at < operations.length; step++) {
      const size = 1 + (sizes[step] ?? 2);
      split.apply(...operations.slice(at, at + size));
      at += size;
    }
    assert.deepEqual(split.content(), single.content());
    assert.deepEqual(placesOf(split), placesOf(single));
    while (split.undo());
    assert.deepEqual(split.content(), content);
  }), { numRuns: 300 });
});

test('what a Key stands for is what the content has at its path', () => {
  fc.assert(fc.property(page, fc.array(choices, { maxLength: 12 }), (content, all) => {
    const draft = open(content);
    perform(draft, all);
    const fresh = open(draft.content());
    assert.deepEqual(placesOf(fresh).map(([, path]) => path), placesOf(draft).map(([, path]) => path));
    for (const key of keysOf(draft)) {
      assert.equal(draft.at(draft.path(key)), key);
      assert.equal(draft.block(key), fresh.block(fresh.at(draft.path(key))!), 'it is the very object of the content');
    }
  }), { numRuns: 300 });
});
