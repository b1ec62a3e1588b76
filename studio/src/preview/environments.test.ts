import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentsOf, obstacleBetween } from './environments.ts';

const STUDIO = 'https://cms.example';

test('the default environment comes first, and only web addresses of others are shown', () => {
  const environments = [
    { name: 'Local', location: 'http://localhost:3000/{full_slug}' },
    { name: 'Studio', location: 'https://cms.example/x' },
    { name: 'Script', location: 'javascript:alert(1)' },
    { name: 'Nothing', location: 'nowhere' },
  ];
  assert.deepEqual(environmentsOf({ domain: 'https://Site.example/a?b=', environments }, STUDIO), [
    { name: '', location: 'https://Site.example/a?b=', origin: 'https://site.example' },
    { name: 'Local', location: 'http://localhost:3000/{full_slug}', origin: 'http://localhost:3000' },
  ]);
  assert.deepEqual(environmentsOf({ domain: null, environments: [] }, STUDIO), []);
  assert.deepEqual(environmentsOf({ domain: 'https://cms.example:443', environments: [] }, STUDIO), []);
});

test('of environments with one address one is shown, by the name that it has', () => {
  const [site, other] = ['https://site.example/', 'https://other.example/'];
  const environments = [{ name: 'Other', location: other }, { name: 'Site', location: site }, { name: 'Again', location: site }, { name: 'Once more', location: other }];
  const shown = (domain: string | null) => environmentsOf({ domain, environments }, STUDIO).map(({ name, location }) => [name, location]);
  // The default one stays the first.
  assert.deepEqual(shown(site), [['Site', site], ['Other', other]]);
  assert.deepEqual(shown(null), [['Other', other], ['Site', site]]);
});

test('what browsers keep from a frame is known before', () => {
  for (const [studio, environment, expected] of [
    ['https://cms.example', 'https://site.example', undefined],
    ['https://cms.example', 'http://site.example', 'insecure'],
    ['http://cms.example', 'http://site.example', undefined],
    ['https://cms.example', 'http://localhost:3000', 'local'],
    ['http://cms.example', 'http://127.0.0.1:3000', 'local'],
    ['https://cms.example', 'https://192.168.1.4', 'local'],
    ['http://localhost:8080', 'http://localhost:3000', undefined],
    ['http://localhost:8080', 'https://site.example', undefined],
    ['https://cms.example', 'http://[::1]:3000', 'local'],
    ['https://cms.example', 'https://10.example', undefined],
  ] as const) {
    assert.equal(obstacleBetween(studio, environment), expected, `${studio} ${environment}`);
  }
});
