// Proving once more who one is, in both languages: what asks for it, and the page for it. A proof is recent for a second here.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from '../clients/support/server.mjs';
import { launch, Person } from './support/person.mjs';
import { words } from './support/words.mjs';

const PASSWORD = 'correct horse battery staple';

let server;
let browser;
let origin;

before(async () => {
  server = await Server.start((port) => ({ APP_BASE_URL: `http://localhost:${port}`, APP_REAUTH_SECONDS: '1' }));
  origin = server.variables.APP_BASE_URL;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.dispose();
});

for (const language of ['en', 'de']) {
  test(`passkeys and the app ask for a proof, in ${language}`, async () => {
    const person = await Person.at(browser, origin, { language });
    const email = `ann-${language}@example.org`;
    await person.signUp(email, PASSWORD, words[language]);
    await person.signIn(email, PASSWORD, words[language]);
    const link = person.page.getByRole('link', { name: words[language].addPasskey });
    do {
      await person.goto('/account/security');
      assert.equal(person.path, '/account/security');
    } while (!(await link.count()));
    await person.look('account-security-unproved');
    await link.click();
    assert.equal(person.path, '/account/prove?return_to=/account/security');
    await person.goto('/account/security/app');
    assert.equal(person.path, '/account/prove?return_to=/account/security/app');
    await person.look('account-prove');
    await person.type({ password: 'wrong' });
    await person.press(words[language].next);
    await person.look('account-prove-wrong');
    await person.type({ password: PASSWORD });
    // When it is answered, the proof may be recent no more.
    const led = person.page.waitForRequest((request) => request.isNavigationRequest() && request.method() === 'GET');
    await person.press(words[language].next);
    assert.equal((await led).url(), `${origin}/account/security/app`);
    await person.close();
  });
}
