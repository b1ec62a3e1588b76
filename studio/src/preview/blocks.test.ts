import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Draft } from '../draft/draft.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { Schemas } from '../model/schema.ts';
import { findBlock, frameOf } from './blocks.ts';

const quote = (text: string): JsonObject => ({ component: 'quote', _uid: 'q', text });
const document = (...blocks: readonly JsonObject[]): Json => ({ type: 'doc', content: [{ type: 'blok', attrs: { id: 'b', body: blocks } }] });

/** Where the block is that a site means. */
function found(content: JsonObject, uid: string, language = '', fallback = ''): string | undefined {
  const draft = new Draft({ revision: 1, content: { component: 'page', _uid: 'root', ...content } }, new Schemas([]), () => 0);
  const key = findBlock(draft, uid, { language, fallback });
  return key === undefined ? undefined : draft.path(key);
}

test('of blocks with one uid it is the one that is shown in the language', () => {
  const content = { text: document(quote('en')), text__i18n__pt_br: document(quote('pt')), text__i18n__de: '' };
  assert.equal(found(content, 'q'), 'text/0/0');
  assert.equal(found(content, 'q', 'pt-br'), 'text__i18n__pt_br/0/0');
  assert.equal(found(content, 'q', 'de'), 'text/0/0');
  assert.equal(found(content, 'q', 'de', 'pt-br'), 'text__i18n__pt_br/0/0');
});

test('a block that is shown in no language is found all the same, and one that is nowhere is not', () => {
  assert.equal(found({ text: '', text__i18n__de: document(quote('de')) }, 'q'), 'text__i18n__de/0/0');
  assert.equal(found({ body: [quote('a')] }, 'q', 'de'), 'body/0');
  assert.equal(found({}, 'root'), '');
  assert.equal(found({}, 'q'), undefined);
});

test('a page offers to add where there is room, and nothing to who may only read', () => {
  const draft = new Draft({ revision: 1, content: { component: 'page', _uid: 'root', body: [quote('a')] } }, new Schemas([]), () => 0);
  const offered = (path: string, mayWrite: boolean, hasRoom: boolean) => {
    const { canAddBlocks, canDeleteBlocks } = frameOf(draft, draft.at(path)!, { space: 5, id: 7 }, { mayWrite, hasRoom });
    return [canAddBlocks, canDeleteBlocks];
  };
  assert.deepEqual(offered('body/0', true, true), [true, true]);
  assert.deepEqual(offered('body/0', true, false), [false, true]);
  assert.deepEqual(offered('body/0', false, true), [false, false]);
  assert.deepEqual(offered('', true, true), [false, false]);
});
