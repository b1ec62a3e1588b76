// A browser that runs no scripts, over plain http at a host that is not localhost: it sends no Sec-Fetch-Site, and has no passkeys.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from '../clients/support/server.mjs';
import { totp } from './support/authenticator.mjs';
import { MailBox } from './support/mail.mjs';
import { launch, Person } from './support/person.mjs';
import { words } from './support/words.mjs';

const PASSWORD = 'correct horse battery staple';
const OTHER = 'an even quieter harbour';
const w = words.en;

let mails;
let server;
let browser;
let origin;

before(async () => {
  mails = await MailBox.start();
  server = await Server.start((port) => ({ APP_BASE_URL: `http://lectern.test:${port}`, APP_EMAIL_LOGIN_CODE: 'suspicious', ...mails.variables }));
  origin = server.variables.APP_BASE_URL;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.dispose();
  await mails?.close();
});

for (const script of [false, true]) {
  test(`a person registers, signs in, sets the account up and resets the password ${script ? 'with' : 'without'} scripts`, async () => {
    const email = `ann-${script}@example.org`;
    const person = await Person.at(browser, origin, { script });
    const posted = [];
    person.page.on('request', (request) => request.method() === 'POST' && posted.push(request.headers()));
    await person.goto('/account/security');
    assert.equal(person.path, '/login?notice=sign-in&return_to=/account/security');
    await person.type({ email });
    await person.press('Create an account');
    assert.equal(person.path, '/register?return_to=/account/security');
    assert.equal(await person.page.locator('[name=email]').inputValue(), email, 'nobody types an address twice');
    await person.type({ firstName: 'Ann', password: PASSWORD });
    await person.press(w.create);
    assert.equal(person.path, '/verify-email?sent=1');
    await person.page.goto(await mails.link(email));
    assert.equal(person.path, '/verify-email/confirm');
    await person.press(w.confirm);
    assert.equal(person.path, '/login?verified=1');
    assert.equal(await person.page.locator('[name=email]').inputValue(), email);
    await person.type({ password: PASSWORD });
    await person.press(w.signIn);
    assert.equal(person.path, '/account/security', 'where it began');
    assert.equal(posted[0]['sec-fetch-site'], undefined, 'as browsers do at such a host');
    assert.equal(await person.page.getByRole('button', { name: w.addPasskey }).isVisible(), false, 'there are no passkeys here');

    await person.press('Set up the app', 'link');
    const secret = await person.page.locator('.secret').innerText();
    await person.type({ code: totp(secret) });
    await person.press(w.turnOn);
    const codes = await person.page.locator('.backup-codes li').allInnerTexts();
    assert.equal(codes.length, 10);
    await person.page.getByRole('checkbox').check();
    await person.press(w.next);

    await person.press(w.signOut);
    assert.equal(person.path, '/logout', 'in one press');
    await person.signIn(email, PASSWORD, w);
    assert.equal(person.path, '/login/2fa');
    await person.press('Use a backup code', 'link');
    await person.type({ code: codes[0] });
    await person.press(w.signIn);
    assert.equal(person.path, '/account');
    await person.type({ displayName: 'Annie' });
    await person.press(w.save);
    assert.equal(await person.page.locator('[name=displayName]').inputValue(), 'Annie');

    const other = await Person.at(browser, origin, { script });
    await other.goto('/login');
    await other.type({ email });
    await other.press('Forgot password?');
    await other.press(w.sendLink);
    await other.page.goto(await mails.link(email));
    await other.type({ newPassword: OTHER });
    await other.press(w.setPassword);
    await other.type({ password: OTHER });
    await other.press(w.signIn);
    assert.equal(other.path, '/login/2fa');
    await person.goto('/account');
    assert.equal(person.path, '/login?notice=sign-in&return_to=/account', 'the reset has ended its session');
    for (const each of [person, other]) {
      each.isSilent('walk');
      await each.close();
    }
  });
}

test('a new browser is asked for a mailed code', async () => {
  const email = 'mailed@example.org';
  const first = await Person.at(browser, origin, { script: false });
  await first.signUp(email, PASSWORD, w);
  await first.page.goto(await mails.link(email));
  await first.press(w.confirm);
  await first.signIn(email, PASSWORD, w);
  assert.equal(first.path, '/account');
  // Another browser, as its user agent says.
  const context = await browser.newContext({ userAgent: 'Mozilla/5.0 (Macintosh) Firefox/140.0', javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${origin}/login`);
  await page.fill('[name=email]', email);
  await page.fill('[name=password]', PASSWORD);
  await page.click('form[action="/login"] button:not([type=button])');
  assert.equal(new URL(page.url()).pathname, '/login/2fa');
  await page.fill('[name=code]', await mails.code(email));
  await page.click('button:has-text("Sign in")');
  assert.equal(new URL(page.url()).pathname, '/account');
  await context.close();
  await first.close();
});
