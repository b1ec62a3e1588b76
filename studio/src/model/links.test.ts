import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isEqual, type Json, type JsonObject } from './json.ts';
import { attributesIn, keptRows, problemOf, rowsOf, unwrittenRows, type AttributeRow } from './linkattributes.ts';
import { EMPTY_MULTILINK, leadsSomewhere, isLink, LINK_TYPES, NO_LINK, readLink, readLinkMark, writeLink, writeLinkMark, type Link } from './links.ts';

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
  // Without a story, with an old number of one, and of kinds that are not known.
  [{ id: '', url: '', linktype: 'story', cached_url: 'about/us' }, { address: 'about/us' }],
  [{ id: 47358185, linktype: 'story', cached_url: 'about' }, { story: '47358185', address: 'about' }],
  [{ id: STORY, cached_url: 'about' }, { story: STORY, address: 'about' }],
  [{ id: 'url', linktype: 'internal_link' }, { story: 'url', unknownType: 'internal_link' }],
  [{ url: '555', linktype: 'phone' }, { type: 'url', address: '555', unknownType: 'phone' }],
  [{ url: '', email: 'a@b.example' }, { type: 'email', address: 'a@b.example' }],
  [{ id: null, url: null, email: null, linktype: null, cached_url: null, anchor: null, target: null }, {}],
  [{ linktype: 'url', url: '/a', custom: 'x', component: 'y' }, { type: 'url', address: '/a' }],
  [{ id: '', url: 'https://f.example/a.png', name: 'eye', asset: 'https://f.example/a.png', linktype: 'asset', cached_url: 'https://f.example/a.png' }, { type: 'asset', address: 'https://f.example/a.png' }],
];

const attribute = fc.record({ name: fc.constantFrom('rel', 'title', 'data-a', 'class'), value: fc.string({ minLength: 1 }) }, { noNullPrototype: true });
const link: fc.Arbitrary<Link> = fc.record({
  type: fc.constantFrom(...LINK_TYPES),
  unknownType: fc.constant(''),
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
  const odd: readonly Json[] = [5, true, [], { linktype: 5 }, { linktype: 'story', id: [5] }, { linktype: 'url', url: {} }];
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
  const mail = STORED.find(([value]) => (value as JsonObject | null)?.linktype === 'email')![0];
  assert.deepEqual(writeLink(mail, { ...readLink(mail), type: 'url', address: '/a' }), { id: '', url: '/a', linktype: 'url', fieldtype: 'multilink', cached_url: '/a' });
  assert.equal(writeLink('/contact', { ...NO_LINK, type: 'url', address: '/about' }), '/about');
  assert.deepEqual(writeLink('/contact', { ...NO_LINK, type: 'url', address: '/contact', target: '_blank' }), { ...EMPTY_MULTILINK, linktype: 'url', url: '/contact', cached_url: '/contact', target: '_blank' });
});

test('a mark is read and written, and keeps what is not known of it', () => {
  const old: JsonObject = { href: 'asdfs/testing', uuid: STORY, anchor: null, target: '_blank', linktype: 'story', story: { id: 5 } };
  const read = readLinkMark(old);
  assert.deepEqual(read, { type: 'story', unknownType: '', story: STORY, address: 'asdfs/testing', anchor: '', target: '_blank', attributes: [] });
  assert.equal(writeLinkMark(old, read), old);
  assert.deepEqual(writeLinkMark(old, { ...read, attributes: [{ name: 'rel', value: 'me' }] }), { ...old, custom: { rel: 'me' } });
  assert.deepEqual(writeLinkMark(old, { ...read, address: 'blog/a' }), { ...old, href: '/blog/a' });
  assert.deepEqual(writeLinkMark({}, { ...NO_LINK, type: 'email', address: 'a@b.example' }), { href: 'a@b.example', uuid: null, linktype: 'email' });
  fc.assert(fc.property(fc.constantFrom<JsonObject>(old, {}, { href: '/', custom: { 'data-a': 'x', odd: [1] } }), link, (attrs, next) => {
    const again = sorted(readLinkMark(writeLinkMark(attrs, next)));
    assert.deepEqual({ ...again, address: again.address.replace(/^\//, '') }, { ...sorted(next), address: next.address.replace(/^\//, '') });
  }));
});

test('a link without a story leads to its path until it is emptied, and one of an unknown kind keeps that until it leads elsewhere', () => {
  const path = { id: '', url: '', linktype: 'story', cached_url: 'about/us' };
  assert.equal(leadsSomewhere(readLink(path)), true);
  assert.equal(leadsSomewhere(readLink({ ...EMPTY_MULTILINK, url: '#' })), false);
  assert.deepEqual(writeLink(path, { ...readLink(path), anchor: 'a' }), { ...path, anchor: 'a' });
  assert.deepEqual(writeLink(path, NO_LINK), { ...path, cached_url: '' });
  const phone = { url: '555', linktype: 'phone' };
  assert.deepEqual(writeLink(phone, { ...readLink(phone), target: '_blank' }), { ...phone, target: '_blank' });
  assert.deepEqual(writeLink(phone, { ...readLink(phone), unknownType: '', address: '556' }), { linktype: 'url', id: '', url: '556', cached_url: '556' });
  const mark = { href: '/a', uuid: STORY, linktype: 'page' };
  assert.deepEqual(readLinkMark(mark), { ...NO_LINK, unknownType: 'page', story: STORY, address: '/a' });
  assert.deepEqual(writeLinkMark(mark, { ...readLinkMark(mark), anchor: 'a' }), { ...mark, anchor: 'a' });
  assert.deepEqual(readLinkMark({ href: '/a', uuid: STORY }), { ...NO_LINK, story: STORY, address: '/a' });
});

const RESERVED = ['id', 'url', 'linktype', 'fieldtype', 'cached_url', 'target', 'anchor', 'href', 'uuid', 'custom', 'email', 'component', '__proto__', ' ID '];

test('no attribute takes the place of a member of the link, in a field or in a rich text', () => {
  const stored = { id: STORY, linktype: 'story', cached_url: 'a', 'data-a': 'x' };
  for (const name of RESERVED) {
    const rows: AttributeRow[] = [...rowsOf([{ name: 'data-a', value: 'x' }]), { name, value: 'bad', first: '' }];
    assert.equal(problemOf(rows, 1), 'reserved', name);
    assert.deepEqual(attributesIn(rows), [{ name: 'data-a', value: 'x' }]);
    // Nor does what gets past the form.
    const attributes = [{ name: 'data-a', value: 'x' }, { name, value: 'bad' }];
    assert.deepEqual(writeLink(stored, { ...readLink(stored), attributes }), stored);
    assert.deepEqual(writeLinkMark({ href: '/a' }, { ...readLinkMark({ href: '/a' }), attributes }), { href: '/a', custom: { 'data-a': 'x' } });
  }
  // One that is there already can be changed.
  const mark = { href: '/a', custom: { href: '/b' } };
  assert.deepEqual(writeLinkMark(mark, { ...readLinkMark(mark), attributes: [{ name: 'href', value: '/c' }] }), { ...mark, custom: { href: '/c' } });
});

test('a row whose name is no good changes nothing', () => {
  const there = rowsOf([{ name: 'data-a', value: 'x' }, { name: 'data-b', value: 'y' }]);
  const typed = (at: number, part: Partial<AttributeRow>) => there.map((row, index) => (index === at ? { ...row, ...part } : row));
  const cases: [readonly AttributeRow[], number, string | undefined, string][] = [
    [there, 0, undefined, 'data-a=x data-b=y'],
    [typed(0, { name: 'data-c' }), 0, undefined, 'data-c=x data-b=y'],
    [typed(0, { name: '' }), 0, 'unfinished', 'data-a=x data-b=y'],
    [typed(0, { value: '' }), 0, 'unfinished', 'data-b=y'],
    [typed(1, { name: 'Data-A' }), 1, 'taken', 'data-a=x data-b=y'],
    [typed(1, { name: 'title' }), 1, 'taken', 'data-a=x data-b=y'],
    [typed(1, { name: 'on click' }), 1, 'malformed', 'data-a=x data-b=y'],
    [typed(1, { name: 'href', value: 'z' }), 1, 'reserved', 'data-a=x data-b=z'],
    // What a row may come back to is not free.
    [[...typed(0, { name: 'data-c' }), { name: 'data-a', value: 'z', first: '' }], 2, 'taken', 'data-c=x data-b=y'],
    // Of two new ones the first has the name.
    [[{ name: 'a', value: '1', first: '' }, { name: 'a', value: '2', first: '' }], 0, undefined, 'a=1'],
    [[{ name: 'a', value: '1', first: '' }, { name: 'a', value: '2', first: '' }], 1, 'taken', 'a=1'],
    // An old name that is none stays.
    [rowsOf([{ name: 'a b', value: '1' }]), 0, undefined, 'a b=1'],
  ];
  for (const [rows, at, problem, written] of cases) {
    assert.equal(problemOf(rows, at), problem, written);
    assert.equal(attributesIn(rows).map(({ name, value }) => `${name}=${value}`).join(' '), written);
  }
});

test('rows that are not in the link as they were typed are kept', () => {
  const there = rowsOf([{ name: 'data-a', value: 'x' }]);
  const row = (name: string, value: string): AttributeRow => ({ name, value, first: '' });
  for (const rows of [there, [...there, row('', '')], [...there, row('data-b', 'y')]]) assert.equal(unwrittenRows(rows), undefined);
  for (const rows of [[...there, row('data-b', '')], [...there, row('', 'y')], [...there, row('id', 'y')]]) assert.deepEqual(keptRows(unwrittenRows(rows)), rows);
  for (const text of [undefined, '', '{', '5', '[1]', '[["a"]]', '[["a","b",3]]']) assert.deepEqual(keptRows(text), []);
});
