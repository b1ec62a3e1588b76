// Connecting a device: the page where a person types the code that it shows.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from '../clients/support/server.mjs';
import { launch, Person } from './support/person.mjs';
import { words } from './support/words.mjs';

const PASSWORD = 'correct horse battery staple';
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

let server;
let browser;
let origin;

before(async () => {
  const uris = { policyUri: 'https://tv.example/privacy', tosUri: 'https://tv.example/terms' };
  const clients = [
    { clientId: 'tv', name: 'Television', kind: 'public', grantTypes: [GRANT, 'refresh_token'], ...uris },
    { clientId: 'newsdesk', name: 'Newsdesk', kind: 'public', grantTypes: [GRANT], roles: ['editor'], loginRoles: ['editor'] },
  ];
  server = await Server.start((port) => ({ APP_BASE_URL: `http://lectern.test:${port}`, APP_OIDC_CLIENTS_JSON: JSON.stringify(clients) }));
  origin = server.variables.APP_BASE_URL;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.dispose();
});

/** What a form of a device is answered. */
async function post(path, form) {
  const answer = await fetch(server.url + path, { method: 'POST', body: new URLSearchParams(form) });
  return answer.json();
}

const begin = (client_id, scope = 'openid profile email offline_access') => post('/oidc/device_authorization', { client_id, scope });
const poll = ({ device_code }) => post('/oidc/token', { client_id: 'tv', grant_type: GRANT, device_code });

for (const language of ['en', 'de']) {
  const w = words[language];

  test(`the pages of a device, in ${language}`, async () => {
    const email = `ann-${language}@example.org`;
    const person = await Person.at(browser, origin, { language });
    await person.signUp(email, PASSWORD, w);
    const device = await begin('tv');
    await person.page.goto(device.verification_uri_complete);
    await person.look('device-login');
    await person.type({ email, password: PASSWORD });
    await person.press(w.signIn);
    assert.equal(person.path, `/device?user_code=${device.user_code}`, 'where it began');
    assert.equal(await person.page.inputValue('[name=user_code]'), device.user_code, 'the link fills the field');
    await person.look('device-filled');
    await person.press(w.next);
    await person.look('device-consent');

    await person.goto('/device');
    await person.beginsAt('[name=user_code]');
    await person.look('device');
    await person.type({ user_code: 'bcdf-ghjk' });
    await person.press(w.next);
    await person.beginsAt('[role=alert]');
    await person.look('device-wrong');
    await person.type({ user_code: device.user_code.toLowerCase().replace('-', ' ') });
    await person.press(w.next);
    assert.equal((await poll(device)).error, 'authorization_pending');
    await person.press(w.allow);
    await person.page.getByRole('heading', { name: w.deviceConnected }).waitFor();
    await person.look('device-allowed');
    assert.ok((await poll(device)).refresh_token);

    const denied = await begin('tv');
    await person.page.goto(denied.verification_uri_complete);
    await person.press(w.next);
    await person.press(w.deny);
    await person.look('device-denied');
    assert.equal((await poll(denied)).error, 'access_denied');

    await person.page.goto((await begin('newsdesk')).verification_uri_complete);
    await person.press(w.next);
    await person.look('device-role-missing');
    await person.close();
  });
}

test('a person connects a device without scripts', async () => {
  const person = await Person.at(browser, origin, { script: false });
  await person.signUp('ben@example.org', PASSWORD, words.en);
  const device = await begin('tv');
  await person.goto('/device');
  await person.type({ email: 'ben@example.org', password: PASSWORD });
  await person.press(words.en.signIn);
  assert.equal(person.path, '/device');
  await person.type({ user_code: device.user_code });
  await person.press(words.en.next);
  await person.press(words.en.allow);
  assert.equal(person.path, '/device?done=allowed');
  assert.ok((await poll(device)).access_token);
  person.isSilent('device');
  await person.close();
});
