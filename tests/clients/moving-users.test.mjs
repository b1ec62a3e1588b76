// The rehearsal of docs/moving-users.md: people of a Keycloak realm move here, with their passwords, roles and subjects.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Account } from './support/account.mjs';
import { RelyingParty, clients } from './support/relying-party.mjs';
import { Server } from './support/server.mjs';

const TOKEN = '0123456789abcdef0123456789abcdef';
const run = promisify(execFile);
const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** What the people of the realm know, and what their clients know of them. */
const PEOPLE = {
  'anna@example.com': { password: 'annas altes Passwort', sub: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed', roles: ['editor'] },
  'bert@example.com': { password: "bert's old pässword", sub: '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b', roles: ['viewer'], locale: 'de' },
  'cora@example.com': { password: 'cora-cora-cora', sub: '3d813cbb-47fb-4a3a-aad4-7d2f3a4c9d01', roles: [] },
  'dora@example.com': { password: 'Correct-Horse-7!', sub: '9f2b7c7e-6b0f-4c8e-8f6a-0d6f0c1a2b3c', roles: ['editor', 'viewer'] },
  'emil@example.com': { password: 'Correct-Horse-7!', sub: 'c56a4180-65aa-42ec-a945-5fd21dec0538', roles: [] },
};
/** His subject is no UUID. */
const FRED = 'f:8d9a6c52-4f0e-4d2e-9f3b-1a2b3c4d5e6f:fred';

let server;
let batches;
let report;

async function provisioning(method, below, body) {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const answer = await fetch(`${server.url}/api/provisioning/users${below}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text);
}

before(async () => {
  server = await Server.start({
    APP_OIDC_CLIENTS_JSON: clients({ roles: ['viewer', 'editor'] }),
    APP_ADMIN_API_TOKENS_JSON: JSON.stringify([{ id: 'importer', token: TOKEN }]),
  });
});
after(() => server?.dispose());

test('the export is converted, and what is left out is told', async () => {
  const script = path('../../examples/realm-export/convert.mjs');
  const { stdout, stderr } = await run(process.execPath, [script, '--clients', 'one', '--invite', path('fixtures/realm-export.json')]);
  batches = stdout.trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(batches.map(({ users }) => users.length), [8]);
  assert.match(stderr, /^service-account-batch: left out, .*service account/m);
  assert.match(stderr, /^nomail: left out, .*no email/m);
  assert.match(stderr, /^cora: without .*type otp/m);
  const [anna] = batches[0].users;
  assert.match(anna.hashedPassword.value, /^\$pbkdf2-sha1\$20000\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/);
  assert.equal(anna.createdAt, '2019-05-04T08:00:00.000Z');
});

test('a dry run finds nothing wrong and writes nothing', async () => {
  report = await provisioning('POST', '/import', { ...batches[0], dryRun: true });
  assert.deepEqual([report.total, report.created, report.dryRun], [8, 8, true], JSON.stringify(report.results));
  const headers = { authorization: `Bearer ${TOKEN}` };
  const nobody = await fetch(`${server.url}/api/provisioning/users/lookup?email=anna@example.com`, { headers });
  assert.equal(nobody.status, 404);
});

test('everybody is imported', async () => {
  report = await provisioning('POST', '/import', batches[0]);
  assert.deepEqual([report.created, report.skipped, report.conflicts, report.invalid, report.failed], [8, 0, 0, 0, 0]);
  for (const row of report.results) assert.equal(row.subPreserved, row.legacySub !== FRED, row.email);
});

test('once more, everybody is skipped', async () => {
  const again = await provisioning('POST', '/import', batches[0]);
  assert.deepEqual([again.created, again.skipped], [0, 8], JSON.stringify(again.results));
  assert.ok(again.results.every(({ code }) => code === 'alreadyImported'));
});

for (const [email, { password, sub, roles, locale = 'en' }] of Object.entries(PEOPLE)) {
  test(`${email} signs in with the old password and keeps the sub at a relying party`, async () => {
    const person = await RelyingParty.discover(server, new Account(server, email, password));
    const { claims, userinfo, pages } = await person.signIn({ scope: 'openid profile email roles' });
    assert.deepEqual(pages, ['login']);
    assert.equal(claims.sub, sub);
    assert.deepEqual([userinfo.email, userinfo.email_verified, userinfo.locale], [email, true, locale]);
    assert.deepEqual(userinfo.roles ?? [], roles);
    // The hash is another one since the first sign-in, and the password the same.
    await new Account(server, email, password).signIn();
  });
}

test('a subject that is no UUID is found by the lookup', async () => {
  const fred = await provisioning('GET', `/lookup?${new URLSearchParams({ legacySub: FRED })}`);
  assert.deepEqual([fred.email, fred.subPreserved], ['fred@example.com', false]);
  const person = await RelyingParty.discover(server, new Account(server, 'fred@example.com', 'Correct-Horse-7!'));
  assert.equal((await person.signIn()).claims.sub, fred.id);
});

test('a disabled account stays closed', async () => {
  const gone = new Account(server, 'gone@example.com', 'gone for now');
  await assert.rejects(gone.signIn(), /accountSuspended/);
});

test('who had no password is invited', async () => {
  const { inviteLink } = report.results.find(({ email }) => email === 'hope@example.com');
  const hope = new Account(server, 'hope@example.com', 'a password of her own');
  await assert.rejects(hope.signIn(), /invalidCredentials/);
  const token = new URL(inviteLink).searchParams.get('token');
  await hope.call('POST', '/api/auth/accept-invite', { token, newPassword: hope.password });
  const person = await RelyingParty.discover(server, hope);
  assert.equal((await person.signIn()).claims.sub, '5e7b2f9a-9d2c-4c1b-8a7e-3f2d1c0b9a88');
});
