// Every page in every state, in both languages: axe, both themes, phone and desk, no error on the console.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from '../clients/support/server.mjs';
import { totp } from './support/authenticator.mjs';
import { MailBox } from './support/mail.mjs';
import { launch, Person, screenshot } from './support/person.mjs';
import { words } from './support/words.mjs';

const PASSWORD = 'correct horse battery staple';
const OTHER = 'an even quieter harbour';

let mails;
let server;
let browser;
let origin;

before(async () => {
  mails = await MailBox.start();
  server = await Server.start((port) => ({ APP_BASE_URL: `http://localhost:${port}`, APP_EMAIL_LOGIN_CODE: 'off', ...mails.variables }));
  origin = server.variables.APP_BASE_URL;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.dispose();
  await mails?.close();
});

/** A person who has registered, confirmed the address and signed in. */
async function signedIn(language, email) {
  const person = await Person.at(browser, origin, { language });
  await person.signUp(email, PASSWORD, words[language]);
  await person.page.goto(await mails.link(email));
  await person.press(words[language].confirm);
  await person.type({ email, password: PASSWORD });
  await person.press(words[language].signIn);
  assert.equal(person.path, '/account');
  return person;
}

for (const language of ['en', 'de']) {
  const w = words[language];

  test(`the pages before an account, in ${language}`, async () => {
    const person = await Person.at(browser, origin, { language });
    const email = `pages-${language}@example.org`;
    for (const [path, name] of [
      ['/login', 'login'],
      ['/login?verified=1', 'login-verified'],
      ['/login?verified=0', 'login-link-expired'],
      ['/login?notice=reset', 'login-reset'],
      ['/login?notice=deleted', 'login-deleted'],
      ['/account', 'login-first'],
      ['/register', 'register'],
      ['/verify-email', 'verify-email'],
      ['/verify-email?sent=1', 'verify-email-sent'],
      ['/forgot-password', 'forgot-password'],
      ['/forgot-password?sent=1', 'forgot-password-sent'],
      ['/reset-password', 'reset-password-expired'],
      ['/accept-invite', 'accept-invite-expired'],
      ['/confirm-email', 'confirm-email-expired'],
      ['/verify-email/confirm', 'verify-email-expired'],
      ['/logout', 'logout-done'],
      ['/none', 'not-found'],
    ]) {
      await person.goto(path);
      await person.look(name);
    }

    await person.goto('/login');
    await person.type({ email, password: 'wrong' });
    await person.press(w.signIn);
    await person.look('login-wrong');
    await person.goto('/register');
    await person.page.locator('form').first().evaluate((form) => (form.noValidate = true));
    await person.type({ email: 'x', password: 'short' });
    await person.press(w.create);
    await person.beginsAt('[role=alert]');
    await person.look('register-wrong');

    await person.signUp(email, PASSWORD, w);
    assert.equal(person.path, '/verify-email?sent=1');
    await person.signIn(email, PASSWORD, w);
    await person.look('login-unverified');
    await mails.link(email);
    await person.press(w.sendNewLink);
    assert.equal(person.path, '/verify-email?sent=1', 'in one press');
    await person.look('verify-email-sent-again');
    const link = await mails.link(email);
    await person.page.goto(link);
    assert.equal(person.path, '/verify-email/confirm', 'the token has left the address bar');
    await person.look('verify-email-click');
    const other = await Person.at(browser, origin, { language });
    await other.page.goto(link);
    await other.look('verify-email-password');
    await other.type({ password: 'wrong' });
    await other.press(w.confirm);
    await other.look('verify-email-password-wrong');
    await other.close();
    await person.press(w.confirm);
    assert.equal(person.path, '/login?verified=1');

    await person.goto('/forgot-password');
    await person.type({ email });
    await person.press(w.sendLink);
    await person.page.goto(await mails.link(email));
    assert.equal(person.path, '/reset-password', 'the token has left the address bar');
    await person.look('reset-password');
    await person.type({ newPassword: 'password' });
    await person.press(w.setPassword);
    await person.look('reset-password-weak');
    await person.type({ newPassword: OTHER });
    await person.press(w.setPassword);
    assert.equal(person.path, '/login?notice=reset');

    await person.context.clearCookies({ name: 'csrf_token' });
    await person.type({ email, password: OTHER });
    await person.press(w.signIn);
    await person.look('form-expired');
    await person.close();
  });

  test(`the pages of an account, in ${language}`, async () => {
    const email = `account-${language}@example.org`;
    const person = await signedIn(language, email);
    const other = await Person.at(browser, origin, { language });
    await other.signIn(email, PASSWORD, w);
    for (const [path, name] of [
      ['/account', 'account'],
      ['/account?done=saved', 'account-saved'],
      ['/account/email', 'account-email'],
      ['/account/security', 'security'],
      ['/account/security/password', 'security-password'],
      ['/account/security/password/remove', 'security-password-remove'],
      ['/account/security/app', 'security-app'],
      ['/account/sessions', 'sessions'],
      ['/account/activity', 'activity'],
      ['/account/data', 'data'],
      ['/account/delete', 'delete'],
      ['/logout', 'logout'],
    ]) {
      await person.goto(path);
      await person.look(name);
    }

    await person.goto('/account/email');
    await person.type({ newEmail: `new-${email}`, password: 'wrong' });
    await person.press(w.changeAddress);
    await person.look('account-email-wrong');
    await person.type({ password: PASSWORD });
    await person.press(w.changeAddress);
    const link = await mails.link(`new-${email}`);
    await person.page.goto(link);
    await person.look('confirm-email');
    const stranger = await Person.at(browser, origin, { language });
    await stranger.page.goto(link);
    await stranger.look('confirm-email-password');
    await stranger.type({ password: 'wrong' });
    await stranger.press(w.confirm);
    await stranger.look('confirm-email-password-wrong');
    await stranger.close();

    await person.page.setViewportSize({ width: 360, height: 640 });
    await person.goto('/account/security/app');
    assert.equal(await person.page.evaluate(() => scrollY), 0, 'the page begins at the QR code');
    await person.page.setViewportSize({ width: 1280, height: 900 });
    const secret = await person.page.locator('.secret').innerText();
    await person.type({ code: '000000' });
    await person.press(w.turnOn);
    await person.look('security-app-wrong');
    assert.equal(await person.page.locator('.secret').innerText(), secret);
    await person.type({ code: totp(secret) });
    await person.press(w.turnOn);
    await person.look('backup-codes');
    const codes = await person.page.locator('.backup-codes li').allInnerTexts();
    await person.page.getByRole('button', { name: w.next, exact: true }).click();
    assert.equal(person.path, '/account/security/app', 'they have to be stored first');
    await person.page.getByRole('checkbox').check();
    await person.press(w.next);
    await person.look('security-with-app');
    for (const [path, name] of [
      ['/account/security/app', 'security-app-replace'],
      ['/account/security/app?lost=1', 'security-app-lost'],
      ['/account/security/app/remove', 'security-app-remove'],
      ['/account/security/backup-codes', 'security-backup-codes'],
    ]) {
      await person.goto(path);
      await person.look(name);
    }

    const third = await Person.at(browser, origin, { language });
    await third.signIn(email, PASSWORD, w);
    assert.equal(third.path, '/login/2fa');
    await third.look('second-factor-app');
    await third.type({ code: '000000' });
    await third.press(w.signIn);
    await third.look('second-factor-wrong');
    await third.goto('/login/2fa?with=backup');
    await third.look('second-factor-backup');
    await third.type({ code: codes[0] });
    await third.press(w.signIn);
    assert.equal(third.path, '/account');

    await person.goto('/account/sessions');
    await person.press(w.endOthers);
    await person.look('sessions-ended');
    await third.goto('/account/activity');
    assert.equal(third.path, '/login?notice=sign-in&return_to=/account/activity');
    for (const each of [person, other, third]) await each.close();
  });
}

test('a page is usable at 200 percent, on a small phone and on a large screen', async () => {
  const person = await Person.at(browser, origin);
  for (const [width, height] of [[320, 568], [640, 400], [3840, 2160]]) {
    await person.page.setViewportSize({ width, height });
    for (const path of ['/login', '/register']) {
      await person.goto(path);
      const overflow = await person.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${path} at ${width}`);
      await screenshot(person.page, `size-${width}${path.replace('/', '-')}`);
    }
  }
  await person.page.emulateMedia({ forcedColors: 'active' });
  await person.goto('/login');
  await screenshot(person.page, 'forced-colors-login');
  person.isSilent('sizes');
  await person.close();
});

test('a person signs in with the keyboard alone', async () => {
  const person = await signedIn('en', 'keys@example.org');
  await person.goto('/logout');
  await person.press(words.en.signOut);
  await person.goto('/login');
  await person.beginsAt('[name=email]');
  await person.page.keyboard.type('keys@example.org');
  for (let tabs = 0; (await person.page.evaluate(() => document.activeElement.name)) !== 'password'; tabs += 1) {
    assert.ok(tabs < 5, 'the password is a few tabs away');
    await person.page.keyboard.press('Tab');
  }
  await person.page.keyboard.type(PASSWORD);
  await Promise.all([person.page.waitForURL('**/account'), person.page.keyboard.press('Enter')]);
  await person.page.keyboard.press('Tab');
  assert.match(await person.page.evaluate(() => document.activeElement.textContent), /Skip to the content/);
  person.isSilent('keyboard');
  await person.close();
});
