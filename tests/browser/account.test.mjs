// What the pages of sign-in and account do for their reader, in both languages: the first administrator's list, activity in words, dates as the browser writes them,
// the foot of the page, an app that is set up on the phone itself, and a consent that says where it leads.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from '../clients/support/server.mjs';
import { launch, Person, screenshot } from './support/person.mjs';
import { words } from './support/words.mjs';

const PASSWORD = 'correct horse battery staple';
const ADMIN = 'admin@example.org';
const CALLBACK = 'https://app.example/cb';
// Nothing answers there, so the logo never comes.
const partner = { clientId: 'partner', name: 'Partner', redirectUris: [CALLBACK], consent: 'explicit', kind: 'public', logoUri: 'https://127.0.0.1:1/logo.png' };

let server;
let browser;
let origin;

before(async () => {
  server = await Server.start((port) => ({
    APP_BASE_URL: `http://localhost:${port}`,
    APP_HELP_URL: 'https://example.org/help',
    APP_PRIVACY_URL: 'https://example.org/privacy',
    APP_IMPRINT_URL: 'https://example.org/imprint',
    APP_OIDC_CLIENTS_JSON: JSON.stringify([partner]),
  }));
  origin = server.variables.APP_BASE_URL;
  browser = await launch();
  const admin = await Person.at(browser, origin);
  await admin.signUp(ADMIN, PASSWORD, words.en);
  assert.equal(admin.path, '/login?notice=registered');
  assert.equal(await admin.page.locator('[name=email]').inputValue(), ADMIN, 'nobody types an address twice');
  await admin.close();
});
after(async () => {
  await browser?.close();
  await server?.dispose();
});

for (const language of ['en', 'de']) {
  const w = words[language];

  test(`the first administrator sees what is left to do, in ${language}`, async () => {
    const admin = await Person.at(browser, origin, { language });
    await admin.signIn(ADMIN, PASSWORD, w);
    assert.equal(admin.path, '/account');
    await admin.look('first-steps');
    await admin.goto('/account/activity');
    await admin.look('activity-of-administrator');
    await admin.goto('/admin');
    await admin.press(w.signOut);
    assert.equal(admin.path, '/logout', 'in one press');
    await admin.close();
  });

  test(`a consent says where it leads and shows no broken logo, in ${language}`, async () => {
    const email = `consent-${language}@example.org`;
    const ann = await Person.at(browser, origin, { language });
    await ann.signUp(email, PASSWORD, w);
    const query = { response_type: 'code', client_id: 'partner', redirect_uri: CALLBACK, scope: 'openid profile email', state: 's', code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
    await ann.goto(`/oidc/authorize?${new URLSearchParams(query)}`);
    await ann.page.locator('img.logo').waitFor({ state: 'hidden' });
    await ann.beginsAt('[name=password]');
    await ann.type({ password: PASSWORD });
    await ann.press(w.signIn);
    assert.match(ann.path, /^\/interaction\//);
    await ann.page.locator('img.logo').waitFor({ state: 'hidden' });
    await ann.page.getByText('app.example').waitFor();
    await screenshot(ann.page, `consent-leads-to-${language}`, { fullPage: true });
    await ann.close();
  });
}

test('dates are written in the language of the browser, whatever that of the page is', async () => {
  const context = await browser.newContext({ locale: 'fr-FR' });
  const page = await context.newPage();
  await page.goto(`${origin}/login?lang=en`);
  await page.fill('[name=email]', ADMIN);
  await page.fill('[name=password]', PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.goto(`${origin}/account/activity`);
  const [shown, expected, lang] = await page.locator('time').first().evaluate((time) => [
    time.textContent,
    new Date(time.dateTime).toLocaleString('fr-FR', { dateStyle: 'medium', timeStyle: 'short' }),
    time.lang,
  ]);
  assert.deepEqual([shown, lang], [expected, 'fr-FR']);
  await context.close();
});

test('on a phone the navigation of the account is folded, and needs no script', async () => {
  for (const script of [true, false]) {
    const person = await Person.at(browser, origin, { script });
    await person.signIn(ADMIN, PASSWORD, words.en);
    await person.page.setViewportSize({ width: 360, height: 740 });
    const part = person.page.getByRole('link', { name: 'Sessions', exact: true });
    const console = person.page.getByRole('link', { name: words.en.console, exact: true });
    assert.ok(!(await part.isVisible()) && !(await console.isVisible()), 'it is folded');
    await person.page.getByRole('button', { name: 'Menu', exact: true }).click();
    assert.ok((await part.isVisible()) && (await console.isVisible()), 'it unfolds');
    if (script) await screenshot(person.page, 'account-menu-on-a-phone');
    await Promise.all([person.page.waitForEvent('framenavigated'), part.click()]);
    assert.equal(person.path, '/account/sessions');
    await person.page.waitForLoadState();
    await person.page.setViewportSize({ width: 1280, height: 800 });
    assert.ok((await part.isVisible()) && (await console.isVisible()), 'on a desk it stands there');
    await person.close();
  }
});

test('an authenticator app on the phone itself is opened by a link, which a desk does not show', async () => {
  for (const [options, isShown] of [[{ isMobile: true, hasTouch: true, viewport: { width: 360, height: 740 } }, true], [{}, false]]) {
    const context = await browser.newContext({ locale: 'en', ...options });
    const page = await context.newPage();
    await page.goto(`${origin}/login`);
    await page.fill('[name=email]', ADMIN);
    await page.fill('[name=password]', PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/account');
    await page.goto(`${origin}/account/security/app`);
    const link = page.getByRole('link', { name: 'Open in an app' });
    assert.equal(await link.isVisible(), isShown);
    if (isShown) {
      assert.match(await link.getAttribute('href'), /^otpauth:\/\/totp\//);
      await screenshot(page, 'security-app-on-a-phone');
    }
    await context.close();
  }
});
