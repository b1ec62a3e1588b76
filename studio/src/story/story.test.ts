// The plain parts of the screen of a story.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Notice, Studio } from '../app/context.svelte.ts';
import { Draft } from '../draft/draft.ts';
import type { CopiedBlocks } from '../model/clipboard.ts';
import { readSchemas } from '../model/components.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Refused } from '../model/save.ts';
import type { Story } from '../model/story.ts';
import { loadTexts } from '../texts/texts.ts';
import { choicesOf, groupChoices } from './choices.ts';
import { Clipboard } from './clipboard.ts';
import { tellDone } from './commands.ts';
import { compareRows } from './comparison.ts';
import { blocksAbove, blocksWithin, findBlock } from './find.ts';
import { languageRows } from './languages.ts';
import { allowedIn, fieldOfList, fits, listOf, placesFor, roomIn, sortOut } from './lists.ts';
import { outlineRows } from './outline.ts';
import { locateProblems } from './problems.ts';
import { refusedFields } from './refused.ts';
import { Selection } from './selection.ts';
import { progressOf, translatableFields } from './translations.ts';

const schemas = readSchemas({
  components: [
    { name: 'page', is_root: true, schema: { title: { type: 'text', translatable: true }, body: { type: 'bloks', restrict_components: true, component_whitelist: ['grid', 'page'], maximum: 2 }, aside: { type: 'bloks' } } },
    { name: 'grid', is_nestable: true, component_group_uuid: 'g', schema: { items: { type: 'bloks' }, text: { type: 'richtext' } } },
    { name: 'teaser', is_nestable: true, display_name: 'A teaser', schema: { title: { type: 'text', translatable: true }, big: { type: 'boolean', translatable: true } }, all_presets: [{ id: 1, name: 'Summer', description: 'Warm', preset: { component: 'teaser' } }] },
  ],
  component_groups: [{ uuid: 'g', name: 'Layout', parent_uuid: null }],
});

const content: JsonObject = {
  component: 'page', title: 'Home', body: [
    { _uid: 'a', component: 'grid', items: [{ _uid: 'b', component: 'teaser', title: 'One', big: true }, { _uid: 'c', component: 'teaser', title: 'Two', title__i18n__de: 'Zwei' }], text: { type: 'doc', content: [{ type: 'blok', attrs: { body: [{ _uid: 'd', component: 'teaser' }] } }] } },
  ],
  aside: [{ _uid: 'e', component: 'gone' }],
};

const open = () => new Draft({ revision: 1, content }, schemas, () => 0);
const uidsOf = (draft: Draft, keys: Iterable<number>) => [...keys].map((key) => draft.block(key)._uid);

test('a block is found where the address says, or where it has moved to', () => {
  const draft = open();
  assert.deepEqual(uidsOf(draft, blocksWithin(draft, draft.root)), [undefined, 'a', 'b', 'c', 'd', 'e']);
  for (const [path, uid, found] of [
    ['body/0/items/1', 'c', 'c'],
    ['body/0/items/1', 'b', 'b'],
    ['body/0/items/1', '', 'c'],
    ['body/0/text/0/0', 'd', 'd'],
    ['body/0/items/9/more/0', 'nobody', 'a'],
    ['nowhere', '', undefined],
  ] as const) {
    assert.equal(draft.block(findBlock(draft, path, uid))._uid, found, path);
  }
  assert.deepEqual(uidsOf(draft, blocksAbove(draft, findBlock(draft, '', 'b'))), [undefined, 'a']);
});

test('a list takes what its restriction names, and as many as it has room for', () => {
  const draft = open();
  const body = { parent: draft.root, list: 'body' };
  const aside = { parent: draft.root, list: 'aside' };
  // A component that is no block of its own is there only where it is named.
  assert.deepEqual(allowedIn(schemas, fieldOfList(draft, schemas, body)).map(({ name }) => name), ['grid', 'page']);
  assert.deepEqual(allowedIn(schemas, fieldOfList(draft, schemas, aside)).map(({ name }) => name), ['teaser', 'grid']);
  assert.deepEqual([roomIn(draft, schemas, body), roomIn(draft, schemas, aside)], [1, Infinity]);
  const block = (component: string) => ({ component });
  assert.deepEqual(['grid', 'teaser', 'gone'].map((name) => fits(draft, schemas, body, block(name))), [true, false, true]);
  assert.deepEqual(listOf(draft, findBlock(draft, '', 'd')), { parent: findBlock(draft, '', 'a'), list: 'text/0', at: 0 });
  assert.equal(listOf(draft, draft.root), undefined);
});

test('choices are searched by every word, and stand in their groups', () => {
  const labels = (search: string) => choicesOf(schemas.all(), search).map(({ label }) => label);
  assert.deepEqual(labels(''), ['page', 'grid', 'A teaser', 'A teaser: Summer']);
  assert.deepEqual(labels('teas SUM'), ['A teaser: Summer']);
  assert.deepEqual(labels('warm'), ['A teaser: Summer']);
  assert.deepEqual(labels('none'), []);
  const groups = groupChoices(choicesOf(schemas.all(), ''), schemas.groups, 'Other');
  assert.deepEqual(groups.map(({ name, choices }) => [name, choices.length]), [['Layout', 1], ['Other', 3]]);
});

test('the outline has every block that is not below a closed one', () => {
  const draft = open();
  const rows = outlineRows(draft, () => true);
  assert.deepEqual(rows.map(({ key, level, position, count, list }) => [draft.block(key)._uid, level, position, count, list]), [
    [undefined, 1, 1, 1, ''],
    ['a', 2, 1, 2, 'body'],
    ['b', 3, 1, 3, 'items'],
    ['c', 3, 2, 3, 'items'],
    ['d', 3, 3, 3, 'text/0'],
    ['e', 2, 2, 2, 'aside'],
  ]);
  assert.deepEqual(outlineRows(draft, (_, level) => level < 2).map(({ isOpen, isLeaf }) => [isOpen, isLeaf]), [[true, false], [false, false], [false, true]]);
});

test('problems belong to blocks, and what is above has them too', () => {
  const draft = open();
  const problem = (field: string, severity: 'error' | 'warning') => ({ field, uid: null, code: 'blank', message: '', severity });
  const found = locateProblems(draft, [problem('title', 'warning'), problem('body/0/items/1/title', 'error'), problem('body/0/text/0/0', 'warning'), problem('gone/4/x', 'warning')]);
  assert.deepEqual(found.all.map(({ block, member }) => [draft.block(block)._uid, member]), [[undefined, 'title'], ['c', 'title'], ['d', ''], [undefined, 'gone']]);
  assert.deepEqual(uidsOf(draft, found.withErrors), [undefined, 'a', 'c']);
});

test('what has a value in the default language alone is missing', () => {
  const draft = open();
  const rows = () => [...translatableFields(draft, schemas, 'de')].map(({ block, field, isMissing }) => [draft.block(block)._uid, field.name, isMissing]);
  // A switch is never missing, and what has nothing to translate is not there.
  assert.deepEqual(rows(), [[undefined, 'title', true], ['b', 'title', true], ['b', 'big', false], ['c', 'title', false]]);
  assert.deepEqual(progressOf(draft, schemas, 'de'), { translatable: 3, missing: 2 });
  draft.apply({ kind: 'set', block: draft.root, field: 'title__i18n__de', value: 'Start' });
  assert.deepEqual(progressOf(draft, schemas, 'de'), { translatable: 3, missing: 1 });
  assert.deepEqual(progressOf(draft, schemas, 'fr'), { translatable: 3, missing: 3 });
  // A translation whose text is gone in the default language is shown, and counts no more.
  draft.apply({ kind: 'set', block: draft.root, field: 'title', value: '' });
  assert.deepEqual(rows()[0], [undefined, 'title', false]);
  assert.deepEqual(progressOf(draft, schemas, 'de'), { translatable: 2, missing: 1 });
});

test('what readers see in each language', () => {
  const story = { published: true, unpublished_changes: false, published_at: '2026-01-01T00:00:00Z', is_folder: false, publish_at: null, translated_stories: [{ lang: 'de', published_at: '2026-01-02T00:00:00Z', unpublished_changes: true }, { lang: 'fr', published_at: null, unpublished_changes: true }] } as unknown as Story;
  const languages = [{ code: 'de', name: 'German' }, { code: 'fr', name: 'French' }, { code: 'it', name: 'Italian' }];
  const states = languageRows(story, languages, 'English').map(({ code, name, state, publishedAt }) => [code, name, state, publishedAt?.slice(0, 10)]);
  assert.deepEqual(states, [['[default]', 'English', 'published', '2026-01-01'], ['de', 'German', 'changed', '2026-01-02'], ['fr', 'French', 'draft', undefined], ['it', 'Italian', 'draft', undefined]]);
});

test('the clipboard is of one person, survives what is no clipboard, and tells where a cut was pasted', () => {
  const kept = new Map<string, string>();
  const storage = { getItem: (name: string) => kept.get(name) ?? null, setItem: (name: string, value: string) => void kept.set(name, value) };
  const copied = (more: Partial<CopiedBlocks> = {}): CopiedBlocks => ({ id: '1', origin: 'http://x', space: { id: 1, name: 'One' }, story: 2, blocks: [{ component: 'teaser' }], cut: [], ...more });
  const mine = new Clipboard(storage, 'ann');
  assert.equal(mine.read(), undefined);
  assert.equal(mine.write(copied({ cut: [{ path: 'body/0', uid: 'a' }] })), true);
  assert.deepEqual(mine.read(), copied({ cut: [{ path: 'body/0', uid: 'a' }] }));
  assert.equal(new Clipboard(storage, 'bob').read(), undefined);
  mine.pasted(copied({ id: 'an older one' }), 'Other');
  assert.equal(mine.pastedIn, '');
  mine.pasted(copied(), 'Other');
  assert.equal(mine.pastedIn, 'Other');
  mine.endCut();
  assert.deepEqual(mine.read(), copied());
  assert.equal(mine.pastedIn, '');
  for (const text of ['', 'null', '{"format": 1, "blocks": [{}]}', '{"format": 2, "blocks": 3, "space": {}}', '[']) {
    storage.setItem('lectern-blocks-ann', text);
    assert.equal(mine.read(), undefined, text);
  }
  const full = new Clipboard({ getItem: () => null, setItem: () => { throw new Error('full'); } }, 'ann');
  assert.equal(full.write(copied()), false);
});

test('blocks are selected one by one, as a range, or all of a list, and what is within another one goes with it', () => {
  const draft = open();
  const key = (uid: string) => findBlock(draft, '', uid);
  const selection = new Selection(draft);
  const selected = () => uidsOf(draft, selection.keys);
  selection.toggle(key('c'));
  assert.deepEqual(uidsOf(draft, selection.of(key('c'))), ['c']);
  selection.extendTo(key('b'), key('b'));
  assert.deepEqual(selected(), ['b', 'c']);
  // Something at a block that is not selected is done with it alone.
  assert.deepEqual(uidsOf(draft, selection.of(key('e'))), ['e']);
  selection.toggle(key('e'));
  selection.toggle(key('b'));
  assert.deepEqual(selected(), ['c', 'e']);
  // A range over two lists is none.
  selection.extendTo(key('a'), key('e'));
  assert.deepEqual(selected(), ['a', 'e']);
  selection.clear();
  selection.all(key('b'));
  assert.deepEqual(selected(), ['b', 'c']);
  draft.apply({ kind: 'remove', blocks: [key('b')] });
  selection.prune();
  assert.deepEqual([selection.size, ...selected()], [1, 'c']);
});

test('what does not fit into a list is known with the reason, and where else it fits', () => {
  const draft = open();
  const body = { parent: draft.root, list: 'body' };
  const blocks = ['teaser', 'grid', 'elsewhere', 'grid'].map((component) => ({ component }));
  const { fitting, left } = sortOut(draft, schemas, body, blocks, true);
  assert.deepEqual(fitting, [{ component: 'grid' }]);
  assert.deepEqual(left.map(({ block, misfit }) => [block.component, misfit]), [['teaser', 'notAllowed'], ['elsewhere', 'unknown'], ['grid', 'full']]);
  // One without a schema is moved within its space as any other.
  assert.deepEqual(sortOut(draft, schemas, body, [{ component: 'gone' }], false).left, []);
  const places = placesFor(draft, schemas, { component: 'teaser' });
  assert.deepEqual(places.map(({ parent, list }) => `${draft.path(parent)}/${list}`), ['/aside', 'body/0/items', 'body/0/text/0']);
  assert.deepEqual(placesFor(draft, schemas, { component: 'grid' }).map(({ list }) => list), ['body', 'aside', 'items', 'text/0']);
});

test('two sides are compared in one row for each field', () => {
  const draft = open();
  const [mine, theirs] = [{ ...content, title: 'Mine' }, { ...content, title: 'Theirs', aside: [] }];
  const rows = compareRows(draft.differences(mine), draft.differences(theirs));
  assert.deepEqual(rows.map(({ field, mine: one, theirs: other }) => [field, one?.kind, other?.kind]), [['title', 'changed', 'changed'], [undefined, undefined, 'removed']]);
});

test('no difference of a side hides another one', () => {
  const before: JsonObject = { component: 'page', body: [{ _uid: 'a', component: 'grid', items: [{ _uid: 'b', component: 'teaser', title: 'One' }] }, { _uid: 'c', component: 'grid', items: [] }], body__i18n__de: [{ _uid: 'a', component: 'grid', text: 'Eins' }] };
  const draft = new Draft({ revision: 1, content: before }, schemas, () => 0);
  const kindsOf = (mine: JsonObject, theirs: JsonObject) =>
    compareRows(draft.differences(mine), draft.differences(theirs)).map(({ block, field, mine: one, theirs: other }) => [block._uid, field, one?.kind, other?.kind]);

  // A block that goes to another list is one that was moved, on either side.
  const moved: JsonObject = { ...before, body: [{ _uid: 'a', component: 'grid', items: [] }, { _uid: 'c', component: 'grid', items: [{ _uid: 'b', component: 'teaser', title: 'One' }] }] };
  const changed: JsonObject = { ...before, body: [{ _uid: 'a', component: 'grid', items: [{ _uid: 'b', component: 'teaser', title: 'Other' }] }, { _uid: 'c', component: 'grid', items: [] }] };
  assert.deepEqual(kindsOf(moved, before), [['b', undefined, 'moved', undefined]]);
  assert.deepEqual(kindsOf(before, moved), [['b', undefined, undefined, 'moved']]);
  assert.deepEqual(kindsOf(moved, changed), [['b', undefined, 'moved', undefined], ['b', 'title', undefined, 'changed']]);
  const movedAndChanged: JsonObject = { ...before, body: [{ _uid: 'a', component: 'grid', items: [] }, { _uid: 'c', component: 'grid', items: [{ _uid: 'b', component: 'teaser', title: 'Two' }] }] };
  assert.deepEqual(kindsOf(movedAndChanged, changed), [['b', undefined, 'moved', undefined], ['b', 'title', 'changed', 'changed']]);

  // The lists of two languages have blocks of the same `_uid`.
  const both: JsonObject = { ...before, body: [{ _uid: 'a', component: 'grid', text: 'New', items: [] }], body__i18n__de: [{ _uid: 'a', component: 'grid', text: 'Neu' }] };
  const german: JsonObject = { ...before, body__i18n__de: [{ _uid: 'a', component: 'grid', text: 'Neu' }] };
  const english: JsonObject = { ...before, body: [{ _uid: 'a', component: 'grid', text: 'New', items: [{ _uid: 'b', component: 'teaser', title: 'One' }] }, { _uid: 'c', component: 'grid', items: [] }] };
  assert.deepEqual(kindsOf(german, english), [['a', 'text', 'changed', undefined], ['a', 'text', undefined, 'changed']]);
  const rows = compareRows(draft.differences(both), draft.differences(both));
  assert.deepEqual(rows.map((row) => [row.mine?.path, row.theirs?.path]), draft.differences(both).map(({ path }) => [path, path]));
});

test('a notice undoes what it tells of, and no other step', async () => {
  await loadTexts('en');
  const draft = open();
  const studio = { notice: undefined as Notice | undefined, say: (notice: Notice | string) => void (studio.notice = typeof notice === 'string' ? { text: notice } : notice) };
  const editing = { draft, studio: studio as unknown as Studio };
  const change = (title: string) => {
    const before = draft.content();
    draft.replace({ ...before, title });
    tellDone(editing, before, title);
  };
  change('First');
  studio.notice?.undo?.act();
  assert.deepEqual([draft.content().title, studio.notice], ['Home', undefined]);

  change('Second');
  draft.apply({ kind: 'set', block: draft.root, field: 'title', value: 'Typed' });
  assert.equal(studio.notice, undefined);

  // What has changed nothing is no step.
  change('Typed');
  assert.deepEqual(studio.notice, { text: 'Typed' });
});

test('the fields that are why a content is refused are found', () => {
  const long = 'x'.repeat(100);
  const deep = Array.from({ length: 70 }).reduce<Json>((value) => [value], 1);
  const draft = new Draft({ revision: 1, content: { component: 'page', title: 'a\u0000b', body: [{ _uid: 'a', component: 'grid', items: [{ component: 'teaser', title: long, big: deep }] }] } }, schemas, () => 0);
  const refusal = (reason: Refused['reason'], fields: Refused['fields'] = []) => refusedFields(draft, { kind: 'refused', reason, message: '', fields }).map(({ field, code }) => [field, code]);
  assert.deepEqual(refusal('invalid'), [['title', 'notStorable'], ['body/0/items/0/big', 'tooDeep']]);
  const stored = (title: string) => refusedFields(new Draft({ revision: 1, content: { component: 'page', title } }, schemas, () => 0), { kind: 'refused', reason: 'invalid', message: '', fields: [] }).length;
  assert.deepEqual(['a\ud800', '\udc00', '\ud83d\ude80', '\\ud800', '\\\u0000', 'u0000'].map(stored), [1, 1, 0, 0, 1, 0]);
  assert.deepEqual(refusal('tooLarge'), [['body/0/items/0/big', 'storyTooLarge']]);
  assert.deepEqual(refusal('forbidden'), []);
  // What the server names counts, where it is in the content.
  assert.deepEqual(refusal('invalid', [{ field: 'body/0/items/0/title', code: 'tooLong', message: '' }, { field: 'content', code: 'blank', message: '' }]), [['body/0/items/0/title', 'tooLong']]);
});
