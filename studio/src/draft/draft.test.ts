import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../model/json.ts';
import { Draft, type Key } from './draft.ts';
import { blok, content, paragraph, schemas, teaser } from './example.ts';

let now = 0;
const open = (of: JsonObject = content) => new Draft({ revision: 7, content: of }, schemas, () => now);
const at = (draft: Draft, path: string): Key => draft.at(path) ?? assert.fail(`nothing is at ${path}`);
const uids = (draft: Draft, keys: readonly Key[]) => keys.map((key) => draft.block(key)._uid);

test('the content is the same object until something changes, and then shares what did not', () => {
  const draft = open();
  assert.equal(draft.content(), content);
  const c = at(draft, 'body/1');
  draft.apply({ kind: 'set', block: c, field: 'headline', value: 'Teaser c' });
  assert.equal(draft.content(), content, 'the same value is no change');
  assert.equal(draft.canUndo, false);
  draft.apply({ kind: 'set', block: c, field: 'headline', value: 'New' });
  const body = draft.content().body as JsonObject[];
  assert.equal(body[1]!.headline, 'New');
  assert.equal(body[0], (content.body as JsonObject[])[0]);
  assert.equal(draft.content().text, content.text);
  assert.deepEqual(Object.keys(draft.content()), Object.keys(content));
});

test('Keys are in document order, and every list of blocks is found', () => {
  const draft = open();
  assert.deepEqual(draft.lists(draft.root), ['body', 'body__i18n__de', 'text/0', 'text/1', 'text/2']);
  assert.deepEqual(draft.lists(at(draft, 'body/2')), ['items'], 'a list without a schema is known by its blocks; a table is none');
  assert.deepEqual(uids(draft, draft.children(draft.root, 'text/0')), ['e', 'f']);
  assert.deepEqual(draft.children(draft.root, 'text/2'), []);
  assert.deepEqual(draft.children(draft.root, 'stray'), [], 'a list with something else in it is a value');
  const paths = ['', 'body/0', 'body/0/columns/0', 'body/0/columns/1', 'body/1', 'body/2', 'body/2/items/0', 'body__i18n__de/0', 'body__i18n__de/1', 'text/0/0', 'text/0/1', 'text/1/0'];
  const keys = paths.map((path) => at(draft, path));
  assert.deepEqual(keys, keys.toSorted((one, other) => one - other));
  assert.deepEqual(keys.map((key) => draft.path(key)), paths);
  assert.deepEqual(draft.parent(at(draft, 'text/0/1')), { parent: draft.root, field: 'text/0', at: 1 });
  assert.equal(draft.parent(draft.root), undefined);
});

test('the path of a problem leads to the innermost block and what is left', () => {
  const draft = open();
  assert.deepEqual(draft.locate('body/0/columns/1/headline'), { block: at(draft, 'body/0/columns/1'), rest: 'headline' });
  assert.deepEqual(draft.locate('title__i18n__de'), { block: draft.root, rest: 'title__i18n__de' });
  assert.deepEqual(draft.locate('text/1/0/size'), { block: at(draft, 'text/1/0'), rest: 'size' });
  assert.deepEqual(draft.locate('body/9/headline'), { block: draft.root, rest: 'body/9/headline' });
  assert.equal(draft.at('body/0/name'), undefined);
});

test('blocks are put in, moved and taken out, and keep their Keys', () => {
  const draft = open();
  const [grid, c, old] = draft.children(draft.root, 'body') as [Key, Key, Key];
  draft.apply({ kind: 'insert', parent: grid, field: 'columns', at: 1, blocks: [teaser('x'), teaser('y')] });
  assert.deepEqual(uids(draft, draft.children(grid, 'columns')), ['a', 'x', 'y', 'b']);
  draft.apply({ kind: 'move', blocks: [c], parent: grid, field: 'columns', at: 0 });
  assert.deepEqual(uids(draft, draft.children(grid, 'columns')), ['c', 'a', 'x', 'y', 'b']);
  assert.deepEqual(draft.children(draft.root, 'body'), [grid, old]);
  assert.equal(draft.path(c), 'body/0/columns/0');
  // The place in the list counts without what is moved.
  draft.apply({ kind: 'move', blocks: [c, draft.children(grid, 'columns')[2]!], parent: grid, field: 'columns', at: 2 });
  assert.deepEqual(uids(draft, draft.children(grid, 'columns')), ['a', 'y', 'c', 'x', 'b']);
  draft.apply({ kind: 'remove', blocks: [grid, c] });
  assert.deepEqual(draft.children(draft.root, 'body'), [old]);
  assert.equal(draft.has(c), false);
  assert.equal(draft.block(c)._uid, 'c', 'what shows it until the next tick still can');
  while (draft.undo());
  assert.deepEqual(draft.content(), content);
  assert.deepEqual(draft.children(draft.root, 'body'), [grid, c, old]);
});

test('blocks of rich text are blocks, however their list is named', () => {
  const draft = open();
  const [one, , three] = draft.nodes(draft.root, 'text') as [Key, Key, Key];
  draft.apply({ kind: 'insert', parent: draft.root, field: 'text/0', at: 2, blocks: [teaser('x')] });
  draft.apply({ kind: 'insert', parent: three, field: 'body', at: 0, blocks: [teaser('y')] });
  draft.apply({ kind: 'set', block: at(draft, 'text/0/0'), field: 'headline', value: 'Inside' });
  draft.apply({ kind: 'move', blocks: [at(draft, 'text/0/1')], parent: draft.root, field: 'body', at: 0 });
  const nodes = (content.text as { content: JsonObject[] }).content;
  assert.deepEqual(draft.content().text, {
    type: 'doc',
    content: [nodes[0], blok('one', teaser('e', { headline: 'Inside' }), teaser('x')), { type: 'blockquote', content: [blok('two', teaser('e')), blok('three', teaser('y'))] }],
  });
  assert.deepEqual(uids(draft, draft.children(one, 'body')), ['e', 'x']);
  while (draft.undo());
  assert.deepEqual(draft.content(), content, 'the body that was null is null again');
});

test('a document names its nodes by Key, and what it no longer names goes in the same step', () => {
  const draft = open();
  const [one, two] = draft.nodes(draft.root, 'text') as [Key, Key];
  const e = at(draft, 'text/0/0');
  draft.apply({ kind: 'set', block: e, field: 'headline', value: 'Changed' });
  // The bodies in the value are old: those of the Keys count. A node without a Key is new.
  const value = { type: 'doc', content: [blok('two'), blok('new', teaser('n')), paragraph('Between'), blok('one', teaser('e'))] };
  draft.apply({ kind: 'set', block: draft.root, field: 'text', value, nodes: [two, undefined, one] });
  assert.deepEqual(draft.content().text, {
    type: 'doc',
    content: [blok('two', teaser('e')), blok('new', teaser('n')), paragraph('Between'), blok('one', teaser('e', { headline: 'Changed' }), teaser('f'))],
  });
  assert.equal(draft.path(e), 'text/2/0');
  draft.apply({ kind: 'set', block: draft.root, field: 'text', value: { type: 'doc', content: [] }, nodes: [] });
  assert.equal(draft.has(e), false);
  assert.equal(draft.has(one), false);
  draft.undo();
  draft.undo();
  assert.equal(draft.path(e), 'text/0/0');
  draft.undo();
  assert.deepEqual(draft.content(), content);
});

test('a node of rich text goes with its last block, and a node that was cut comes back by its Key', () => {
  const draft = open();
  const [one, two, three] = draft.nodes(draft.root, 'text') as [Key, Key, Key];
  const before = draft.content().text as JsonObject;
  draft.apply({ kind: 'move', blocks: draft.children(one, 'body'), parent: two, field: 'body', at: 0 });
  draft.apply({ kind: 'remove', blocks: draft.children(two, 'body') });
  assert.deepEqual(draft.content().text, { type: 'doc', content: [paragraph('Before'), { type: 'blockquote', content: [{ type: 'blok', attrs: { id: 'three', body: null } }] }] });
  assert.deepEqual(draft.nodes(draft.root, 'text'), [three]);
  draft.undo();
  assert.deepEqual(uids(draft, draft.children(two, 'body')), ['e', 'f', 'e']);
  draft.undo();
  assert.deepEqual(draft.content().text, before);
  assert.deepEqual(draft.nodes(draft.root, 'text'), [one, two, three]);
  // The only thing in a quote: something has to be in it.
  const alone = (content: JsonObject) => ({ type: 'doc', content: [{ type: 'blockquote', content: [content] }] });
  draft.apply({ kind: 'set', block: draft.root, field: 'text', value: alone(blok('one')), nodes: [one] });
  const blocks = draft.children(one, 'body');
  draft.apply({ kind: 'remove', blocks });
  assert.deepEqual(draft.content().text, alone({ type: 'paragraph' }));
  draft.undo();
  // Cut out of the text, and pasted.
  draft.apply({ kind: 'set', block: draft.root, field: 'text', value: { type: 'doc', content: [] }, nodes: [] });
  draft.apply({ kind: 'set', block: draft.root, field: 'text', value: { type: 'doc', content: [blok('one')] }, nodes: [one] });
  assert.deepEqual(draft.children(one, 'body'), blocks);
  while (draft.undo());
  assert.deepEqual(draft.content(), content);
});

test('a whole list that is set keeps the Keys of the blocks that are still in it', () => {
  const draft = open();
  const [grid, c, old] = draft.children(draft.root, 'body') as [Key, Key, Key];
  const a = at(draft, 'body/0/columns/0');
  const b = at(draft, 'body/0/columns/1');
  draft.apply({ kind: 'set', block: draft.root, field: 'body', value: [teaser('c', { headline: 'C' }), { _uid: 'grid', component: 'grid', columns: [teaser('b')] }] });
  assert.deepEqual(draft.children(draft.root, 'body'), [c, grid]);
  assert.deepEqual([old, a, b].map((key) => draft.has(key)), [false, false, true]);
  draft.undo();
  assert.deepEqual(draft.content(), content);
  assert.deepEqual(draft.children(draft.root, 'body'), [grid, c, old]);
  assert.ok([grid, c, old, a, b].every((key) => draft.has(key)));
});

test('a list that is not there yet is made, and goes again', () => {
  const draft = open({ _uid: 'p', component: 'page', title: 'x' });
  draft.apply({ kind: 'insert', parent: draft.root, field: 'body', at: 0, blocks: [teaser('a')] });
  assert.deepEqual(draft.content(), { _uid: 'p', component: 'page', title: 'x', body: [teaser('a')] });
  draft.apply({ kind: 'remove', blocks: [at(draft, 'body/0')] });
  assert.deepEqual(draft.content().body, []);
  draft.undo();
  draft.undo();
  assert.deepEqual(draft.content(), { _uid: 'p', component: 'page', title: 'x' });
});

test('what no caller should ask for throws, and nothing of the step is done', () => {
  const draft = open();
  const [grid] = draft.children(draft.root, 'body') as [Key];
  const change = { kind: 'set', block: draft.root, field: 'title', value: 'x' } as const;
  for (const wrong of [
    { kind: 'set', block: 999, field: 'title', value: 'x' },
    { kind: 'set', block: draft.nodes(draft.root, 'text')[0]!, field: 'body', value: [] },
    { kind: 'move', blocks: [grid], parent: grid, field: 'columns', at: 0 },
    { kind: 'remove', blocks: [draft.root] },
    { kind: 'insert', parent: draft.root, field: 'title', at: 0, blocks: [teaser('x')] },
    { kind: 'insert', parent: draft.root, field: 'stray', at: 0, blocks: [teaser('x')] },
    { kind: 'insert', parent: draft.root, field: 'text/9', at: 0, blocks: [teaser('x')] },
  ] as const) {
    assert.throws(() => draft.apply(change, wrong));
    assert.deepEqual(draft.content(), content);
  }
  assert.equal(draft.canUndo, false);
});

test('a removed member comes back to its place', () => {
  const draft = open();
  draft.apply({ kind: 'set', block: draft.root, field: 'title__i18n__de', value: undefined });
  assert.ok(!('title__i18n__de' in draft.content()));
  draft.undo();
  assert.equal(JSON.stringify(draft.content()), JSON.stringify(content));
  draft.redo();
  assert.ok(!('title__i18n__de' in draft.content()));
});

test('listeners hear what they asked for, once a step', () => {
  const draft = open();
  const heard: string[] = [];
  const [grid, c] = draft.children(draft.root, 'body') as [Key, Key];
  const e = at(draft, 'text/0/0');
  const topics = { any: 'any', structure: 'structure', root: draft.root, grid, c, e } as const;
  const ends = Object.entries(topics).map(([name, topic]) => draft.subscribe(topic, () => heard.push(name)));
  const after = (act: () => void) => {
    heard.length = 0;
    act();
    return heard.toSorted();
  };
  assert.deepEqual(after(() => draft.apply({ kind: 'set', block: c, field: 'headline', value: '1' }, { kind: 'set', block: c, field: 'size', value: 1 })), ['any', 'c']);
  assert.deepEqual(after(() => draft.apply({ kind: 'move', blocks: [c], parent: grid, field: 'columns', at: 0 })), ['any', 'c', 'grid', 'root', 'structure']);
  assert.deepEqual(after(() => draft.undo()), ['any', 'c', 'grid', 'root', 'structure']);
  assert.deepEqual(after(() => draft.apply({ kind: 'remove', blocks: [at(draft, 'text/0/1')] })), ['any', 'root', 'structure'], 'the block whose rich text has changed');
  assert.deepEqual(after(() => draft.apply({ kind: 'set', block: e, field: 'headline', value: '2' })), ['any', 'e', 'root'], 'the rich text may be shown as JSON');
  assert.deepEqual(after(() => draft.apply({ kind: 'set', block: at(draft, 'body/0/columns/0'), field: 'headline', value: '2' })), ['any'], 'cards show themselves');
  assert.deepEqual(after(() => draft.apply({ kind: 'set', block: e, field: 'headline', value: '2' })), []);
  ends.forEach((end) => end());
  draft.subscribe(at(draft, 'body/2'), () => heard.push('old'));
  assert.deepEqual(after(() => draft.apply({ kind: 'set', block: at(draft, 'body/2/items/0'), field: 'headline', value: '3' })), ['old'], 'so may a list that no schema names');
});

test('typing in one field is one step, and a pause, another field or an undo ends it', () => {
  const draft = open();
  const type = (value: string, after: number, field = 'title') => {
    now += after;
    draft.apply({ kind: 'set', block: draft.root, field, value });
  };
  type('H', 0);
  type('He', 900);
  type('Hel', 900);
  type('Hell', 1001);
  type('Hallo', 10, 'title__i18n__de');
  type('Hello', 10);
  const titles: unknown[] = [];
  while (draft.undo()) titles.push(draft.content().title);
  assert.deepEqual(titles, ['Hell', 'Hell', 'Hel', 'Home']);
  draft.redo();
  type('Help', 10);
  draft.undo();
  assert.equal(draft.content().title, 'Hel', 'a key right after a redo is a step of its own');
});

test('500 steps can be undone, and all since opening in one step', () => {
  const draft = open();
  for (let count = 1; count <= 520; count++) draft.apply({ kind: 'set', block: draft.root, field: 'count', value: count });
  let undone = 0;
  while (draft.undo()) undone++;
  assert.equal(undone, 500);
  assert.equal(draft.content().count, 20);
  while (draft.redo());
  assert.equal(draft.undoAll(), true);
  assert.deepEqual(draft.content(), content);
  assert.equal(draft.undoAll(), false);
  draft.undo();
  assert.equal(draft.content().count, 520, 'that can be undone as well');
});

test('the base is what the server took, and undo goes on behind it', () => {
  const draft = open();
  draft.apply({ kind: 'set', block: draft.root, field: 'title', value: 'One' });
  const sent = draft.content();
  draft.apply({ kind: 'set', block: draft.root, field: 'stray', value: [] });
  draft.acknowledged(8, sent);
  assert.deepEqual(draft.base(), { revision: 8, content: sent });
  assert.equal(draft.isChanged, true);
  draft.undo();
  assert.equal(draft.isChanged, false);
  draft.undo();
  assert.deepEqual([draft.content().title, draft.isChanged], ['Home', true]);
});

test('what is a step of its own is none of the keys around it', () => {
  const draft = new Draft({ revision: 1, content }, schemas, () => 0);
  const write = (text: string, isAlone = false) => draft.apply({ kind: 'set', block: draft.root, field: 'text', value: { type: 'doc', content: [paragraph(text)] }, nodes: [], isAlone });
  const texts = () => ((draft.content().text as { content: { content: { text: string }[] }[] }).content[0]!.content[0]!.text);
  write('a');
  write('ab');
  write('AB', true);
  write('ABc');
  write('ABcd');
  draft.undo();
  assert.equal(texts(), 'AB');
  draft.undo();
  assert.equal(texts(), 'ab');
  draft.undo();
  assert.deepEqual(draft.content(), content);
});
