// Choices of the console in both languages: roles beside default ones, the filter of the audit trail, a new person with or without a password, a mail in its
// frame, times and links of applications and the configuration.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from '../clients/support/server.mjs';
import { launch, Person } from './support/person.mjs';
import { words } from './support/words.mjs';

const PASSWORD = 'correct horse battery staple';
const ADMIN = 'admin@example.org';

const usual = { redirectUris: ['https://app.example/callback'], roleGroup: 'sales' };
const clients = [
  { ...usual, clientId: 'shop', name: 'Shop', roles: ['viewer', 'editor', 'owner'], defaultRoles: ['viewer'], grantTypes: ['authorization_code', 'refresh_token'], policyUri: 'https://app.example/privacy' },
  { ...usual, clientId: 'desk', name: 'Help desk', roles: ['agent'] },
  { clientId: 'phone.app', name: 'Phone', kind: 'public', redirectUris: ['https://phone.example/callback'], roles: ['free', 'paid'], roleMode: 'single', defaultRoles: ['free'] },
  { clientId: 'plain', name: 'Without roles', redirectUris: ['https://plain.example/callback'] },
];

let server;
let browser;
let origin;

before(async () => {
  server = await Server.start((port) => ({ APP_BASE_URL: `http://localhost:${port}`, APP_NAME: 'Reading room', APP_OIDC_CLIENTS_JSON: JSON.stringify(clients) }));
  origin = server.variables.APP_BASE_URL;
  browser = await launch();
  const admin = await Person.at(browser, origin);
  await admin.signUp(ADMIN, PASSWORD, words.en);
  await admin.close();
});
after(async () => {
  await browser?.close();
  await server?.dispose();
});

/** The administrator, signed in, at a browser of their own. */
async function administrator(options) {
  const person = await Person.at(browser, origin, options);
  await person.signIn(ADMIN, PASSWORD, words[options?.language ?? 'en']);
  return person;
}

for (const language of ['en', 'de']) {
  const w = words[language];

  test(`roles beside default ones, in ${language}`, async () => {
    const person = await administrator({ language });
    await person.goto(`/admin/audit?event=auth.register`);
    await person.page.getByRole('link', { name: ADMIN }).first().click();
    const path = `${new URL(person.page.url()).pathname}/roles`;
    await person.goto(path);
    await person.look('choices-roles');
    const sales = person.page.locator('section', { has: person.page.getByRole('heading', { name: 'sales' }) });
    await sales.getByLabel('editor').check();
    await sales.getByRole('button').click();
    await person.look('choices-roles-added');
    const text = await person.page.locator('main').innerText();
    assert.match(text, { en: /New: editor\.[^]*No role is taken away\./, de: /Neu: editor\.[^]*Keine Rolle fällt weg\./ }[language]);
    await person.goto(`${path}/change?group=sales&role:owner=on`);
    await person.look('choices-roles-lost');
    await person.close();
  });

  test(`the filter of the audit trail, in ${language}`, async () => {
    const person = await administrator({ language });
    await person.goto('/admin/audit');
    await person.page.locator('#event').selectOption({ label: { en: 'Signed in', de: 'Angemeldet' }[language] });
    await person.page.locator('#status').selectOption('success');
    await person.page.locator('#ip').fill('127.0.0.1');
    await person.page.locator('#person').fill(ADMIN);
    await person.page.locator('form[role=search] button').click();
    assert.match(person.path, /event=auth\.login\.success&status=success&client=&person=admin%40example\.org&ip=127\.0\.0\.1/);
    await person.page.waitForLoadState();
    assert.ok((await person.page.locator('tbody tr').count()) >= 2);
    await person.look('choices-audit');
    await person.goto('/admin/audit?client=shop&status=failure');
    await person.look('choices-audit-none');
    await person.goto('/admin/audit?ip=localhost');
    await person.look('choices-audit-wrong');
    await person.close();
  });

  test(`a mail in its frame, in ${language}`, async () => {
    const person = await administrator({ language });
    for (const template of ['invite', 'newLogin', 'loginCode']) {
      await person.goto(`/admin/mail/preview?template=${template}&locale=${language}`);
      const frame = person.page.frameLocator('iframe.mail');
      await frame.getByText('Reading room').first().waitFor();
      await person.look(`choices-mail-${template}`);
    }
    await person.close();
  });

  test(`applications and the configuration, in ${language}`, async () => {
    const person = await administrator({ language });
    for (const [path, name] of [
      ['/admin/clients', 'choices-applications'],
      ['/admin/clients/shop', 'choices-application'],
      ['/admin/configuration?group=accounts', 'choices-configuration'],
      ['/admin/roles', 'choices-role-groups'],
    ]) {
      await person.goto(path);
      await person.look(name);
    }
    await person.close();
  });

  for (const javaScriptEnabled of [true, false]) {
    test(`a new person with or without a password, in ${language}, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
      const person = await administrator({ language, script: javaScriptEnabled });
      await person.goto('/admin/users/new');
      const field = person.page.locator('input[name=password]');
      assert.equal(await field.isVisible(), false);
      if (javaScriptEnabled) await person.look('choices-new-person');
      await person.page.getByLabel(w.withPassword, { exact: true }).check();
      assert.equal(await field.isVisible(), true);
      if (javaScriptEnabled) await person.look('choices-new-person-password');
      // What was typed before the choice is of no effect.
      await field.fill('short');
      await person.page.locator('input[name=passwordMode][value=invite]').check();
      assert.equal(await field.isVisible(), false);
      await person.type({ email: `${language}-${javaScriptEnabled}@example.org`, firstName: 'Ada' });
      await person.press(w.createPerson);
      assert.ok(await person.page.locator('#link').isVisible());
      await person.close();
    });
  }
}
