import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BLOCKS_TYPE, clipboardTexts, copiedBlocks, type CopiedBlocks } from './clipboard.ts';
import { readSchemas } from './components.ts';
import type { JsonObject } from './json.ts';

const schemas = readSchemas({
  components: [
    { name: 'grid', display_name: 'Grid', schema: { items: { type: 'bloks' }, theme: { type: 'option' } } },
    { name: 'teaser', schema: { title: { type: 'text', translatable: true }, text: { type: 'richtext' } } },
  ],
});
const blocks: readonly JsonObject[] = [
  {
    _uid: 'g', component: 'grid', theme: 'dark', items: [
      {
        _uid: 't', component: 'teaser', title: 'Ships & "cranes" <here>', title__i18n__de: 'Schiffe', text: {
          type: 'doc', content: [
            { type: 'paragraph', content: [{ type: 'text', text: 'Two ' }, { type: 'text', text: 'halves' }] },
            { type: 'blok', attrs: { body: [{ component: 'teaser', title: 'Within' }] } },
          ],
        },
      },
    ],
  },
  { component: 'gone', caption: 'Of no schema' },
];
const copied: CopiedBlocks = { id: 'one', origin: 'https://cms.example.com', space: { id: 3, name: 'Harbours' }, story: 7, blocks, cut: [{ path: 'body/0', uid: 'g' }, { path: 'body/1', uid: '' }] };
const reader = (texts: Readonly<Record<string, string>>) => (type: string) => texts[type] ?? '';

test('what is copied is read again, also where the browser keeps only the HTML', () => {
  const texts = clipboardTexts(copied, schemas);
  assert.deepEqual(copiedBlocks(reader(texts)), copied);
  const wrapped = `<html><body><!--StartFragment-->${texts['text/html']}<!--EndFragment--></body></html>`;
  assert.deepEqual(copiedBlocks(reader({ 'text/html': wrapped })), copied);
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (members) => {
    const one = { ...copied, blocks: [JSON.parse(JSON.stringify({ ...members, component: 'any' })) as JsonObject] };
    const { [BLOCKS_TYPE]: _, ...others } = clipboardTexts(one, schemas);
    assert.deepEqual(copiedBlocks(reader(others)), one);
  }));
});

test('other applications paste what can be read', () => {
  const { 'text/plain': plain, 'text/html': html } = clipboardTexts(copied, schemas);
  assert.equal(plain, ['Grid', '  teaser', '    Ships & "cranes" <here>', '    Two halves', '    teaser', '      Within', 'gone', '  Of no schema'].join('\n'));
  assert.match(html!, /<p>Ships &amp; "cranes" &lt;here><\/p><p>Two halves<\/p>/);
});

test('a clipboard of something else has no blocks', () => {
  for (const text of ['', 'null', '{"format":1,"blocks":[{}],"space":{}}', '{"format":2,"blocks":[],"space":{}}', '{"format":2,"blocks":[{}]}', '{', '[[[[']) {
    assert.equal(copiedBlocks(reader({ [BLOCKS_TYPE]: text })), undefined, text);
    assert.equal(copiedBlocks(reader({ 'text/html': `<div data-lectern-blocks="${encodeURIComponent(text)}">x</div>` })), undefined, text);
  }
  assert.equal(copiedBlocks(reader({ 'text/html': '<p data-lectern-blocks="%E0%A4%A">broken</p>', 'text/plain': 'Text' })), undefined);
});
