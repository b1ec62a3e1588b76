// Signing in for an application: the pages of interactions, in both languages, and the redirects to the application that a Content-Security-Policy could stop.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { Server } from '../clients/support/server.mjs';
import { launch, Person } from './support/person.mjs';
import { words } from './support/words.mjs';

const PASSWORD = 'correct horse battery staple';
const SECRET = 'a-secret-of-a-client-that-is-long-enough';

let application;
let server;
let browser;
let origin;
let callback;

before(async () => {
  // The application: a page at another origin.
  application = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<!doctype html><title>Application</title><h1>Application</h1><script>opener?.postMessage(location.search, "*")</script>'));
  await new Promise((listening) => application.listen(0, '127.0.0.1', listening));
  callback = `http://127.0.0.1:${application.address().port}/cb`;
  const usual = { redirectUris: [callback], postLogoutRedirectUris: [callback], grantTypes: ['authorization_code'], clientSecret: SECRET, requirePkce: false };
  const clients = [
    { ...usual, clientId: 'web', name: 'Shop' },
    { ...usual, clientId: 'partner', name: 'Partner', consent: 'explicit' },
    { clientId: 'desktop', name: 'Desktop', kind: 'public', native: true, redirectUris: [callback] },
    { ...usual, clientId: 'guarded', name: 'Newsroom', roleGroup: 'site', roles: ['editor'], loginRoles: ['editor'] },
  ];
  server = await Server.start((port) => ({ APP_BASE_URL: `http://localhost:${port}`, APP_OIDC_CLIENTS_JSON: JSON.stringify(clients) }));
  origin = server.variables.APP_BASE_URL;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.dispose();
  application?.close();
});

function authorize(client, wishes = {}) {
  return `/oidc/authorize?${new URLSearchParams({ client_id: client, redirect_uri: callback, response_type: 'code', scope: 'openid', state: 's', ...wishes })}`;
}

for (const language of ['en', 'de']) {
  const w = words[language];

  test(`a person signs in for applications, in ${language}`, async () => {
    const email = `ann-${language}@example.org`;
    const person = await Person.at(browser, origin, { language });
    await person.signUp(email, PASSWORD, w);
    await person.goto(authorize('web', { login_hint: email }));
    await person.look('login-for-application');
    await person.type({ password: PASSWORD });
    await person.press(w.signIn);
    assert.match(person.page.url(), /\/cb\?code=/, 'the policy of the page lets the form lead to the application');

    await person.goto(authorize('partner', { scope: 'openid profile email roles offline_access', prompt: 'consent' }));
    await person.look('consent');
    await person.press(w.deny);
    assert.match(person.page.url(), /error=access_denied/);
    await person.goto(authorize('partner', { scope: 'openid profile email roles offline_access' }));
    await person.press(w.allow);
    assert.match(person.page.url(), /\/cb\?code=/);

    await person.goto(authorize('web', { prompt: 'select_account' }));
    await person.look('choose-account');
    await person.goto(authorize('guarded'));
    await person.look('role-missing');
    await person.goto('/interaction/none');
    await person.look('interaction-over');

    await person.goto(authorize('web', { redirect_uri: `${callback}/elsewhere?a=${'long'.repeat(30)}` }));
    await person.look('redirect-not-registered');
    await person.goto(authorize('unknown'));
    await person.look('client-unknown');
    await person.goto(authorize('web', { redirect_uri: '' }));
    await person.look('application-mistaken');
    await person.goto(`/oidc/session/end?${new URLSearchParams({ client_id: 'web', post_logout_redirect_uri: `${callback}/elsewhere` })}`);
    await person.look('logout-not-registered');

    await person.goto('/account/apps');
    await person.look('apps');
    await person.page.getByRole('button', { name: /Partner/ }).click();
    await person.page.waitForURL('**/account/apps?done=withdrawn');
    await person.look('apps-withdrawn');

    await person.goto(`/oidc/session/end?${new URLSearchParams({ client_id: 'web', post_logout_redirect_uri: callback })}`);
    await person.look('logout-for-application');
    await person.press(w.signOut);
    assert.equal(person.page.url(), callback);
    await person.goto(`/logout?${new URLSearchParams({ client_id: 'web', post_logout_redirect_uri: callback })}`);
    await person.look('logout-done-application');
    await person.close();
  });
}

test('an application gets its person without scripts as well', async () => {
  const person = await Person.at(browser, origin, { script: false });
  await person.signUp('ben@example.org', PASSWORD, words.en);
  await person.goto(authorize('partner'));
  await person.type({ email: 'ben@example.org', password: PASSWORD });
  await person.press(words.en.signIn);
  await person.press(words.en.allow);
  assert.match(person.page.url(), /\/cb\?code=/);
  await person.close();
});

test('a popup goes back to the page that opened it', async () => {
  const dora = await Person.at(browser, origin);
  await dora.signUp('dora@example.org', PASSWORD, words.en);
  await dora.page.goto(callback);
  const opened = dora.page.waitForEvent('popup');
  await dora.page.evaluate((url) => {
    addEventListener('message', (event) => (document.title = event.data));
    open(url, 'sign-in', 'popup');
  }, origin + authorize('partner', { prompt: 'consent' }));
  const popup = await opened;
  await popup.fill('[name=email]', 'dora@example.org');
  await popup.fill('[name=password]', PASSWORD);
  await popup.getByRole('button', { name: words.en.signIn, exact: true }).click();
  await popup.getByRole('button', { name: words.en.allow }).click();
  await dora.page.waitForFunction(() => document.title.startsWith('?code='));
  await dora.close();
});

for (const language of ['en', 'de']) {
  const w = words[language];

  test(`an app on a device asks each time, in ${language}`, async () => {
    const email = `emil-${language}@example.org`;
    const emil = await Person.at(browser, origin, { language });
    await emil.signUp(email, PASSWORD, w);
    const challenge = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
    await emil.goto(authorize('desktop', challenge));
    await emil.type({ email, password: PASSWORD });
    await emil.press(w.signIn);
    await emil.look('consent-app');
    await emil.press(w.allow);
    assert.match(emil.page.url(), /code=/);
    await emil.goto(authorize('desktop', challenge));
    await emil.page.check('[name=remember]');
    await emil.press(w.allow);
    await emil.goto(authorize('desktop', { ...challenge, prompt: 'none' }));
    assert.match(emil.page.url(), /code=/);
    await emil.close();
  });
}
