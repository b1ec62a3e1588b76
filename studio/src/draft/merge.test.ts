import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isEqual, type JsonObject } from '../model/json.ts';
import { differences } from './differences.ts';
import { Draft, type Key, type Operation } from './draft.ts';
import { blok, content, paragraph, schemas, teaser } from './example.ts';
import { merge } from './merge.ts';

const open = (of: JsonObject, revision = 1) => new Draft({ revision, content: of }, schemas, () => 0);
const page = (...body: JsonObject[]): JsonObject => ({ component: 'page', title: 'Home', body });
const uids = (of: JsonObject) => (of.body as JsonObject[]).map(({ _uid }) => _uid).join('');
const list = (letters: string) => page(...[...letters].map((letter) => teaser(letter)));
const changed = (of: JsonObject, path: string, field: string, value: string) => {
  const draft = open(of);
  draft.apply({ kind: 'set', block: draft.at(path)!, field, value });
  return draft.content();
};

test('what only one side has changed is taken, whichever it is', () => {
  const mine = changed(content, 'body/0/columns/1', 'headline', 'Mine');
  const theirs = changed(changed(content, '', 'title', 'Theirs'), 'text/0/1', 'headline', 'In the text');
  for (const { content: merged, conflicts } of [merge(content, mine, theirs, schemas), merge(content, theirs, mine, schemas)]) {
    assert.deepEqual(conflicts, []);
    assert.deepEqual(merged, changed(theirs, 'body/0/columns/1', 'headline', 'Mine'));
  }
  assert.equal(merge(content, mine, content, schemas).content, mine);
  assert.deepEqual(merge(content, content, theirs, schemas).content, theirs);
  assert.deepEqual(merge(content, mine, changed(content, 'body/0/columns/1', 'headline', 'Mine'), schemas), { content: mine, conflicts: [] }, 'both alike is one');
});

test('a field that both have changed is a conflict with both values', () => {
  const { content: merged, conflicts } = merge(content, changed(content, 'body/1', 'headline', 'Mine'), changed(content, 'body/1', 'headline', 'Theirs'), schemas);
  assert.deepEqual(conflicts, [{ kind: 'value', path: 'body/1/headline', base: 'Teaser c', mine: 'Mine', theirs: 'Theirs' }]);
  assert.equal((merged.body as JsonObject[])[1]!.headline, 'Mine');
});

test('blocks of lists are known by their uid', () => {
  for (const [base, mine, theirs, expected, kinds = ''] of [
    ['abc', 'abxc', 'yabc', 'yabxc'],
    ['abc', 'axbc', 'aybc', 'axybc'],
    ['abc', 'axzbc', 'aybc', 'axzybc'],
    ['abc', 'ac', 'abc', 'ac'],
    ['abc', 'ab', 'bc', 'b'],
    ['abc', 'cab', 'abxc', 'cabx'],
    ['abc', 'abc', 'cba', 'cba'],
    ['abc', 'bac', 'acb', 'bac', 'order'],
    ['abc', 'bca', 'bca', 'bca'],
    ['', 'a', 'b', 'ab'],
    ['abc', '', 'abcd', 'd'],
  ] as const) {
    const { content: merged, conflicts } = merge(list(base), list(mine), list(theirs), schemas);
    assert.deepEqual([uids(merged), conflicts.map(({ kind }) => kind).join()], [expected, kinds], `${base} ${mine} ${theirs}`);
    if (!kinds) assert.equal(uids(merge(list(base), list(theirs), list(mine), schemas).content), expected);
  }
});

test('a removed block that the other side has changed stays, and is told', () => {
  const edited = changed(list('ab'), 'body/1', 'headline', 'Edited');
  for (const [mine, theirs] of [[list('a'), edited], [edited, list('a')]] as const) {
    const { content: merged, conflicts } = merge(list('ab'), mine, theirs, schemas);
    assert.deepEqual(merged, edited);
    assert.deepEqual(conflicts.map(({ kind, path }) => [kind, path]), [['removed', 'body/1']]);
    assert.equal(conflicts[0]!.mine === undefined, mine !== edited);
  }
});

test('a rich text is merged where only one side has written, and its blocks each for themselves', () => {
  const text = (words: string, ...nodes: JsonObject[]) => ({ component: 'page', text: { type: 'doc', content: [paragraph(words), ...nodes] } });
  const base = text('Old', blok('1', teaser('a'), teaser('b')));
  const mine = text('New', blok('1', teaser('a', { headline: 'Mine' }), teaser('b')));
  const theirs = text('Old', blok('1', teaser('a'), teaser('b', { headline: 'Theirs' }), teaser('c')));
  const both = text('New', blok('1', teaser('a', { headline: 'Mine' }), teaser('b', { headline: 'Theirs' }), teaser('c')));
  assert.deepEqual(merge(base, mine, theirs, schemas), { content: both, conflicts: [] });
  assert.deepEqual(merge(base, theirs, mine, schemas), { content: both, conflicts: [] });
  for (const other of [text('Other', blok('1', teaser('a'), teaser('b'))), text('Old')]) {
    const { content: merged, conflicts } = merge(base, mine, other, schemas);
    assert.deepEqual([merged, conflicts.map(({ kind, path }) => `${kind} ${path}`)], [mine, ['value text']]);
  }
});

test('undo goes on behind a merge, and leaves what others have changed', () => {
  const draft = open(content);
  const c = draft.at('body/1')!;
  const grid = draft.at('body/0')!;
  draft.apply({ kind: 'set', block: draft.root, field: 'title', value: 'Mine' });
  draft.apply({ kind: 'set', block: c, field: 'headline', value: 'Mine' });
  draft.apply({ kind: 'insert', parent: grid, field: 'columns', at: 0, blocks: [teaser('x')] });
  draft.acknowledged(2);
  const theirs = changed(changed(draft.content(), 'body/1', 'headline', 'Theirs'), 'body/0/columns/1', 'headline', 'Theirs');
  assert.deepEqual(draft.merge({ revision: 3, content: theirs }), []);
  assert.deepEqual([draft.content(), draft.isChanged, draft.base().revision], [theirs, false, 3]);
  assert.equal(draft.undo(), true);
  assert.equal(draft.leftTheirs, false);
  assert.deepEqual((draft.block(grid).columns as JsonObject[]).map(({ _uid }) => _uid), ['a', 'b']);
  assert.equal(draft.undo(), true);
  assert.deepEqual([draft.leftTheirs, draft.block(c).headline], [true, 'Theirs']);
  assert.equal(draft.undo(), true);
  assert.deepEqual([draft.leftTheirs, draft.content().title], [false, 'Home']);
});

test('what differs is told field by field', () => {
  const draft = open(content);
  const [grid, c, old] = draft.children(draft.root, 'body') as [Key, Key, Key];
  draft.apply({ kind: 'set', block: draft.root, field: 'title__i18n__de', value: undefined });
  draft.apply({ kind: 'set', block: draft.at('body/0/columns/1')!, field: 'headline', value: 'New' });
  draft.apply({ kind: 'insert', parent: draft.root, field: 'text/1', at: 0, blocks: [teaser('x')] });
  draft.apply({ kind: 'move', blocks: [old], parent: draft.root, field: 'body', at: 0 });
  draft.apply({ kind: 'remove', blocks: [c] });
  assert.deepEqual(draft.differences().map(({ kind, path, field }) => `${kind} ${path} ${field}`), [
    'removed body/1 undefined', 'moved body/1 undefined', 'changed body/1/columns/1/headline headline', 'added text/1/0 undefined', 'changed title__i18n__de title__i18n__de',
  ]);
  assert.deepEqual(draft.differences().at(-1), { kind: 'changed', path: 'title__i18n__de', block: draft.content(), field: 'title__i18n__de', before: 'Start', after: undefined });
  assert.equal(draft.path(grid), 'body/1', 'of two that have changed places one was moved');
  assert.deepEqual(draft.differences(content), []);
});

// Laws

const uid = fc.integer({ min: 0, max: 1e9 }).map(String);
const leaf = uid.map((name) => teaser(name));
const block = fc.oneof(leaf, fc.tuple(uid, fc.array(leaf, { maxLength: 4 })).map(([name, columns]): JsonObject => ({ _uid: name, component: 'grid', name: '', columns })));
const base = fc.uniqueArray(block, { maxLength: 6, selector: ({ _uid }) => _uid }).map((body) => page(...body));
const edit = fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99));

const keysOf = (draft: Draft, key: Key = draft.root): Key[] => [key, ...draft.lists(key).flatMap((name) => draft.children(key, name)).flatMap((child) => keysOf(draft, child))];

/** Edits of one side: it sets and removes only blocks whose Key is its own, and puts new ones anywhere. */
function edited(of: JsonObject, edits: readonly (readonly [number, number, number])[], side: 0 | 1): JsonObject {
  const draft = open(of);
  const own = keysOf(draft).filter((key) => key % 2 === side);
  const lists = keysOf(draft).flatMap((key) => draft.lists(key).map((name) => [key, name] as const));
  edits.forEach(([kind, one, at], number) => {
    const key = own[one % own.length];
    const [parent, field] = lists[one % lists.length]!;
    const isOwnLeaf = key !== undefined && draft.has(key) && draft.block(key).component === 'teaser';
    const insert: Operation = { kind: 'insert', parent, field, at: at % (draft.children(parent, field).length + 1), blocks: [teaser(`side ${side} number ${number}`)] };
    if (kind % 3 === 0 && key !== undefined && draft.has(key)) draft.apply({ kind: 'set', block: key, field: 'size', value: `side ${side} number ${number}` });
    else if (kind % 3 === 1 && isOwnLeaf) draft.apply({ kind: 'remove', blocks: [key] });
    else draft.apply(insert);
  });
  return draft.content();
}

/** What a content has, without the order. */
const parts = (of: JsonObject) => JSON.stringify(of).match(/side \d number \d+/g)?.toSorted() ?? [];

test('disjoint edits are merged without a conflict, the same in both orders, and all of them are there', () => {
  fc.assert(fc.property(base, fc.array(edit, { maxLength: 8 }), fc.array(edit, { maxLength: 8 }), (start, one, other) => {
    const [mine, theirs] = [edited(start, one, 0), edited(start, other, 1)];
    const [merged, reversed] = [merge(start, mine, theirs, schemas), merge(start, theirs, mine, schemas)];
    assert.deepEqual([merged.conflicts, reversed.conflicts], [[], []]);
    assert.ok(isEqual(merged.content, reversed.content));
    assert.deepEqual(parts(merged.content), [...parts(mine), ...parts(theirs)].toSorted());
    // What one side has removed is gone.
    const count = (of: JsonObject) => keysOf(open(of)).length;
    assert.equal(count(merged.content) - count(start), count(mine) - count(start) + (count(theirs) - count(start)));
    // Merging again changes nothing.
    assert.ok(isEqual(merge(theirs, merged.content, theirs, schemas).content, merged.content));
  }), { numRuns: 1000 });
});

test('two versions differ in nothing exactly when they are equal', () => {
  fc.assert(fc.property(base, fc.array(edit, { maxLength: 4 }), (start, edits) => {
    const other = edited(start, edits, 0);
    assert.equal(differences(start, other, schemas).length === 0, isEqual(start, other));
  }));
});
