// The console of administrators, in both languages: axe, both themes, phone and desk; the acts with the keyboard alone, and without JavaScript.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from '../clients/support/server.mjs';
import { launch, Person } from './support/person.mjs';
import { words } from './support/words.mjs';

const PASSWORD = 'correct horse battery staple';
const ADMIN = 'admin@example.org';

const clients = [
  { clientId: 'shop', name: 'Shop', redirectUris: ['https://shop.example/callback'], roleGroup: 'sales', roles: ['viewer', 'editor', 'owner'], consent: 'explicit' },
  { clientId: 'desk', name: 'Help desk', redirectUris: ['https://desk.example/callback'], roleGroup: 'sales', roles: ['agent'] },
  { clientId: 'phone.app', name: 'Phone', kind: 'public', redirectUris: ['https://phone.example/callback'], roles: ['free', 'paid'], roleMode: 'single' },
];

let server;
let browser;
let origin;

before(async () => {
  server = await Server.start((port) => ({ APP_BASE_URL: `http://localhost:${port}`, APP_OIDC_CLIENTS_JSON: JSON.stringify(clients) }));
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
  assert.equal(person.path, '/account');
  return person;
}

/** Creates a person, and answers the path of their page. */
async function create(person, email, w) {
  await person.goto('/admin/users/new');
  await person.type({ email, firstName: 'Grace', lastName: 'Hopper' });
  await person.page.getByLabel(w.withPassword, { exact: true }).check();
  await person.type({ password: PASSWORD });
  await person.press(w.createPerson);
  assert.match(person.path, /\?done=created$/);
  return new URL(person.page.url()).pathname;
}

/** Creates a space, and answers its number. */
async function createSpace(person, name) {
  return person.page.evaluate(async (name) => {
    const { csrfToken } = await (await fetch('/api/csrf-token')).json();
    const headers = { 'X-CSRF-Token': csrfToken, 'Content-Type': 'application/json' };
    const made = await (await fetch('/api/v1/spaces', { method: 'POST', headers, body: JSON.stringify({ name }) })).json();
    return made.space.id;
  }, name);
}

/** Deletes a space. */
async function deleteSpace(person, id) {
  await person.page.evaluate(async (id) => {
    const { csrfToken } = await (await fetch('/api/csrf-token')).json();
    await fetch(`/api/v1/spaces/${id}`, { method: 'DELETE', headers: { 'X-CSRF-Token': csrfToken } });
  }, id);
}

for (const language of ['en', 'de']) {
  const w = words[language];

  test(`the console, in ${language}`, async () => {
    const person = await administrator({ language });
    await person.press(w.console, 'link');
    assert.equal(person.path, '/admin');
    await person.look('console-overview');

    const email = `grace-${language}@example.org`;
    await person.goto('/admin/users/new');
    await person.look('console-new-person');
    await person.page.locator('main form').evaluate((form) => (form.noValidate = true));
    await person.type({ email: 'x' });
    await person.press(w.createPerson);
    await person.look('console-new-person-wrong');
    const page = await create(person, email, w);
    await person.look('console-person-created');
    const grace = await Person.at(browser, origin, { language });
    await grace.signIn(email, PASSWORD, w);
    await grace.goto('/admin');
    await grace.look('console-forbidden');

    await person.goto('/admin/users/new');
    await person.type({ email: `invited-${email}`, firstName: 'Ada' });
    await person.press(w.createPerson);
    await person.look('console-invited');

    for (const [path, name] of [
      ['/admin/users', 'console-people'],
      ['/admin/users?search=nobody', 'console-people-none'],
      [page, 'console-person'],
      [`${page}/edit`, 'console-person-edit'],
      [`${page}/roles`, 'console-person-roles'],
      [`${page}/roles/change?group=sales&role:editor=on`, 'console-person-roles-change'],
      [`${page}/unverify-address`, 'console-unverify'],
      [`${page}/suspend`, 'console-suspend'],
      [`${page}/delete`, 'console-delete'],
      ['/admin/sign-out-everybody', 'console-sign-out-everybody'],
      ['/admin/roles', 'console-roles'],
      ['/admin/roles/rekey', 'console-rekey'],
      ['/admin/roles/rekey?from=old&to=sales', 'console-rekey-confirm'],
      ['/admin/clients', 'console-applications'],
      ['/admin/clients/shop', 'console-application'],
      ['/admin/clients/shop/secret', 'console-secret-question'],
      ['/admin/audit', 'console-audit'],
      ['/admin/audit?person=nobody%40example.org', 'console-audit-none'],
      ['/admin/audit?from=2026-02-02&to=2026-01-01', 'console-audit-wrong'],
      ['/admin/audit/anonymize', 'console-anonymize'],
      ['/admin/configuration', 'console-configuration'],
    ]) {
      await person.goto(path);
      await person.look(name);
    }

    const [change, useDefaults] = { en: ['Change', 'Use default roles'], de: ['Ändern', 'Voreingestellte Rollen verwenden'] }[language];
    await person.goto(`${page}/roles/change?group=sales&role:editor=on`);
    await person.press(change);
    await person.goto(`${page}/roles`);
    await person.look('console-person-roles-chosen');
    await person.press(`${useDefaults} in sales`);
    await person.look('console-person-roles-default');
    await person.press(useDefaults);
    assert.equal(person.path, `${page}?done=roles`);

    await person.goto(`${page}/suspend`);
    await person.type({ password: 'wrong' });
    await person.press(w.suspend);
    await person.look('console-suspend-wrong');
    await person.type({ password: PASSWORD });
    await person.press(w.suspend);
    assert.equal(person.path, `${page}?done=suspend`);
    await person.look('console-person-suspended');
    await grace.goto('/account');
    assert.match(grace.path, /^\/login/);

    await person.goto('/admin/clients/shop/secret');
    await person.type({ password: PASSWORD });
    await person.press(w.showSecret);
    await person.look('console-secret');
    await person.goto(`/admin/audit?person=${encodeURIComponent(email)}`);
    await person.page.locator('summary').first().click();
    assert.ok(await person.page.locator('details pre').first().isVisible());
    await person.look('console-audit-details');
    for (const each of [person, grace]) await each.close();
  });
}

for (const language of ['en', 'de']) {
  test(`spaces in the console, in ${language}`, async () => {
    const person = await administrator({ language });
    await createSpace(person, 'Garden');
    const gone = await createSpace(person, 'Gone');
    await deleteSpace(person, gone);
    for (const [path, name] of [
      ['/admin/spaces', 'console-spaces'],
      ['/admin/spaces?search=nothing', 'console-spaces-none'],
      [`/admin/spaces/${gone}/owner`, 'console-space-owner'],
      [`/admin/spaces/${gone}/undelete`, 'console-space-undelete'],
    ]) {
      await person.goto(path);
      await person.look(name);
    }
    await person.press({ en: 'Bring back', de: 'Wiederherstellen' }[language]);
    assert.equal(person.path, '/admin/spaces?done=undelete');
    await person.look('console-space-undeleted');
    await person.close();
  });
}

for (const language of ['en', 'de']) {
  test(`tokens and links in the console, in ${language}`, async () => {
    const w = words[language];
    const person = await administrator({ language });
    const email = `ada-${language}@example.org`;
    const page = await create(person, email, w);
    const ada = await Person.at(browser, origin, { language });
    await ada.signIn(email, PASSWORD, w);
    await ada.page.evaluate(async (space) => {
      const { csrfToken } = await (await fetch('/api/csrf-token')).json();
      const headers = { 'X-CSRF-Token': csrfToken, 'Content-Type': 'application/json' };
      for (const [name, role] of [['Deployment of the website', 'admin'], ['Reports', 'viewer']]) {
        await fetch(`/api/v1/spaces/${space}/tokens`, { method: 'POST', headers, body: JSON.stringify({ name, role }) });
      }
    }, await createSpace(ada, 'Garden centre'));
    for (const [path, name] of [
      ['/admin/tokens', 'console-tokens'],
      ['/admin/tokens?withoutPerson=true&person=nobody%40example.org', 'console-tokens-none'],
      [page, 'console-person-tokens'],
      [`${page}/suspend`, 'console-suspend-lists'],
      [`${page}/sign-out`, 'console-sign-out-lists'],
      [`${page}/delete`, 'console-delete-lists'],
      [`${page}/reset-link`, 'console-reset-link'],
    ]) {
      await person.goto(path);
      await person.look(name);
    }
    await person.type({ password: PASSWORD });
    await person.press({ en: 'Link for a new password', de: 'Link für ein neues Passwort' }[language]);
    await person.look('console-made-link');
    await person.goto(`/admin/tokens?person=${encodeURIComponent(email)}`);
    await person.page.getByRole('link', { name: { en: 'Take away', de: 'Entziehen' }[language] }).first().click();
    await person.look('console-token-revoke');
    await person.type({ password: PASSWORD });
    await person.press({ en: 'Take away', de: 'Entziehen' }[language]);
    assert.equal(person.path, '/admin/tokens?done=revoked');
    for (const each of [person, ada]) await each.close();
  });
}

test('an address that is longer than a phone is wide is cut off nowhere', async () => {
  const email = `${'long'.repeat(14)}@${'an-example-of-a-long-name.'.repeat(2)}example.org`;
  const person = await administrator();
  const page = await create(person, email, words.en);
  const owner = await Person.at(browser, origin);
  await owner.signIn(email, PASSWORD, words.en);
  const fits = async (who, path) => {
    await who.page.setViewportSize({ width: 320, height: 800 });
    await who.goto(path);
    assert.equal(await who.page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, path);
  };
  for (const path of [page, ...['edit', 'suspend', 'delete', 'roles', 'sign-out', 'reset-link'].map((act) => `${page}/${act}`), '/admin/users']) await fits(person, path);
  for (const path of ['/account', '/account/email', '/account/security', '/account/sessions', '/account/activity', '/account/data', '/account/delete', '/studio']) await fits(owner, path);
  for (const each of [person, owner]) await each.close();
});

test('on a phone the navigation and the filter are folded, and a row opens its details', async () => {
  const person = await administrator();
  const path = await create(person, 'phone@example.org', words.en);
  await person.page.setViewportSize({ width: 360, height: 800 });
  await person.goto('/admin/users?search=phone%40');
  const section = person.page.getByRole('link', { name: 'Audit trail', exact: true });
  const search = person.page.getByRole('searchbox', { name: 'Name or address' });
  for (const [part, button] of [[section, 'Menu'], [search, 'Filter (1)']]) {
    assert.ok(!(await part.isVisible()), `${button} is folded`);
    await person.page.getByRole('button', { name: button, exact: true }).click();
    assert.ok(await part.isVisible(), `${button} unfolds`);
    await person.page.keyboard.press('Escape');
    assert.ok(!(await part.isVisible()), `${button} folds`);
  }
  await person.page.setViewportSize({ width: 1280, height: 800 });
  assert.ok((await section.isVisible()) && (await search.isVisible()), 'on a desk both stand there');
  await Promise.all([person.page.waitForEvent('framenavigated'), person.page.getByText('invited', { exact: true }).or(person.page.getByText('active', { exact: true })).click()]);
  assert.equal(person.path, path, 'a press anywhere in the row');
  await person.goto('/admin/audit');
  const details = person.page.locator('tbody .below pre').first();
  assert.ok(!(await details.isVisible()));
  await person.page.locator('tbody tr').first().locator('td').first().click({ position: { x: 2, y: 2 } });
  assert.ok(await details.isVisible(), 'an entry unfolds');
  await person.close();
});

test('a person is found, changed and deleted with the keyboard alone and without JavaScript', async () => {
  const person = await administrator({ script: false });
  const path = await create(person, 'keys@example.org', words.en);
  const { keyboard } = person.page;
  /** Goes on with Tab until what has the focus has this name. */
  const tabTo = async (role, name) => {
    const target = person.page.getByRole(role, { name, exact: true }).first();
    for (let tabs = 0; !(await target.and(person.page.locator(':focus')).count()); tabs += 1) {
      assert.ok(tabs < 60, `${name} is reached`);
      await keyboard.press('Tab');
    }
  };
  const enter = () => Promise.all([person.page.waitForEvent('framenavigated'), keyboard.press('Enter')]);
  await person.goto('/admin/users');
  await tabTo('searchbox', 'Name or address');
  await keyboard.type('keys@');
  await enter();
  assert.match(person.path, /^\/admin\/users\?search=keys%40&/);
  await tabTo('link', 'Grace Hopper');
  await enter();
  assert.equal(person.path, path);
  await tabTo('link', 'Delete the account');
  await enter();
  await tabTo('textbox', 'Your password, to confirm that it is you');
  await keyboard.type(PASSWORD);
  await enter();
  assert.equal(person.path, '/admin/users?done=deleted');
  await person.page.getByText('The account is deleted.').waitFor();
  await person.close();
});
