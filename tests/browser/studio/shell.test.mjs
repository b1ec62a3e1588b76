// The frame of the application: what it loads, how it looks in every state, and what happens when the session ends.

import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { after, before, test } from 'node:test';
import { call, Desk, make } from './support/desk.mjs';
import { signInAgain } from './support/session.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

const WORDS = {
  en: { stories: 'Stories', signedOut: 'You were signed out', signIn: 'Sign in', me: 'Your account and language' },
  de: { stories: 'Storys', signedOut: 'Sie wurden abgemeldet', signIn: 'Anmelden', me: 'Ihr Konto und die Sprache' },
};

/** Kilobytes of script, compressed, until the list can be used. */
const FIRST_LOAD = 120;
/** Requests after the document until the list can be used. */
const REQUESTS = 5;

test('the first screen is within its budget', async () => {
  const person = await desk.person('budget@example.org');
  const space = await desk.space(person, 'Newsroom');
  await make(person, space, { name: 'Home', slug: 'home' });
  const requests = [];
  let scripts = 0;
  // The icon of the tab is the browser's own request: no list waits for it.
  person.page.on('request', (request) => { if (!request.url().includes('/icon.')) requests.push(request.url()); });
  const sizes = [];
  person.page.on('response', (response) => {
    if (response.request().resourceType() === 'script') sizes.push(response.body().then((body) => (scripts += gzipSync(body, { level: 9 }).length)));
  });
  await person.goto(`/studio/${space}/stories`);
  await person.page.getByRole('row', { name: 'Home' }).waitFor();
  await Promise.all(sizes);
  assert.ok(requests.length - 1 <= REQUESTS, requests.join('\n'));
  assert.ok(sizes.length >= 2 && scripts <= FIRST_LOAD * 1024, `${scripts} bytes of script`);
  person.isSilent('budget');
  await person.close();
});

for (const language of ['en', 'de']) {
  const w = WORDS[language];

  test(`the frame and the list in every state, in ${language}`, async () => {
    const person = await desk.person(`looks-${language}@example.org`, { language });
    const space = await desk.space(person, 'Newsroom of the northern harbours', { languages: [{ code: 'de', name: 'German' }] });
    await person.goto(`/studio/${space}/stories`);
    await person.page.locator('.empty').waitFor();
    await person.look('studio-list-empty');
    const blog = await make(person, space, { name: 'Blog', slug: 'blog', is_folder: true });
    await make(person, space, { name: 'Archive of everything that was written before', slug: 'archive', is_folder: true, parent_id: blog.id });
    for (const [name, slug, more] of [['Home', 'home', {}], ['A story whose name is much longer than any column of a list should ever have to be', 'long', {}], ['Drafted', 'drafted', {}], ['Later', 'later', { publish_at: '2036-01-01T00:00:00.000Z' }]]) {
      const story = await make(person, space, { name, slug, ...more });
      if (slug === 'home' || slug === 'long') await call(person, 'POST', `/api/v1/spaces/${space}/stories/${story.id}/publish`);
      if (slug === 'long') await call(person, 'PUT', `/api/v1/spaces/${space}/stories/${story.id}`, { story: { content: { component: 'page', title: 'Changed' } } });
      if (slug === 'drafted') person.drafted = story.id;
    }
    await person.goto(`/studio/${space}/stories`);
    await person.page.getByRole('row', { name: 'Home' }).waitFor();
    await person.look('studio-list');
    await person.goto(`/studio/${space}/stories?folder=${blog.id}`);
    await person.page.getByRole('heading', { name: 'Blog', level: 1 }).waitFor();
    await person.page.getByRole('row', { name: /^Archive/ }).waitFor();
    await person.look('studio-list-folder');
    await person.goto(`/studio/${space}/stories?search=home`);
    await person.page.getByRole('row', { name: 'Home' }).waitFor();
    await person.look('studio-list-found');
    await person.goto(`/studio/${space}/stories?trash=1`);
    await person.page.locator('.empty').waitFor();
    await person.look('studio-trash');
    for (const dialog of ['new-story', 'new-folder', 'keys', ...['rename', 'move', 'duplicate', 'delete', 'publish'].map((name) => `${name}&story=${person.drafted}`)]) {
      await person.goto(`/studio/${space}/stories?dialog=${dialog}`);
      await person.page.getByRole('dialog').waitFor();
      await person.page.locator('[role=grid] [data-row] [role=row]').first().waitFor();
      await person.look(`studio-dialog-${dialog.split('&')[0]}`);
    }
    await person.goto(`/studio/${space}/stories?dialog=new-folder`);
    const dialog = person.page.getByRole('dialog');
    await dialog.locator('input').first().fill('Blog');
    await dialog.locator('button.button').first().click();
    await dialog.locator('.field-error').waitFor();
    await person.look('studio-dialog-refused');
    await person.goto(`/studio/${space}/stories`);
    await person.page.getByRole('row', { name: 'Home' }).waitFor();
    await person.page.getByRole('row', { name: 'Home' }).getByRole('button').click();
    await person.page.getByRole('menu').waitFor();
    await person.look('studio-menu');
    await person.close();
  });

  test(`a session that ends is begun again in a small window, in ${language}`, async () => {
    const email = `again-${language}@example.org`;
    const person = await desk.person(email, { language });
    const space = await desk.space(person, 'Newsroom');
    await person.goto(`/studio/${space}/stories?dialog=new-folder`);
    const dialog = person.page.getByRole('dialog');
    await dialog.locator('input').first().fill('Written before');
    const cookies = (await person.context.cookies()).map(({ name }) => name).filter((name) => name === 'session' || name === 'csrf_token');
    for (const name of cookies) await person.context.clearCookies({ name });
    await dialog.locator('button.button').first().click();
    const sheet = person.page.getByRole('dialog', { name: w.signedOut });
    await sheet.waitFor();
    await person.look('studio-signed-out');
    await signInAgain(person, email, w);
    // What waited goes on: the folder is made, and nothing was typed twice.
    await person.page.getByRole('row', { name: 'Written before' }).waitFor();
    await person.close();
  });
}

test('the language is that of the person, and the menu of the person changes it in place', async () => {
  const person = await desk.person('language@example.org');
  const space = await desk.space(person, 'Newsroom');
  await person.goto(`/studio/${space}/stories?sort=name`);
  await person.page.getByRole('button', { name: WORDS.en.me }).click();
  await person.page.getByRole('menuitem', { name: 'Deutsch' }).click();
  await person.page.getByRole('heading', { name: 'Storys', level: 1 }).waitFor();
  assert.equal(person.path, `/studio/${space}/stories?sort=name`);
  await person.page.getByRole('button', { name: WORDS.de.me }).click();
  await person.page.getByRole('menuitem', { name: 'Abmelden' }).click();
  await person.page.waitForURL('**/logout');
  await person.goto(`/studio/${space}/stories?sort=name`);
  assert.equal(person.path, `/login?notice=sign-in&return_to=/studio/${space}/stories%3Fsort%3Dname`);
  await person.close();
});

test('a part that cannot be loaded is told, with the way on', async () => {
  const person = await desk.person('broken@example.org');
  const space = await desk.space(person, 'Newsroom');
  await person.page.route('**/assets/studio/en.*.js', (route) => route.abort());
  await person.goto(`/studio/${space}/stories?sort=name`);
  await person.page.getByText('Part of the studio could not be loaded.').waitFor();
  await person.page.unroute('**/assets/studio/en.*.js');
  await person.page.getByRole('link', { name: 'Load the page again' }).click();
  await person.page.getByRole('heading', { name: 'Stories', level: 1 }).waitFor();
  assert.equal(person.path, `/studio/${space}/stories?sort=name`);
  await person.close();
});

test('the connection says how it is, since when, and when the server answered last', async () => {
  const person = await desk.person('connection@example.org');
  const space = await desk.space(person, 'Newsroom');
  await make(person, space, { name: 'Home', slug: 'home' });
  await person.goto(`/studio/${space}/stories`);
  const { page } = person;
  await page.getByRole('row', { name: 'Home' }).waitFor();
  await page.getByRole('button', { name: 'Connection: Connected' }).click();
  const details = page.getByRole('dialog', { name: 'Connection: Connected' });
  await details.getByText('Last answer').waitFor();
  assert.match(await details.innerText(), /Since\s+\w+ \d+, \d{4}, [^]*Last answer of the server\s+\w+ \d+, \d{4}, /);
  // A server that does not answer is something else than no network: here its answers get lost.
  await page.route('**/api/ready', (route) => route.abort());
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByRole('dialog', { name: 'Connection: The server does not answer' }).getByText('Your network works').waitFor();
  await page.unroute('**/api/ready');
  await page.getByRole('button', { name: 'Check now' }).click();
  await details.waitFor();
  await page.keyboard.press('Escape');
  await person.context.setOffline(true);
  await page.getByRole('button', { name: 'Connection: No network' }).waitFor();
  // When the network comes back, the server is asked at once.
  await person.context.setOffline(false);
  await page.getByRole('button', { name: 'Connection: Connected' }).waitFor();
  assert.ok(person.hasReported('Failed to load resource: net::ERR_FAILED'));
  person.isSilent('connection');
  await person.close();
});

test('the space switch leads to the other spaces', async () => {
  const person = await desk.person('switch@example.org');
  const [first, second] = [await desk.space(person, 'First'), await desk.space(person, 'Second')];
  await person.goto(`/studio/${first}/stories`);
  await person.page.getByRole('button', { name: 'Switch the space' }).click();
  const items = person.page.getByRole('menuitem');
  await items.first().waitFor();
  assert.deepEqual(await items.allInnerTexts(), ['First', 'Second', 'All spaces', 'New space']);
  assert.equal(await items.first().getAttribute('aria-current'), 'true');
  await person.page.keyboard.press('s');
  await person.page.keyboard.press('Enter');
  await person.page.waitForURL(`**/studio/${second}`);
  person.isSilent('switch');
  await person.close();
});

test('from 320 pixels to 4k nothing is cut off', async () => {
  const person = await desk.person('sizes@example.org');
  const space = await desk.space(person, 'Newsroom of the northern harbours');
  const folder = await make(person, space, { name: 'A_folder_with_a_name_that_has_no_place_to_break', slug: 'folder', is_folder: true });
  await make(person, space, { name: 'Home', slug: 'a-slug-that-is-as-long-as-a-slug-can-be-when-it-was-made-of-a-sentence', parent_id: folder.id });
  for (const address of ['/studio', `/studio/${space}/stories`, `/studio/${space}/stories?folder=${folder.id}`, `/studio/${space}/stories?dialog=new-story`]) {
    await person.goto(address);
    if (address !== '/studio') await person.page.locator('[role=grid] [data-row] [role=row]').first().waitFor();
    for (const width of [320, 768, 900, 1920, 3840]) {
      await person.page.setViewportSize({ width, height: 900 });
      const overflow = await person.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${address} at ${width}: ${overflow} pixels too wide`);
    }
  }
  await person.close();
});

test('at another address than its own the studio leads to the right one', async () => {
  const person = await desk.person('elsewhere@example.org');
  const space = await desk.space(person, 'Newsroom');
  const other = desk.origin.replace('localhost', '127.0.0.1');
  const session = (await person.context.cookies()).map((cookie) => ({ ...cookie, domain: '127.0.0.1' }));
  await person.context.addCookies(session);
  await person.page.goto(`${other}/studio/${space}/stories?sort=name`);
  await person.page.getByText(`This server is called ${desk.origin}.`).waitFor();
  assert.equal(await person.page.getByRole('link', { name: 'Open it there' }).getAttribute('href'), `${desk.origin}/studio/${space}/stories?sort=name`);
  await person.close();
});
