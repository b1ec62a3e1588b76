import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStale, previewUrl, type PreviewUrl } from './url.ts';

const story = { id: 7, full_slug: 'blog/first post', path: null, component: 'page' };
const signature = { token: 'ab12', timestamp: '1700000000' };
const options: PreviewUrl = { location: 'https://site.example/', space: 5, story, language: '', signature, now: 1_700_000_001_000 };

/** The address up to what the studio adds. */
function address(change: Partial<PreviewUrl>): string {
  const url = previewUrl({ ...options, ...change });
  const at = url.search(/[?&]_storyblok=/);
  return url.slice(0, at);
}

test('a site finds everything by the names that it looks for', () => {
  const url = new URL(previewUrl({ ...options, language: 'de' }));
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    _storyblok: '7',
    _storyblok_c: 'page',
    _storyblok_version: '',
    _storyblok_lang: 'de',
    _storyblok_release: '0',
    _storyblok_rl: '1700000001000',
    '_storyblok_tk[space_id]': '5',
    '_storyblok_tk[timestamp]': '1700000000',
    '_storyblok_tk[token]': 'ab12',
  });
  assert.equal(new URL(previewUrl(options)).searchParams.get('_storyblok_lang'), 'default');
});

test('without a token that signs the bridge of a site still starts', () => {
  const names = [...new URL(previewUrl({ ...options, signature: null })).searchParams.keys()];
  assert.ok(names.includes('_storyblok_tk[space_id]'));
  assert.ok(!names.includes('_storyblok_tk[token]') && !names.includes('_storyblok_tk[timestamp]'));
});

test('the path stands at the end of the location', () => {
  const path = 'blog/first%20post';
  for (const [location, expected] of [
    ['https://site.example/', `https://site.example/${path}`],
    ['https://site.example', `https://site.example/${path}`],
    ['https://site.example/preview', `https://site.example/preview/${path}`],
    ['https://site.example/?path=', `https://site.example/?path=${path}`],
    ['https://site.example/api/preview?secret=1&slug=', `https://site.example/api/preview?secret=1&slug=${path}`],
    ['https://site.example/?path=/', `https://site.example/?path=/${path}`],
  ] as const) {
    assert.equal(address({ location }), expected);
  }
  // What a site reads in the browser stands before the fragment.
  const url = new URL(previewUrl({ ...options, location: 'https://site.example/#/' }));
  assert.equal(url.hash, `#/${path}`);
  assert.equal(url.searchParams.get('_storyblok'), '7');
});

test('the real path goes before the slug, in the default language', () => {
  const withPath = { ...story, path: '/start' };
  assert.equal(address({ story: withPath }), 'https://site.example/start');
  assert.equal(address({ story: withPath, location: 'https://site.example?p=' }), 'https://site.example?p=/start');
  assert.equal(address({ story: { ...story, path: '/' } }), 'https://site.example/');
  assert.equal(address({ story: { ...story, path: '' } }), 'https://site.example/blog/first%20post');
  assert.equal(address({ story: withPath, language: 'de' }), 'https://site.example/de/blog/first%20post');
});

test('another language is the first part of the path, and its own path where it has one', () => {
  assert.equal(address({ language: 'pt-br' }), 'https://site.example/pt-br/blog/first%20post');
  assert.equal(address({ language: 'de', story: { ...story, translatedPath: 'blog/erster' } }), 'https://site.example/de/blog/erster');
});

test('patterns in the location take their parts', () => {
  const at = (location: string, language = '', path: string | null = '/real') => address({ location, language, story: { ...story, path } });
  assert.equal(at('https://site.example/{path}'), 'https://site.example/real');
  assert.equal(at('https://site.example/{full_slug}/x'), 'https://site.example/blog/first%20post/x');
  assert.equal(at('https://site.example/{full_slug}', 'de'), 'https://site.example/de/blog/first%20post');
  assert.equal(at('https://site.example/{lang}/{full_slug}', 'de'), 'https://site.example/de/blog/first%20post');
  assert.equal(at('https://site.example/{lang}/{path}', 'de'), 'https://site.example/de/blog/first%20post');
  assert.equal(at('https://site.example/{lang}/{full_slug}'), 'https://site.example/default/blog/first%20post');
  assert.equal(at('https://site.example/{lang}/', 'de'), 'https://site.example/de/blog/first%20post');
  assert.equal(at('https://site.example/p?l={lang}&s={full_slug}', 'de'), 'https://site.example/p?l=de&s=blog/first%20post');
});

test('nothing of a story leaves its part of the address', () => {
  const odd = { ...story, full_slug: 'a?b#c/{lang}&d', component: 'x&y=z' };
  const url = new URL(previewUrl({ ...options, story: odd }));
  assert.equal(url.pathname, '/a%3Fb%23c/%7Blang%7D%26d');
  assert.equal(url.searchParams.get('_storyblok_c'), 'x&y=z');
});

test('a signature is made anew after fifty minutes', () => {
  const made = 1_700_000_000_000;
  assert.equal(isStale(signature, made + 49 * 60_000), false);
  assert.equal(isStale(signature, made + 50 * 60_000), true);
  assert.equal(isStale(null, made), false);
});
