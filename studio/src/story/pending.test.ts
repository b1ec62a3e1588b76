import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Draft } from '../draft/draft.ts';
import { readSchemas } from '../model/components.ts';
import type { JsonObject } from '../model/json.ts';
import { findBlock } from './find.ts';
import { PendingTexts } from './pending.ts';

const schemas = readSchemas({
  components: [
    { name: 'page', is_root: true, schema: { body: { type: 'bloks' } } },
    { name: 'teaser', is_nestable: true, schema: { title: { type: 'text', translatable: true } } },
  ],
  component_groups: [],
});
const content: JsonObject = { component: 'page', body: [{ _uid: 'a', component: 'teaser', title: 'One' }] };
const open = (of: JsonObject) => new Draft({ revision: 1, content: of }, schemas, () => 0);

test('a text that cannot be written is there again while its field has the same value, and is offered once it has another one', () => {
  const draft = open(content);
  const pending = new PendingTexts(draft);
  const block = findBlock(draft, '', 'a');
  const title = pending.of(block, 'title');
  const set = (value: string) => draft.apply({ kind: 'set', block, field: 'title', value });
  const seen = () => [title.text, title.outdated, pending.leave().map(({ text }) => text), pending.isEmpty];
  title.keep('{ "half":');
  assert.deepEqual(seen(), ['{ "half":', undefined, ['{ "half":'], false]);
  assert.equal(pending.of(block, 'title__i18n__de').text, undefined);

  // The story is left and opened again.
  const [again, changed, gone] = [new PendingTexts(open(content)), open(content), new PendingTexts(open({ ...content, body: [] }))];
  changed.apply({ kind: 'set', block, field: 'title', value: 'Changed' });
  const other = new PendingTexts(changed);
  for (const one of [again, other, gone]) one.takeBack(pending.leave());
  assert.deepEqual([again.of(block, 'title').text, other.of(block, 'title').text, other.of(block, 'title').outdated, gone.isEmpty], ['{ "half":', undefined, '{ "half":', true]);

  // Another person or undo has changed the value since: it is offered, also when something else is typed first.
  set('Changed');
  assert.deepEqual(seen(), [undefined, '{ "half":', ['{ "half":'], false]);
  title.keep('{ "other');
  assert.deepEqual(seen(), ['{ "other', '{ "half":', ['{ "half":', '{ "other'], false]);
  title.keep(undefined);
  assert.deepEqual(seen(), [undefined, '{ "half":', ['{ "half":'], false]);
  title.takeBack();
  assert.deepEqual(seen(), ['{ "half":', undefined, ['{ "half":'], false]);
  set('Changed again');
  title.drop();
  assert.deepEqual(seen(), [undefined, undefined, [], true]);
  title.keep('1x');
  // What the field writes itself is no change from elsewhere.
  set('1');
  title.renew('1x');
  title.keep(undefined);
  assert.deepEqual(seen(), [undefined, undefined, [], true]);
  title.keep('half');
  draft.apply({ kind: 'remove', blocks: [block] });
  assert.deepEqual([pending.isEmpty, title.text, title.outdated], [true, undefined, undefined]);
  again.of(block, 'title').keep(undefined);
  assert.equal(again.isEmpty, true);
});
