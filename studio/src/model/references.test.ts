import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readField } from './components.ts';
import type { Json } from './json.ts';
import { referencesIn } from './references.ts';

const targets = (value: Json, schema: Record<string, Json> = {}) => referencesIn(value, readField('x', schema)).map(({ kind, target, name }) => [kind, target, name]);

test('stories and files are found wherever a value names them', () => {
  const link = { linktype: 'story', id: 'uuid-1', cached_url: 'about/us', fieldtype: 'multilink' };
  const asset = { fieldtype: 'asset', id: 3, alt: '', filename: 'https://a.example.com/f/1/crane.png?x=1' };
  assert.deepEqual(targets(link, { type: 'multilink' }), [['story', 'uuid-1', 'about/us']]);
  assert.deepEqual(targets(asset, { type: 'asset' }), [['file', 'https://a.example.com/f/1/crane.png?x=1', 'crane.png']]);
  assert.deepEqual(targets([asset, { ...asset, filename: '' }], { type: 'multiasset' }).length, 1);
  assert.deepEqual(targets({ linktype: 'asset', url: '//a.example.com/f.pdf' }, { type: 'multilink' }), [['file', '//a.example.com/f.pdf', 'f.pdf']]);
  assert.deepEqual(targets(['uuid-2', 'uuid-3'], { type: 'options', source: 'internal_stories' }), [['story', 'uuid-2', 'uuid-2'], ['story', 'uuid-3', 'uuid-3']]);
  assert.deepEqual(targets('uuid-2', { type: 'option', source: 'internal_stories' }), [['story', 'uuid-2', 'uuid-2']]);
  assert.deepEqual(targets('//a.example.com/i.png', { type: 'image' }), [['file', '//a.example.com/i.png', 'i.png']]);
  const document: Json = {
    type: 'doc', content: [
      { type: 'paragraph', content: [{ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { linktype: 'story', uuid: 'uuid-4', href: '/home' } }] }] },
      { type: 'image', attrs: { id: 1, src: 'https://a.example.com/f/1/in-text.png' } },
      // Its blocks are blocks of their own.
      { type: 'blok', attrs: { body: [{ component: 'teaser', link }] } },
    ],
  };
  assert.deepEqual(targets(document, { type: 'richtext' }), [['story', 'uuid-4', '/home'], ['file', 'https://a.example.com/f/1/in-text.png', 'in-text.png']]);
});

test('what leads nowhere, or out of every space, is no reference', () => {
  const values: readonly Json[] = [{ linktype: 'url', url: 'https://example.com' }, { linktype: 'story', id: '' }, { linktype: 'email', email: 'a@example.com' }, { fieldtype: 'asset', filename: 'https://x/y.png', is_external_url: true }, 'text', null, ['a'], 3];
  for (const value of values) {
    assert.deepEqual(targets(value), [], JSON.stringify(value));
  }
  assert.deepEqual(targets('red', { type: 'option', options: [] }), []);
});

test('every way in which content refers to a story or a file is found', () => {
  const source = (type: string, more = {}) => ({ type, source: 'internal_stories', ...more });
  const marked = (attrs: Record<string, Json>): Json => ({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'x', marks: [{ type: 'bold' }, { type: 'link', attrs }] }] }] });
  const file = '//a.example.com/f.pdf';
  const cases: readonly (readonly [Record<string, Json>, Json, string])[] = [
    [source('option', { use_uuid: false }), 47, 'story 47'],
    [source('options', { use_uuid: false }), [47, '48', ''], 'story 47, story 48'],
    [source('options'), ['u', null, ''], 'story u'],
    [{ type: 'options', options: [] }, ['u'], ''],
    [{ type: 'option', source: 'internal', datasource_slug: 'x' }, 'u', ''],
    [{ type: 'multilink' }, { linktype: 'story', id: 47, cached_url: 'a' }, 'story 47'],
    [{ type: 'multilink' }, { id: 'u', cached_url: 'a' }, 'story u'],
    [{ type: 'multilink' }, { linktype: '', id: 'u' }, 'story u'],
    [{ type: 'multilink' }, { linktype: 'internal_link', id: 'u' }, 'story u'],
    [{ type: 'link' }, { linktype: 'story', id: 'u' }, 'story u'],
    [{ type: 'multilink' }, { linktype: 'story', id: '', url: '', cached_url: 'about/us' }, 'story about/us'],
    [{ type: 'multilink' }, { linktype: 'story', id: '', url: '#', cached_url: '' }, ''],
    [{ type: 'multilink' }, { linktype: 'asset', asset: file }, `file ${file}`],
    [{ type: 'multilink' }, { linktype: 'url', id: 'u', url: '/a' }, ''],
    [{ type: 'multilink' }, '/about', ''],
    [{ type: 'richtext' }, marked({ href: '/a', uuid: 'u' }), 'story u'],
    [{ type: 'richtext' }, marked({ href: '/a', uuid: 'u', linktype: 'story', anchor: 'x' }), 'story u'],
    [{ type: 'richtext' }, marked({ href: '/a', uuid: null, linktype: 'story' }), 'story /a'],
    [{ type: 'richtext' }, marked({ href: file, linktype: 'asset' }), `file ${file}`],
    [{ type: 'richtext' }, marked({ href: 'https://example.org' }), ''],
    [{ type: 'richtext' }, marked({ href: 'a@example.org', linktype: 'email' }), ''],
    [{ type: 'asset' }, { id: 1, filename: file }, `file ${file}`],
    [{ type: 'asset' }, file, `file ${file}`],
    [{ type: 'multiasset' }, [{ id: 1, filename: file }, { id: null, filename: null }, { filename: '//b', is_external_url: true }], `file ${file}`],
    [{ type: 'image' }, { filename: file }, `file ${file}`],
    [{ type: 'custom' }, { plugin: 'x', to: { linktype: 'story', uuid: 'u', href: '/a' }, and: [{ fieldtype: 'multilink', id: 'v' }], picture: { fieldtype: 'asset', filename: file } }, `story u, story v, file ${file}`],
    [{ type: 'unknown' }, { linktype: 'story', id: 'u' }, 'story u'],
  ];
  for (const [schema, value, found] of cases) {
    assert.equal(targets(value, schema).map(([kind, target]) => `${kind} ${target}`).join(', '), found, JSON.stringify([schema, value]));
  }
});
