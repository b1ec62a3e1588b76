import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isEqual, type Json, type JsonObject } from './json.ts';
import { EMPTY_MULTILINK, isLink, LINK_TYPES, NO_LINK, readLink, readLinkMark, writeLink, writeLinkMark, type Link } from './links.ts';

const STORY = '00000000-0000-4000-8000-000000000005';
/** Links as the example spaces have them, and what they are read as. */
const STORED: readonly (readonly [Json | undefined, Partial<Link>])[] = [
  [undefined, {}],
  [null, {}],
  ['', {}],
  [{}, {}],
  ['/contact', { type: 'url', address: '/contact' }],
  [{ id: '', url: '', linktype: 'story', fieldtype: 'multilink', cached_url: '' }, {}],
  [{ linktype: 'story', fieldtype: 'multilink' }, {}],
  [{ id: STORY, url: '#', _uid: 'u', linktype: 'story', fieldtype: 'multilink', cached_url: 'article/' }, { story: STORY, address: 'article/' }],
  [{ linktype: 'url', cached_url: 'url.com', input_value: 'url.com' }, { type: 'url', address: 'url.com' }],
  [{ url: 'https://a.example', cached_url: 'old', linktype: '', rel: 'nofollow', title: '', target: '_blank', anchor: null }, { type: 'url', address: 'https://a.example', target: '_blank', attributes: [{ name: 'rel', value: 'nofollow' }] }],
  [{ id: '', url: 'bl', email: 'bl@b.example', linktype: 'email', fieldtype: 'multilink', cached_url: 'bl' }, { type: 'email', address: 'bl@b.example' }],
  [{ id: '', url: 'https://f.example/a.png', name: 'eye', asset: 'https://f.example/a.png', linktype: 'asset', cached_url: 'https://f.example/a.png' }, { type: 'asset', address: 'https://f.example/a.png' }],
];

const attribute = fc.record({ name: fc.constantFrom('rel', 'title', 'data-a', 'class'), value: fc.string({ minLength: 1 }) }, { noNullPrototype: true });
const link: fc.Arbitrary<Link> = fc.record({
  type: fc.constantFrom(...LINK_TYPES),
  address: fc.string({ minLength: 1 }),
  anchor: fc.string(),
  target: fc.constantFrom('', '_self', '_blank'),
  attributes: fc.uniqueArray(attribute, { selector: ({ name }) => name }),
}, { noNullPrototype: true }).map((made) => ({ ...made, story: made.type === 'story' ? STORY : '' }));
/** The same attributes in another order are the same link. */
const sorted = (one: Link): Link => ({ ...one, attributes: one.attributes.toSorted((a, b) => (a.name < b.name ? -1 : 1)) });
const before = fc.oneof(fc.constantFrom(...STORED.map(([value]) => value)), fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<Json>).filter(isLink));

test('each stored link is read', () => {
  for (const [value, read] of STORED) {
    assert.equal(isLink(value), true, JSON.stringify(value));
    assert.deepEqual(readLink(value), { ...NO_LINK, ...read }, JSON.stringify(value));
  }
  const odd: readonly Json[] = [5, true, [], { linktype: 'internal_link', id: 'url' }, { linktype: 'story', id: 5 }, { linktype: 'url', url: {} }];
  for (const value of odd) assert.equal(isLink(value), false, JSON.stringify(value));
});

test('what is not changed is not written', () => {
  fc.assert(fc.property(before, (value) => assert.equal(writeLink(value, readLink(value)), value)));
});

test('what is written is read again, and unknown members stay', () => {
  fc.assert(fc.property(before, link, (value, next) => {
    const written = writeLink(value, next);
    assert.equal(isLink(written), true);
    assert.deepEqual(sorted(readLink(written)), sorted(next));
    if (typeof value !== 'object' || value === null) return;
    const known = new Set(['id', 'url', 'cached_url', 'linktype', 'fieldtype', 'email', 'asset', 'input_value', 'anchor', 'target', ...readLink(value).attributes.map(({ name }) => name)]);
    for (const [name, member] of Object.entries(value)) if (!known.has(name)) assert.ok(isEqual((written as JsonObject)[name], member) || next.attributes.some((one) => one.name === name), name);
  }));
});

test('one part that changes leaves the others as they were', () => {
  const [stored] = STORED[9]!;
  const read = readLink(stored);
  assert.deepEqual(writeLink(stored, { ...read, anchor: 'top' }), { ...(stored as JsonObject), anchor: 'top' });
  assert.deepEqual(writeLink(stored, { ...read, attributes: [] }), { url: 'https://a.example', cached_url: 'old', linktype: '', title: '', target: '_blank', anchor: null });
  assert.deepEqual(writeLink(stored, { ...read, address: 'b' }), { ...(stored as JsonObject), linktype: 'url', id: '', url: 'b', cached_url: 'b' });
});

test('a link that is emptied leads nowhere, whatever it led to, and one that led nowhere is as it was', () => {
  const [stored] = STORED[9]!;
  assert.deepEqual(writeLink(stored, { ...readLink(stored), address: '' }), { ...(stored as JsonObject), linktype: 'story', id: '', url: '', cached_url: '' });
  for (const value of [undefined, '', {}, EMPTY_MULTILINK, { linktype: 'email', email: '' }]) assert.equal(writeLink(value, { ...readLink(value), type: 'url', address: '' }), value);
});

test('a link begins as the hosted service writes it, and loses what belongs to another type', () => {
  assert.deepEqual(writeLink(undefined, { ...NO_LINK, story: STORY, address: 'blog/a' }), { ...EMPTY_MULTILINK, id: STORY, cached_url: 'blog/a' });
  const [mail] = STORED[10]!;
  assert.deepEqual(writeLink(mail, { ...readLink(mail), type: 'url', address: '/a' }), { id: '', url: '/a', linktype: 'url', fieldtype: 'multilink', cached_url: '/a' });
  assert.equal(writeLink('/contact', { ...NO_LINK, type: 'url', address: '/about' }), '/about');
  assert.deepEqual(writeLink('/contact', { ...NO_LINK, type: 'url', address: '/contact', target: '_blank' }), { ...EMPTY_MULTILINK, linktype: 'url', url: '/contact', cached_url: '/contact', target: '_blank' });
});

test('a mark is read and written, and keeps what is not known of it', () => {
  const old: JsonObject = { href: 'asdfs/testing', uuid: STORY, anchor: null, target: '_blank', linktype: 'story', story: { id: 5 } };
  const read = readLinkMark(old);
  assert.deepEqual(read, { type: 'story', story: STORY, address: 'asdfs/testing', anchor: '', target: '_blank', attributes: [] });
  assert.equal(writeLinkMark(old, read), old);
  assert.deepEqual(writeLinkMark(old, { ...read, attributes: [{ name: 'rel', value: 'me' }] }), { ...old, custom: { rel: 'me' } });
  assert.deepEqual(writeLinkMark(old, { ...read, address: 'blog/a' }), { ...old, href: '/blog/a' });
  assert.deepEqual(writeLinkMark({}, { ...NO_LINK, type: 'email', address: 'a@b.example' }), { href: 'a@b.example', uuid: null, linktype: 'email' });
  fc.assert(fc.property(fc.constantFrom<JsonObject>(old, {}, { href: '/', custom: { 'data-a': 'x', odd: [1] } }), link, (attrs, next) => {
    const again = sorted(readLinkMark(writeLinkMark(attrs, next)));
    assert.deepEqual({ ...again, address: again.address.replace(/^\//, '') }, { ...sorted(next), address: next.address.replace(/^\//, '') });
  }));
});
