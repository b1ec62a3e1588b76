// The pages about the API, in both languages: axe, both themes, phone and desk; the list is filtered, and an operation is tried.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from '../clients/support/server.mjs';
import { launch, Person } from './support/person.mjs';

let server;
let browser;
let origin;

before(async () => {
  server = await Server.start((port) => ({ APP_BASE_URL: `http://localhost:${port}` }));
  origin = server.variables.APP_BASE_URL;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.dispose();
});

for (const language of ['en', 'de']) {
  test(`the pages about the API, in ${language}`, async () => {
    const person = await Person.at(browser, origin, { language });
    await person.goto('/api/docs');
    await person.look('api');
    await person.page.locator('#find').fill('publish stor');
    const shown = person.page.locator('[data-operation]:visible');
    assert.ok((await shown.count()) < 10, 'the list is filtered');
    await person.page.locator('#find').fill('no such operation');
    await person.page.locator('#found').waitFor();

    await person.goto('/api/docs/createStory');
    await person.look('api-operation');

    await person.goto('/api/docs/getHealth');
    await person.page.locator('#try-form button[type=submit]').click();
    await person.page.locator('#try-status').waitFor();
    assert.equal(await person.page.locator('#try-status').innerText(), '200');
    assert.match(await person.page.locator('#try-text').innerText(), /"status": "ok"/);
    await person.look('api-tried');

    await person.goto('/api/docs/signIn');
    await person.page.locator('#try-body').fill('{"email": "nobody@example.org", "password": "wrong"}');
    await person.page.locator('#try-form button[type=submit]').click();
    await person.page.locator('#try-status').waitFor();
    assert.equal(await person.page.locator('#try-status').innerText(), '401', 'the CSRF token was sent');
    await person.close();
  });
}

test('the pages about the API can be read without JavaScript', async () => {
  const person = await Person.at(browser, origin, { script: false });
  await person.goto('/api/docs');
  await person.page.getByRole('link', { name: '/api/v2/cdn/links/{uuid}' }).click();
  assert.equal(person.path, '/api/docs/getLink');
  await person.page.locator('noscript p').waitFor();
  await person.close();
});
