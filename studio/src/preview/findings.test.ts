import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageCheck } from '../model/preview.ts';
import { allowsOrigin, findingOf } from './findings.ts';

const STUDIO = 'https://cms.example';
const page: PageCheck = { reachable: true, status: 200, x_frame_options: null, frame_ancestors: [], reason: null };
const finding = (change: Partial<PageCheck>) => findingOf({ ...page, ...change }, STUDIO);

test('a page that would show itself has nothing wrong with it', () => {
  assert.equal(finding({}), undefined);
  assert.equal(finding({ frame_ancestors: ["'self' https://cms.example"], x_frame_options: 'DENY' }), undefined);
  assert.equal(finding({ x_frame_options: 'ALLOW-FROM https://elsewhere.example' }), undefined);
});

test('what keeps it away is named', () => {
  assert.deepEqual(finding({ reachable: null, status: null, reason: 'this server may not call it' }), { kind: 'unknown' });
  assert.deepEqual(finding({ reachable: false, status: null, reason: 'dns' }), { kind: 'unreachable', reason: 'dns' });
  assert.deepEqual(finding({ status: 404, x_frame_options: 'DENY' }), { kind: 'status', status: 404 });
  assert.deepEqual(finding({ x_frame_options: 'DENY, sameorigin' }), { kind: 'refuses', header: 'X-Frame-Options', value: 'DENY, sameorigin' });
  assert.deepEqual(finding({ frame_ancestors: ['*', 'https://app.storyblok.com'] }), {
    kind: 'refuses',
    header: 'Content-Security-Policy',
    value: 'frame-ancestors https://app.storyblok.com',
  });
});

test('sources stand for the origins that they stand for in browsers', () => {
  for (const [source, origin, allows] of [
    ['*', STUDIO, true],
    ["'none'", STUDIO, false],
    ["'self'", STUDIO, false],
    ['https:', STUDIO, true],
    ['http:', STUDIO, false],
    ['https://cms.example', STUDIO, true],
    ['https://CMS.example/path', STUDIO, true],
    ['cms.example', STUDIO, true],
    ['http://cms.example', STUDIO, true],
    ['https://cms.example', 'http://cms.example', false],
    ['https://*.example', STUDIO, true],
    ['https://*.cms.example', STUDIO, false],
    ['https://other.example', STUDIO, false],
    ['https://cms.example:443', STUDIO, true],
    ['https://cms.example:8443', STUDIO, false],
    ['http://localhost:*', 'http://localhost:8080', true],
    ['http://localhost:8080', 'http://localhost:8080', true],
    ['http://localhost', 'http://localhost:8080', false],
    ['', STUDIO, false],
  ] as const) {
    assert.equal(allowsOrigin(source, origin), allows, `${source} ${origin}`);
  }
});
