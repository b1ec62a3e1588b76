import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockSummary, displayName, unknownFields } from './blocks.ts';
import { readComponent } from './components.ts';

const component = readComponent({
  name: 'teaser', display_name: ' ', preview_field: 'title',
  schema: { image: { type: 'asset', pos: 0 }, lead: { type: 'textarea', pos: 1 }, title: { type: 'text', pos: 2, translatable: true }, text: { type: 'richtext', pos: 3 } },
});

test('a block is summed up by its preview field, else by its first text', () => {
  const doc = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Rich' }, { type: 'text', text: 'text' }] }] };
  for (const [block, summary] of [
    [{ title: 'Title', lead: 'Lead' }, 'Title'],
    [{ title: '', lead: '  Lead\n here ' }, 'Lead here'],
    [{ text: doc }, 'Rich text'],
    [{ image: { filename: 'x.png' }, title: 7 }, ''],
    [{ title: 'x'.repeat(500) }, `${'x'.repeat(119)}…`],
    [{}, ''],
  ] as const) {
    assert.equal(blockSummary(block, component), summary, JSON.stringify(block).slice(0, 80));
  }
  assert.equal(blockSummary({ title: 'Title', title__i18n__pt_br: 'Título' }, component, 'pt-br'), 'Título');
  assert.equal(blockSummary({ _uid: 'a', component: 'gone', count: 3, caption: 'Kept' }, undefined), 'Kept');
});

test('what no schema names is unknown, translations of what it names are not', () => {
  const block = { _uid: 'a', component: 'teaser', _editable: '', title: '', title__i18n__de: '', stray: 1, stray__i18n__de: 2 };
  assert.deepEqual(unknownFields(block, component), ['stray', 'stray__i18n__de']);
  assert.deepEqual(unknownFields(block, undefined), ['title', 'title__i18n__de', 'stray', 'stray__i18n__de']);
  assert.equal(displayName(component), 'teaser');
});
