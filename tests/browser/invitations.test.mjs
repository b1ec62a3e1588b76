// An invitation to a space: the page of its link in every state, and the way of a person who had no account.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from '../clients/support/server.mjs';
import { MailBox } from './support/mail.mjs';
import { launch, Person } from './support/person.mjs';
import { words } from './support/words.mjs';

const PASSWORD = 'correct horse battery staple';
const WORDS = {
  en: { join: 'Join', change: 'Sign in with the other account', joined: 'You are a member of the space now.' },
  de: { join: 'Beitreten', change: 'Mit dem anderen Konto anmelden', joined: 'Sie gehören jetzt zum Space.' },
};

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
  await confirm(person, language, email);
  return person;
}

/** Follows the mailed link and signs in. */
async function confirm(person, language, email) {
  await person.page.goto(await mails.link(email));
  await person.press(words[language].confirm);
  await person.type({ email, password: PASSWORD });
  await person.press(words[language].signIn);
}

/** Sends JSON to the API with the cookies of a person. */
function post(person, path, body) {
  const send = async ([path, body]) => {
    const { csrfToken } = await (await fetch('/api/csrf-token')).json();
    const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': csrfToken };
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  return person.page.evaluate(send, [path, body]);
}

for (const language of ['en', 'de']) {
  test(`an editor is invited, registers and joins, in ${language}`, async () => {
    const [w, email] = [WORDS[language], `eve-${language}@example.org`];
    const admin = await signedIn(language, `admin-${language}@example.org`);
    const { space } = await post(admin, '/api/v1/spaces', { name: 'Newsroom' });
    await post(admin, `/api/v1/spaces/${space.id}/collaborators`, { email, role: 'editor' });
    const link = await mails.link(email);

    await admin.page.goto(link);
    assert.equal(admin.path, '/join', 'the token has left the address bar');
    await admin.look('join-other-account');
    await admin.press(w.change, 'link');
    assert.equal(admin.path, '/login?return_to=/join&prompt=login');
    await admin.close();

    const eve = await Person.at(browser, origin, { language });
    await eve.page.goto(link);
    await eve.look('join-signed-out');
    await eve.press(words[language].create, 'link');
    await eve.type({ firstName: 'Eve', lastName: 'Dee', email, password: PASSWORD });
    await eve.press(words[language].create);
    await confirm(eve, language, email);
    assert.equal(eve.path, '/join', 'the way back was kept through the mail');
    await eve.look('join');
    await eve.press(w.join);
    assert.equal(eve.path, '/studio?done=joined');
    assert.match(await eve.page.locator('main').innerText(), new RegExp(w.joined.replace('.', '\\.')));
    await eve.press('Newsroom', 'link');
    await eve.page.getByRole('heading', { level: 1 }).waitFor();
    await eve.page.goto(link);
    await eve.look('join-expired');
    await eve.close();
  });
}
