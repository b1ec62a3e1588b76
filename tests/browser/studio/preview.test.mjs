// The preview pane: which page it shows and how wide, what stands in its way, and what it takes from the page.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { call, Desk } from './support/desk.mjs';
import { hears, openPreview, previewSpace } from './support/preview.mjs';
import { SiteServer } from './support/site-server.mjs';

let desk, sites;
before(async () => {
  // The server looks at pages that do not show themselves; here they are on this machine.
  desk = await Desk.open({ APP_ALLOWED_PRIVATE_TARGETS: '127.0.0.1,::1' });
  sites = await SiteServer.start(desk.origin);
});
after(async () => {
  await desk?.close();
  await sites?.close();
});

const at = (path) => `${sites.origin}/${path}/`;
const RELAYED = { name: 'With the relay', location: () => at('js/relay') };
const OWN_CLASS = { name: 'With the own class', location: () => at('script/own') };

/** A person with a space, and its preview in these environments, the first one open. */
async function opened(name, environments = [RELAYED, OWN_CLASS], { more, ...options } = {}) {
  const person = await desk.person(`${name.toLowerCase().replaceAll(' ', '-')}@example.org`, options);
  const all = environments.map(({ name, location }) => ({ name, location: location() }));
  const space = await previewSpace(person, name, all, more);
  sites.token = space.token;
  const frame = await openPreview(person, space);
  return { person, page: person.page, space, frame };
}

/** A server of pages that answer as they are told to. */
async function pages(answer) {
  const server = createServer(answer);
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => (server.closeAllConnections(), new Promise((closed) => server.close(closed))) };
}

const frameUrl = async (page) => new URL(await page.locator('iframe').getAttribute('src'));

test('the scripts for sites are small, cached for minutes, and name this server alone', async () => {
  for (const [name, most] of [['bridge.js', 1024], ['storyblok-v2-latest.js', 12 * 1024]]) {
    const answer = await fetch(`${desk.origin}/f/${name}?v=1&t=2`);
    const text = await answer.text();
    assert.equal(answer.status, 200);
    assert.ok(text.length <= most && text.includes(desk.origin) && !text.includes('__LECTERN'), `${name}: ${text.length}`);
    const header = (key) => answer.headers.get(key);
    assert.match(header('content-type'), /^text\/javascript/);
    assert.deepEqual([header('cache-control'), header('cross-origin-resource-policy')], ['public, max-age=300', 'cross-origin']);
    const again = await fetch(`${desk.origin}/f/${name}`, { headers: { 'if-none-match': header('etag') } });
    assert.equal(again.status, 304);
  }
});

test('outside of a frame, and in the frame of another page, the scripts do nothing', async () => {
  const person = await desk.person('alone@example.org');
  const scripts = `<script src="${desk.origin}/f/bridge.js"></script><script src="${desk.origin}/f/storyblok-v2-latest.js"></script>`;
  const site = await pages((_, response) => response.setHeader('content-type', 'text/html').end(`<!doctype html><title>x</title><div></div>${scripts}`));
  const looksAt = (page) =>
    page.evaluate(() => {
      const bridge = new globalThis.StoryblokBridge({ resolveRelations: 'a.b' });
      return { isOwn: globalThis.parent === globalThis.window, isReplaced: 'value' in Object.getOwnPropertyDescriptor(globalThis, 'parent'), isInEditor: bridge.isInEditor() };
    });
  await person.page.goto(site.origin);
  assert.deepEqual(await looksAt(person.page), { isOwn: true, isReplaced: false, isInEditor: false });
  const framing = await pages((_, response) => response.setHeader('content-type', 'text/html').end(`<!doctype html><iframe src="${site.origin}"></iframe>`));
  await person.page.goto(framing.origin);
  await person.page.frameLocator('iframe').locator('div').waitFor({ state: 'attached' });
  const [, inner] = person.page.frames();
  assert.deepEqual(await looksAt(inner), { isOwn: false, isReplaced: false, isInEditor: false });
  await person.close();
  await Promise.all([site, framing].map((server) => server.close()));
});

test('a space without an environment is offered its first one, and never the studio itself', async () => {
  const { person, page } = await opened('First environment', []);
  await page.getByRole('heading', { name: 'No preview yet' }).waitFor();
  await person.look('studio-preview-none');
  const field = page.getByRole('textbox', { name: 'Address of your site' });
  const set = page.getByRole('button', { name: 'Show it' });
  await field.fill('www.example.com');
  await set.click();
  await page.getByText('This is no web address.').waitFor();
  await field.fill(desk.origin);
  await set.click();
  await page.getByText('This is the address of the studio itself.').waitFor();
  await field.fill(at('js/relay'));
  await set.click();
  await page.frameLocator('iframe').getByRole('heading', { name: 'Welcome' }).waitFor();
  person.isSilent('first environment');
  await person.close();
});

test('the address is signed, and another language is another one', async () => {
  const { person, page, space, frame } = await opened('Languages', [RELAYED], { more: { languages: [{ code: 'de', name: 'German' }] } });
  await frame.getByRole('heading', { name: 'Welcome' }).waitFor();
  const url = await frameUrl(page);
  const value = (name) => url.searchParams.get(name);
  assert.equal(url.pathname, '/js/relay/home');
  assert.deepEqual([value('_storyblok'), value('_storyblok_lang'), value('_storyblok_c')], [String(space.story), 'default', 'landing']);
  const [id, timestamp, signature] = ['space_id', 'timestamp', 'token'].map((name) => value(`_storyblok_tk[${name}]`));
  assert.equal(createHash('sha1').update(`${id}:${space.token}:${timestamp}`).digest('hex'), signature);
  assert.equal(await page.getByRole('link', { name: 'Open in a tab' }).getAttribute('href'), url.href);
  await page.getByRole('region', { name: 'Preview' }).getByRole('combobox', { name: 'Language' }).selectOption('de');
  await page.waitForURL(/language=de/);
  await page.waitForFunction(() => document.querySelector('iframe')?.src.includes('_storyblok_lang=de'));
  assert.equal((await frameUrl(page)).pathname, '/js/relay/de/home');
  await person.close();
});

test('the page is as wide as it is told to be, smaller where there is no room, and that is remembered', async () => {
  const { person, page, space, frame } = await opened('Widths');
  await frame.getByRole('heading', { name: 'Welcome' }).waitFor();
  const iframe = page.locator('iframe');
  const inner = () => page.frames()[1].evaluate(() => innerWidth);
  const width = page.getByRole('combobox', { name: 'Width' });
  for (const [choice, pixels] of [['phone', 375], ['tablet', 768], ['desktop', 1280]]) {
    await width.selectOption(choice);
    await page.waitForFunction((expected) => document.querySelector('iframe').clientWidth === expected, pixels);
    assert.equal(await inner(), pixels);
    const shown = await iframe.boundingBox();
    const room = await page.locator('.preview-room').boundingBox();
    assert.ok(shown.width <= room.width + 1 && shown.height <= room.height + 1, choice);
  }
  await width.selectOption('own');
  await page.getByRole('spinbutton', { name: 'Own width in pixels' }).fill('500');
  await page.waitForFunction(() => document.querySelector('iframe').clientWidth === 500);
  await page.getByRole('combobox', { name: 'Environment' }).selectOption('With the own class');
  await openPreview(person, space);
  await page.waitForFunction(() => document.querySelector('iframe')?.clientWidth === 500);
  assert.equal((await frameUrl(page)).pathname, '/script/own/home');
  person.isSilent('widths');
  await person.close();
});

test('a site that is not live hears no key', async () => {
  const { person, page, frame } = await opened('On save');
  await frame.getByRole('heading', { name: 'Welcome' }).waitFor();
  await hears(frame);
  const title = page.getByRole('textbox', { name: 'title' });
  const live = page.getByRole('button', { name: 'Live', exact: true });
  await live.click();
  await title.fill('Not yet');
  // The acts of the studio reach the page in their order, so that a frame around a block comes behind what was typed.
  await page.getByRole('treeitem', { name: /First/ }).click();
  await frame.locator('.storyblok__overlay').waitFor({ state: 'attached' });
  assert.equal(await frame.getByRole('heading', { level: 1 }).textContent(), 'Welcome');
  await live.click();
  await frame.getByRole('heading', { name: 'Not yet' }).waitFor();
  await person.close();
});

test('a page that does not show itself is told in words', async () => {
  const answers = {
    '/refuses/home': (response) => response.setHeader('x-frame-options', 'SAMEORIGIN').setHeader('content-type', 'text/html').end('<p>x</p>'),
    '/policy/home': (response) => response.setHeader('content-security-policy', 'frame-ancestors https://app.storyblok.com').setHeader('content-type', 'text/html').end('<p>x</p>'),
    '/away/home': (response) => response.writeHead(302, { location: 'http://localhost:9/x' }).end(),
  };
  const server = await pages((request, response) => {
    const answer = answers[new URL(request.url, 'http://x').pathname];
    if (answer) answer(response);
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Nothing</p>');
  });
  const gone = await pages(() => {});
  await gone.close();
  const cases = [
    ['Unknown', `${server.origin.replace('127.0.0.1', 'localhost')}/policy/`, 'its server may not look at it'],
    ['Refuses', `${server.origin}/refuses/`, 'it sends X-Frame-Options with “SAMEORIGIN”'],
    ['Policy', `${server.origin}/policy/`, 'it sends Content-Security-Policy with “frame-ancestors https://app.storyblok.com”'],
    ['Missing', `${server.origin}/missing/`, 'The page answers with an error (404)'],
    ['Gone', `${gone.origin}/`, 'The page does not answer'],
    ['Away', `${server.origin}/away/`, 'The page leads on to http://localhost:9'],
  ];
  const { person, page } = await opened('Obstacles', cases.map(([name, location]) => ({ name, location: () => location })));
  for (const [name, , sentence] of cases) {
    await page.getByRole('combobox', { name: 'Environment' }).selectOption(name);
    await page.getByText(sentence).waitFor();
  }
  await person.close();
  await server.close();
});

test('whoever goes on in the page is led back, and a block of another story leads there', async () => {
  const { person, page, space, frame } = await opened('Ways');
  await frame.getByRole('heading', { name: 'Welcome' }).waitFor();
  // A page that is left before it has loaded is none for the studio: all it hears of pages is that one has loaded.
  await frame.locator('html').evaluate(() => document.readyState === 'complete' || new Promise((loaded) => addEventListener('load', loaded)));
  await frame.getByRole('link', { name: 'Go on' }).click();
  const back = page.getByRole('button', { name: 'Back to this story' });
  await back.click();
  await frame.getByRole('heading', { name: 'Welcome' }).waitFor();
  await back.waitFor({ state: 'detached' });
  await hears(frame);
  // The site makes its own elements anew with each message, so the block of another story stands beside them.
  await frame.locator('body').evaluate((body, other) => {
    const block = document.createElement('p');
    block.textContent = 'From elsewhere';
    block.setAttribute('data-blok-c', JSON.stringify({ name: 'landing', uid: 'x', id: String(other), space: '1' }));
    body.prepend(block);
  }, space.author);
  await frame.getByText('From elsewhere').click();
  await page.getByText('This block belongs to the story Ann.').waitFor();
  await page.getByRole('button', { name: 'Open it' }).click();
  await page.waitForURL((url) => url.pathname.endsWith(`/stories/${space.author}`));
  person.isSilent('ways');
  await person.close();
});

test('what comes from elsewhere, has another shape, or comes ten thousand times changes nothing', async () => {
  const { person, page, space, frame } = await opened('Floods');
  await hears(frame);
  const remove = { action: 'deleteBlock', blok: { _uid: 'first' } };
  const edit = { action: 'edit', dataC: { uid: 'third', id: String(space.story) } };
  // The studio's own window, and a frame of another origin within the page.
  await page.evaluate(([one, other]) => [one, other].forEach((message) => postMessage(message, '*')), [remove, edit]);
  await frame.locator('body').evaluate((body, messages) => {
    const inner = document.createElement('iframe');
    inner.srcdoc = `<script>for (const message of ${JSON.stringify(messages)}) top.postMessage(message, '*')</script>`;
    body.append(inner);
    return new Promise((loaded) => inner.addEventListener('load', loaded));
  }, [remove, edit]);
  const before = page.url();
  await frame.locator('body').evaluate(() => {
    for (let count = 0; count < 10_000; count += 1) globalThis.parent.postMessage({ action: 'deleteBlock', blok: { _uid: count } }, '*');
  });
  // Behind all of them one that counts.
  await frame.getByRole('heading', { name: 'Second' }).click();
  await page.waitForURL(/at=body%2F1%2Fcolumns%2F0/);
  assert.ok(!before.includes('at='));
  await frame.getByRole('heading', { name: 'First' }).waitFor();
  assert.equal(await page.getByRole('treeitem', { name: /First/ }).count(), 1);
  await person.close();
});

test('keys lead into the page and out of it', async () => {
  const { person, page, frame } = await opened('Keys');
  await frame.getByRole('heading', { name: 'Welcome' }).waitFor();
  await page.getByRole('textbox', { name: 'title' }).focus();
  await page.keyboard.press('F6');
  await page.waitForFunction(() => document.activeElement?.localName === 'iframe');
  await page.keyboard.press('F6');
  await page.waitForFunction(() => document.activeElement?.localName !== 'iframe');
  await page.getByRole('textbox', { name: 'title' }).fill('Saved from within the page');
  await frame.getByRole('heading', { name: 'Saved from within the page' }).waitFor();
  await frame.getByRole('link', { name: 'Go on' }).focus();
  await page.keyboard.press('Control+s');
  // A page is loaded again by a Save alone, not by an autosave.
  await page.frames()[1].waitForFunction(() => globalThis.loads === 2);
  await frame.getByRole('heading', { name: 'Saved from within the page' }).waitFor();
  await frame.getByRole('link', { name: 'Go on' }).focus();
  await page.keyboard.press('Tab');
  await page.waitForFunction(() => document.activeElement?.textContent === 'Out of the preview');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Environment');
  person.isSilent('keys');
  await person.close();
});

test('the block menu of the page does what the editor does, as one step', async () => {
  const { person, page, frame } = await opened('Menu', [OWN_CLASS]);
  await hears(frame);
  await frame.getByRole('heading', { name: 'Second' }).click();
  const menu = frame.getByRole('toolbar', { name: 'Block' });
  await menu.getByText('Teaser').waitFor();
  assert.deepEqual(await frame.getByRole('heading', { level: 2 }).allTextContents(), ['First', 'Second', 'Third']);
  await menu.getByRole('button', { name: 'Move forward' }).click();
  await frame.locator('.grid h2').first().getByText('Third').waitFor();
  await menu.getByRole('button', { name: 'Duplicate' }).click();
  await frame.getByRole('heading', { name: 'Second' }).nth(1).waitFor();
  await menu.getByRole('button', { name: 'Delete' }).click();
  await frame.getByRole('heading', { name: 'Second' }).nth(1).waitFor({ state: 'detached' });
  for (const expected of [['First', 'Third', 'Second', 'Second'], ['First', 'Third', 'Second'], ['First', 'Second', 'Third']]) {
    await page.getByTitle('Undo (Ctrl+Z)').click();
    await assertHeadings(frame, expected);
  }
  await frame.getByRole('heading', { name: 'First' }).click();
  await menu.getByRole('button', { name: 'Add after' }).click();
  await page.getByRole('dialog').getByRole('option', { name: /Grid/ }).waitFor();
  await page.keyboard.press('Enter');
  await frame.locator('.grid').nth(1).waitFor();
  person.isSilent('menu');
  await person.close();
});

/** Waits until the page shows these headings. */
async function assertHeadings(frame, expected) {
  await frame.locator('body').evaluate(
    (body, texts) =>
      new Promise((found) => {
        const look = () => (JSON.stringify([...body.querySelectorAll('h2')].map((h2) => h2.textContent)) === texts ? found() : requestAnimationFrame(look));
        look();
      }),
    JSON.stringify(expected),
  );
}

test('a block in a text is chosen in the page, written in, and worked on by the menu of the page', async () => {
  const { person, page, space, frame } = await opened('Text', [OWN_CLASS]);
  const path = `/api/v1/spaces/${space.id}/stories/${space.story}`;
  const { content } = (await call(person, 'GET', path)).story;
  const blok = { type: 'blok', attrs: { id: 'node', body: [{ _uid: 'inside', component: 'teaser', headline: 'Inside' }, { _uid: 'beside', component: 'teaser', headline: 'Beside' }] } };
  const text = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Before it' }] }, blok] };
  await call(person, 'PUT', path, { story: { content: { ...content, text } } });
  await openPreview(person, space);
  await frame.getByRole('heading', { name: 'Inside' }).waitFor();
  await hears(frame);
  await frame.getByRole('heading', { name: 'Inside' }).click();
  await page.waitForURL(/at=text/);
  await page.getByRole('textbox', { name: 'headline' }).fill('Written inside');
  await frame.getByRole('heading', { name: 'Written inside' }).click();
  const menu = frame.getByRole('toolbar', { name: 'Block' });
  await menu.getByRole('button', { name: 'Delete' }).click();
  await frame.getByRole('heading', { name: 'Written inside' }).waitFor({ state: 'detached' });
  await frame.getByRole('heading', { name: 'Beside' }).waitFor();
  await frame.getByText('Before it').waitFor();
  await page.getByTitle('Undo (Ctrl+Z)').click();
  await frame.getByRole('heading', { name: 'Written inside' }).waitFor();
  person.isSilent('text');
  await person.close();
});

test('an admin makes the token that signs where there is none', async () => {
  const person = await desk.person('token@example.org');
  const space = await previewSpace(person, 'Token', [{ name: 'Site', location: at('js/relay') }]);
  sites.token = space.token;
  const { api_keys: keys } = await call(person, 'GET', `/api/v1/spaces/${space.id}/api_keys`);
  for (const { id, access } of keys) if (access === 'preview') await call(person, 'DELETE', `/api/v1/spaces/${space.id}/api_keys/${id}`);
  await openPreview(person, space);
  await person.page.getByText('Previews of this space are not signed').waitFor();
  assert.equal((await frameUrl(person.page)).searchParams.get('_storyblok_tk[token]'), null);
  await person.page.getByRole('button', { name: 'Make a preview token' }).click();
  await person.page.waitForFunction(() => document.querySelector('iframe')?.src.includes('_storyblok_tk[token]'));
  await person.page.getByText('Previews of this space are not signed').waitFor({ state: 'detached' });
  await person.close();
});

test('after fifty minutes the next load is signed anew, and nothing moves by itself', async () => {
  const { person, page, frame } = await opened('Signature');
  await frame.getByRole('heading', { name: 'Welcome' }).waitFor();
  const first = await frameUrl(page);
  await page.clock.install({ time: Date.now() + 51 * 60_000 });
  const madeAt = (url) => Number(url.searchParams.get('_storyblok_rl'));
  const [tab] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: 'Open in a tab' }).click()]);
  await tab.waitForURL((url) => madeAt(url) > madeAt(first));
  await tab.close();
  const asked = page.waitForRequest((request) => /\/stories\/\d+$/.test(request.url()));
  assert.equal((await frameUrl(page)).href, first.href);
  await page.getByRole('button', { name: 'Load the preview again' }).click();
  await asked;
  await page.waitForFunction((before) => document.querySelector('iframe').src !== before, first.href);
  await person.close();
});

for (const language of ['en', 'de']) {
  test(`the pane in every state, in ${language}`, async () => {
    const silent = await pages((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html><html lang="en"><title>x</title><main><h1>A page without a bridge</h1></main></html>'));
    const one = { name: 'Of the team', location: () => `${silent.origin}/` };
    const { person, page } = await opened(`Looks ${language}`, [one, RELAYED], { language, more: { languages: [{ code: 'de', name: 'Deutsch' }] } });
    await page.locator('.copy-line').waitFor();
    await person.look('studio-preview-one-way');
    // On a phone it is a pane of its own.
    await page.setViewportSize({ width: 360, height: 900 });
    await page.locator('.pane-choice button').last().click();
    await page.locator('.preview-bar').waitFor();
    await page.locator('.copy-line button').click();
    await page.locator('.copy-line [role=status]').waitFor();
    await person.close();
    await silent.close();
  });
}
