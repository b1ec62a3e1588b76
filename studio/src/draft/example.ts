// A content for tests: blocks in blocks, in rich text and in languages, and what no schema names.

import type { JsonObject } from '../model/json.ts';
import { readSchemas } from '../model/components.ts';

export const schemas = readSchemas({
  components: [
    { name: 'page', schema: { title: { type: 'text', pos: 0, translatable: true }, body: { type: 'bloks', pos: 1, translatable: true }, text: { type: 'richtext', pos: 2 } } },
    { name: 'grid', schema: { columns: { type: 'bloks' }, name: { type: 'text' } } },
    { name: 'teaser', schema: { headline: { type: 'text' }, size: { type: 'number' } } },
  ],
});

export const teaser = (uid: string, more: JsonObject = {}): JsonObject => ({ _uid: uid, component: 'teaser', headline: `Teaser ${uid}`, ...more });

export const blok = (id: string, ...body: JsonObject[]): JsonObject => ({ type: 'blok', attrs: { id, body } });

export const paragraph = (text: string): JsonObject => ({ type: 'paragraph', content: [{ type: 'text', text }] });

export const content: JsonObject = {
  _uid: 'page',
  component: 'page',
  title: 'Home',
  title__i18n__de: 'Start',
  body: [
    { _uid: 'grid', component: 'grid', name: 'Two', columns: [teaser('a'), teaser('b', { odd: { kept: [1, null] } })] },
    teaser('c'),
    // No schema names it: what it looks like decides.
    { _uid: 'old', component: 'gone', items: [teaser('d')], table: { thead: [{ component: '_table_head', value: 'x' }] }, empty: [], numbers: [1, 2] },
  ],
  body__i18n__de: [teaser('a'), teaser('a')],
  text: {
    type: 'doc',
    content: [paragraph('Before'), blok('one', teaser('e'), teaser('f')), { type: 'blockquote', content: [blok('two', teaser('e')), { type: 'blok', attrs: { id: 'three', body: null } }] }],
  },
  stray: [{ component: 'teaser' }, 'no block'],
};
