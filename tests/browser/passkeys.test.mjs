// Passkeys on the pages, with a virtual authenticator.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from '../clients/support/server.mjs';
import { launch, Person } from './support/person.mjs';
import { words } from './support/words.mjs';

const PASSWORD = 'correct horse battery staple';
const w = words.en;

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

/** A person with an account and an authenticator, who is signed in. */
async function signedIn(email) {
  const person = await Person.at(browser, origin);
  await person.signUp(email, PASSWORD, w);
  await person.type({ email, password: PASSWORD });
  await person.press(w.signIn);
  const devtools = await person.context.newCDPSession(person.page);
  await devtools.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options });
  person.touches = (enabled) => devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  person.verifies = (isUserVerified) => devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  return person;
}

test('a person adds a passkey, signs in with it, gives the password up and leaves', async () => {
  const ann = await signedIn('ann@example.org');
  await ann.goto('/account/security');
  assert.equal(await ann.page.locator('input:visible').count(), 0, 'one button, and nothing to type');
  await ann.press(w.addPasskey);
  assert.equal(ann.path, '/account/security?done=passkey');
  await ann.look('security-with-passkey');
  await ann.page.getByRole('button', { name: w.addPasskey }).click();
  await ann.page.getByText('already has a passkey for your account').waitFor();
  await ann.look('security-passkey-known');
  await ann.press('Rename Chrome (Linux)', 'link');
  await ann.look('passkey-rename');
  await ann.type({ name: 'Telephone' });
  await ann.press(w.save);
  await ann.press('Remove Telephone', 'link');
  await ann.look('passkey-remove');
  await ann.press(w.remove, 'button');
  assert.equal(ann.path, '/account/security?done=passkey-removed');
  ann.isSilent('passkeys');
  await ann.close();
});

test('a passkey signs in, by the button, and proves who deletes an account without a password', async () => {
  const ben = await signedIn('ben@example.org');
  await ben.goto('/account/security');
  await ben.press(w.addPasskey);
  await ben.goto('/account/security/password/remove');
  await ben.type({ password: PASSWORD });
  await ben.press(w.removePassword);
  assert.equal(ben.path, '/account/security?done=password-removed');
  await ben.goto('/logout');
  await ben.press(w.signOut);
  await ben.verifies(false);
  await ben.goto('/login?return_to=/account/data');
  await ben.page.getByRole('button', { name: w.withPasskey }).click();
  await ben.page.getByText('That did not work with the passkey').waitFor();
  await ben.look('login-passkey-cancelled');
  await ben.verifies(true);
  await ben.press(w.withPasskey);
  assert.equal(ben.path, '/account/data');
  await ben.goto('/account/delete');
  await ben.look('delete-with-passkey');
  await ben.press(w.deleteForGood);
  assert.equal(ben.path, '/login?notice=deleted');
  ben.isSilent('passkeys');
  await ben.close();
});

/** Conditional mediation: the browser offers the passkey in the field for the address, and the person takes it there. */
test('a passkey signs in by autofill, without a button', async () => {
  const cara = await signedIn('cara@example.org');
  await cara.goto('/account/security');
  await cara.press(w.addPasskey);
  assert.equal(cara.path, '/account/security?done=passkey');
  await cara.goto('/logout');
  await cara.press(w.signOut);
  // As long as nobody touches the authenticator, the offer stands and the page can be used.
  await cara.touches(false);
  const asked = [];
  cara.page.on('request', (request) => request.url().includes('/api/') && asked.push(request.url()));
  await cara.goto('/login?return_to=/account/data');
  await cara.beginsAt('[name=email]');
  await cara.type({ email: 'cara@example.org' });
  assert.equal(cara.path, '/login?return_to=/account/data');
  await cara.touches(true);
  await cara.page.waitForURL('**/account/data');
  assert.deepEqual(asked, [], 'the page has brought the challenge, and costs nothing');
  cara.isSilent('autofill');
  await cara.close();
});
