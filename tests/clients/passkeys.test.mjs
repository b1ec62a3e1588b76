// Passkeys in a real Chromium with a virtual authenticator, through @simplewebauthn/browser: neither knows our code.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, Person } from './support/browser.mjs';
import { Server } from './support/server.mjs';

const PASSWORD = 'correct horse battery staple';

let server;
let browser;
let origin;

before(async () => {
  server = await Server.start((port) => ({ APP_BASE_URL: `http://localhost:${port}`, APP_FIRST_USER_IS_ADMIN: 'false' }));
  origin = server.variables.APP_BASE_URL;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.dispose();
});

/** A person who has registered and signed in with a password. */
async function signedIn(email) {
  const person = await Person.at(browser, origin);
  expect(await person.call('POST', '/api/auth/register', { email, password: PASSWORD, firstName: 'Ann' }), 201);
  expect(await person.call('POST', '/api/auth/login', { email, password: PASSWORD }), 200);
  return person;
}

function expect({ status, body }, wanted, error) {
  assert.equal(status, wanted, JSON.stringify(body));
  if (error) assert.equal(body.error, error);
  return body;
}

async function register(person) {
  const { options, challenge } = expect(await person.call('POST', '/api/webauthn/register/start', {}), 200);
  const credential = await person.ask('startRegistration', options);
  return credential.failed ? credential : person.call('POST', '/api/webauthn/register/finish', { challenge, credential });
}

async function signIn(person) {
  const { options, challenge } = expect(await person.call('POST', '/api/webauthn/login/start'), 200);
  const credential = await person.ask('startAuthentication', options);
  return credential.failed ? credential : person.call('POST', '/api/webauthn/login/finish', { challenge, credential });
}

/** The body of a reauthentication by a passkey. */
async function proof(person) {
  const { options, challenge } = expect(await person.call('POST', '/api/me/password-reauth'), 200);
  return { challenge, credential: await person.ask('startAuthentication', options) };
}

test('a person makes a passkey, signs in without a name, gives the password up and leaves', async () => {
  const email = 'ann@example.com';
  const ann = await signedIn(email);
  const authenticator = await ann.plugIn();
  const { passkey } = expect(await register(ann), 200);
  assert.equal(passkey.name, 'Passkey 1');
  assert.deepEqual(passkey.transports, ['internal']);
  const [held] = await authenticator.passkeys();
  assert.equal(held.isResidentCredential, true, 'it is found without a name');
  assert.equal(held.rpId, 'localhost');
  assert.equal(Buffer.from(held.userHandle, 'base64').length, 32, 'which tells nothing of her');
  expect(await ann.call('POST', '/api/me/password-reauth'), 200);

  expect(await ann.call('POST', '/api/auth/logout', {}), 200);
  expect(await ann.call('GET', '/api/me'), 401);
  assert.equal(expect(await signIn(ann), 200).user.email, email);
  assert.equal(expect(await ann.call('GET', '/api/me'), 200).passkeyCount, 1);

  expect(await ann.call('DELETE', '/api/me/password', await proof(ann)), 200);
  assert.equal(expect(await ann.call('GET', '/api/me'), 200).hasPassword, false);
  expect(await ann.call('DELETE', `/api/me/passkeys/${passkey.id}`), 403, 'lastFactor');
  expect(await ann.call('POST', '/api/auth/logout', {}), 200);
  expect(await ann.call('POST', '/api/auth/login', { email, password: PASSWORD }), 401, 'invalidCredentials');
  expect(await signIn(ann), 200);
  const { passkeys } = expect(await ann.call('GET', '/api/me/passkeys'), 200);
  assert.ok(passkeys[0].lastUsedAt, 'and it was used');

  expect(await ann.call('DELETE', '/api/me', await proof(ann)), 200);
  expect(await signIn(ann), 401, 'invalidCredential');
});

test('one authenticator registers one passkey of an account, and a removed one cannot sign in', async () => {
  const ben = await signedIn('ben@example.com');
  const first = await ben.plugIn();
  const { passkey } = expect(await register(ben), 200);
  assert.deepEqual(await register(ben), { failed: 'InvalidStateError' }, 'it holds one already');

  await first.unplug();
  const second = await ben.plugIn({ transport: 'usb' });
  expect(await register(ben), 200);
  assert.equal(expect(await ben.call('GET', '/api/me/passkeys'), 200).passkeys.length, 2);
  expect(await ben.call('DELETE', `/api/me/passkeys/${passkey.id}`), 200);
  expect(await signIn(ben), 200);

  const { passkeys } = expect(await ben.call('GET', '/api/me/passkeys'), 200);
  expect(await ben.call('DELETE', `/api/me/passkeys/${passkeys[0].id}`), 200);
  assert.equal((await second.passkeys()).length, 1, 'the authenticator does not know');
  expect(await signIn(ben), 401, 'invalidCredential');
});

test('a wrong fingerprint cannot sign in, and an authenticator without user verification registers no passkey', async () => {
  const cem = await signedIn('cem@example.com');
  const authenticator = await cem.plugIn();
  expect(await register(cem), 200);
  await authenticator.verifies(false);
  assert.deepEqual(await signIn(cem), { failed: 'NotAllowedError' });
  await authenticator.verifies(true);
  expect(await signIn(cem), 200);

  await authenticator.unplug();
  await cem.plugIn({ hasUserVerification: false, isUserVerified: false, transport: 'usb' });
  assert.deepEqual(await register(cem), { failed: 'NotAllowedError' });
});

test('what one browser was asked is answered by no other', async () => {
  const eve = await signedIn('eve@example.com');
  await eve.plugIn();
  expect(await register(eve), 200);
  const stranger = await Person.at(browser, origin);
  const { options, challenge } = expect(await stranger.call('POST', '/api/webauthn/login/start'), 200);
  const credential = await eve.ask('startAuthentication', options);
  assert.equal(credential.type, 'public-key', JSON.stringify(credential));
  expect(await eve.call('POST', '/api/webauthn/login/finish', { challenge, credential }), 401, 'challengeExpired');
  expect(await stranger.call('POST', '/api/webauthn/login/finish', { challenge, credential }), 401, 'challengeExpired');
  expect(await signIn(eve), 200);
});

test('what a passkey signed for a page of another server on the same host is not believed', async () => {
  const dan = await signedIn('dan@example.com');
  await dan.plugIn();
  expect(await register(dan), 200);
  const { options, challenge } = expect(await dan.call('POST', '/api/webauthn/login/start'), 200);
  // A domain's passkeys know nothing of ports.
  await dan.open('http://localhost:65000');
  const credential = await dan.ask('startAuthentication', options);
  assert.equal(credential.type, 'public-key', JSON.stringify(credential));
  await dan.open(origin);
  expect(await dan.call('POST', '/api/webauthn/login/finish', { challenge, credential }), 401, 'invalidCredential');
  expect(await signIn(dan), 200);
});
