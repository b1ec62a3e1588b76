// Exports that examples/realm-export/convert.mjs cannot take as they are: it says what is wrong, writes nothing, and repeats nothing of them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../examples/realm-export/convert.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'realm-export-'));
after(() => rmSync(folder, { recursive: true }));

const SECRET = 'aPieceOfAHash';
const ANN = { username: 'ann', email: 'ann@example.org', firstName: 'Ann', createdTimestamp: 1556956800000 };

/** Runs the script on files with these contents. */
function convert(...contents) {
  const files = contents.map((content, number) => {
    const file = join(folder, `${number}.json`);
    writeFileSync(file, Buffer.isBuffer(content) || typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  });
  return run(...files);
}

function run(...values) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...values], { encoding: 'utf8' });
  return { status, stderr, batches: stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line)) };
}

/** Ends with 1 and one line of words, and writes nothing. */
function refused({ status, stderr, batches }, words) {
  assert.deepEqual([status, batches], [1, []], stderr);
  assert.match(stderr, words);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
  assert.ok(!stderr.includes(SECRET), stderr);
}

test('what is no export is refused in a sentence that has nothing of it', () => {
  const users = [{ ...ANN, credentials: [{ type: 'password', secretData: SECRET }] }];
  const whole = JSON.stringify({ users });
  refused(convert([{ users }, { users }]), /is a list \(of 2\).*export one with kc\.sh export --realm/);
  refused(convert(whole.slice(0, -3)), /is not JSON: it ends too early/);
  refused(convert(whole.replace('"firstName"', SECRET)), /is not JSON from line 1, column \d+ on/);
  refused(convert(SECRET), /is not JSON$/m);
  refused(convert(JSON.stringify(SECRET)), /is no realm/);
  refused(convert({ users: { [SECRET]: 1 } }), /"users" that is no list/);
  refused(convert(Buffer.from(`\ufeff${whole}`, 'utf16le')), /is UTF-16, as PowerShell writes it/);
  refused(convert(Buffer.from(whole.replace('Ann', 'Änn'), 'latin1')), /is not UTF-8/);
});

test('an export without users says where they are', () => {
  refused(convert({ realm: SECRET }), /no users in it; the admin console never exports them/);
  const { status, stderr, batches } = convert({ realm: 'shop' }, { users: [ANN] });
  assert.deepEqual([status, batches[0].users.length], [0, 1]);
  assert.match(stderr, /0\.json: no users in it\n1 of 1 users converted/);
});

test('a file that is not there, or none, is told', () => {
  refused(run(join(folder, 'nowhere.json')), /nowhere\.json cannot be read \(ENOENT\)/);
  refused(run(), /^usage: /);
  refused(run('--unknown', SECRET), /^usage: /);
});

test('a byte order mark is read over', () => {
  const { status, batches } = convert(`\ufeff${JSON.stringify({ users: [ANN] })}`);
  assert.deepEqual([status, batches[0].users[0].email, batches[0].users[0].createdAt], [0, 'ann@example.org', '2019-05-04T08:00:00.000Z']);
});

test('a user of another form is left out, and others are not', () => {
  const broken = [SECRET, null, { ...ANN, groups: SECRET }, { ...ANN, clientRoles: [SECRET] }, { ...ANN, credentials: [SECRET] }, { email: 7 }];
  const { status, stderr, batches } = convert({ users: [...broken, ANN] });
  assert.deepEqual([status, batches[0].users.length], [0, 1], stderr);
  assert.match(stderr, /^the user at 1: left out, it is no user/m);
  assert.match(stderr, /^ann: left out, its member "groups" has another form/m);
  assert.match(stderr, /^the user at 6: left out, it has no email/m);
  assert.match(stderr, /^1 of 7 users converted$/m);
  assert.ok(!stderr.includes(SECRET), stderr);
});

test('a password or a time that cannot be read is left out, and a name is one line', () => {
  const credentials = (secretData, credentialData = '{}') => [{ type: 'password', secretData, credentialData }];
  const users = [
    { ...ANN, username: 'a\nb\u001b[2J', credentials: credentials(SECRET) },
    { ...ANN, createdTimestamp: 'yesterday', credentials: credentials('{"value":7}') },
    { ...ANN, createdTimestamp: 1e300, credentials: credentials('{"value":"a","salt":"b"}', SECRET) },
  ];
  const { status, stderr, batches } = convert({ users });
  assert.deepEqual([status, batches[0].users.length], [0, 3]);
  assert.ok(batches[0].users.every(({ hashedPassword }) => hashedPassword === undefined));
  assert.match(stderr, /^a\?b\?\[2J: without its password: its algorithm or form cannot be imported\n/);
  assert.equal(stderr.match(/when it was created, which is no time/g).length, 2);
  assert.ok(!stderr.includes(SECRET), stderr);
});
