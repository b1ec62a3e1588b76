import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliver, languagesOf, pathsIn } from './deliver.ts';

const delivery = { space: 5, story: 7, languages: [], paths: new Map<string, string>() };

test('each field has one value: that of the language, else of the fallback, else the default', () => {
  const content = { t: 'en', t__i18n__de: 'de', t__i18n__pt_br: 'pt', u: 'en', u__i18n__de: 'de', u__i18n__pt_br: '', alone__i18n__de: 1, v: 'en', v__i18n__de: [], w: 'en', w__i18n__de: false };
  const inLanguages = (...languages: string[]) => deliver(content, { ...delivery, languages });
  assert.deepEqual(inLanguages(), { t: 'en', u: 'en', v: 'en', w: 'en' });
  assert.deepEqual(inLanguages('pt-br'), { t: 'pt', u: 'en', v: 'en', w: 'en' });
  assert.deepEqual(inLanguages('pt-br', 'de'), { t: 'pt', u: 'de', alone: 1, v: 'en', w: false });
  assert.deepEqual([languagesOf('', 'de'), languagesOf('de', ''), languagesOf('de', 'default'), languagesOf('de', 'fr')], [[], ['de'], ['de'], ['de', 'fr']]);
});

test('blocks wherever they are carry the mark of the editor, in the language that is shown', () => {
  const document = (name: string) => ({ type: 'doc', content: [{ type: 'blok', attrs: { body: [{ component: name, _uid: 'q' }] } }] });
  const content = { component: 'page', _uid: 'r', text: document('quote'), text__i18n__de: document('zitat'), link: { fieldtype: 'multilink', component: ' ' } };
  const text = JSON.stringify(deliver(content, { ...delivery, languages: ['de'] }));
  assert.equal(text.match(/#storyblok#/g)?.length, 2);
  assert.ok(text.includes(JSON.stringify('<!--#storyblok#{"name":"zitat","space":"5","uid":"q","id":"7"}-->').slice(1, -1)));
});

test('links have the paths that the server knows', () => {
  const link = (id: string, path: string) => ({ fieldtype: 'multilink', linktype: 'story', id, cached_url: path });
  const paths = pathsIn({ body: [{ link: link('a', 'new') }] });
  const content = { one: link('a', 'old'), two: [link('b', 'kept')], three: { ...link('a', 'kept'), linktype: 'url' } };
  assert.deepEqual(deliver(content, { ...delivery, paths }), { one: link('a', 'new'), two: [link('b', 'kept')], three: { ...link('a', 'kept'), linktype: 'url' } });
});
