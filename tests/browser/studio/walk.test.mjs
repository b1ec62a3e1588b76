// One walk through all of it, as a story: an admin invites an editor by mail; she registers, signs in, finds a page of an imported space, changes a block deep in
// it, sees it in the team's own site, has the one line added there, clicks a block in the page, and publishes. With the pointer, in German, and by keyboard alone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MailBox } from '../support/mail.mjs';
import { Person } from '../support/person.mjs';
import { words } from '../support/words.mjs';
import { call, Desk, PASSWORD } from './support/desk.mjs';
import { Keyboard, Pointer } from './support/hands.mjs';
import { Source } from './support/imported.mjs';
import { hears } from './support/preview.mjs';
import { SiteServer } from './support/site-server.mjs';
import { card, stateIs, told, toggle } from './support/story.mjs';

const WORDS = {
  en: {
    join: 'Join', open: 'Open', saved: /^Saved \d/, reload: 'Load the preview again', copy: 'Copy', publish: 'Publish', publishHome: 'Publish Home?', published: 'Home is published.',
    outline: 'Outline', stories: 'Stories', found: 'Search results', copied: 'Copied.',
  },
  de: {
    join: 'Beitreten', open: 'Öffnen', saved: /^Gespeichert um \d/, reload: 'Vorschau neu laden', copy: 'Kopieren', publish: 'Veröffentlichen', publishHome: 'Home veröffentlichen?', published: 'Home ist veröffentlicht.',
    outline: 'Gliederung', stories: 'Storys', found: 'Suchergebnisse', copied: 'Kopiert.',
  },
};

let mails, source, desk, sites;
before(async () => {
  [mails, source] = await Promise.all([MailBox.start(), Source.start()]);
  desk = await Desk.open({ ...mails.variables, ...source.variables, APP_EMAIL_LOGIN_CODE: 'off' });
  sites = await SiteServer.start(desk.origin);
});
after(async () => {
  await desk?.close();
  await sites?.close();
  await source?.close();
  await mails?.close();
});

/** An admin, with a space that was imported, whose site is `js`. */
async function adminWithSpace(language, email) {
  const admin = await Person.at(desk.browser, desk.origin, { language });
  await admin.signUp(email, PASSWORD, words[language]);
  await admin.page.goto(await mails.link(email));
  await admin.press(words[language].confirm);
  await admin.signIn(email, PASSWORD, words[language]);
  const { space, tokens } = await call(admin, 'POST', '/api/v1/spaces', { name: 'Workshop' });
  await source.importInto(admin, space.id);
  await call(admin, 'PUT', `/api/v1/spaces/${space.id}`, { space: { domain: `${sites.origin}/js/unchanged/` } });
  Object.assign(sites, { token: tokens.preview, publicToken: tokens.public, line: '' });
  return { admin, space: space.id };
}

/** What a reader of the site sees on its home page. */
async function readersSee(headline) {
  const reader = await desk.browser.newContext();
  const page = await reader.newPage();
  await page.goto(`${sites.origin}/js/published/home`);
  await page.getByRole('heading', { name: headline, exact: true }).waitFor();
  await reader.close();
}

/** Until something has the focus. */
const focused = (page, name) =>
  page.waitForFunction((wanted) => document.activeElement?.getAttribute('aria-label') === wanted || document.activeElement?.getAttribute('name') === wanted, name);

/** The steps that differ: with the pointer one clicks what one sees. */
const pointerSteps = {
  async findStory(eve, w) {
    await eve.page.getByRole('searchbox').fill('home');
    await eve.page.getByRole('searchbox').press('Enter');
    await eve.page.getByRole('heading', { name: w.found, level: 1 }).waitFor();
    await eve.page.getByRole('row', { name: 'Home', exact: true }).getByRole('link').click();
  },
  async openDeepBlock(eve, w) {
    await toggle(eve, 'Section').click();
    await toggle(eve, 'Grid').click();
    await card(eve, 'Teaser: Deep').getByRole('link', { name: w.open }).click();
  },
  async openBlockBeside(eve, w, frame) {
    await frame.locator('[data-blok-uid$="-beside"]').click();
  },
  async publish(eve, w, dialog) {
    await eve.page.getByRole('button', { name: w.publish, exact: true }).click();
    await dialog.getByRole('button', { name: w.publish, exact: true }).click();
  },
};

/** By keyboard alone, with the outline in place of the click in the page. */
const keyboardSteps = {
  async findStory({ page }, w) {
    await page.keyboard.press('/');
    await page.keyboard.type('home');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: w.found, level: 1 }).waitFor();
    await page.getByRole('row', { name: 'Home', exact: true }).waitFor();
    // From the search to the tree, and from there to the list.
    await page.keyboard.press('F6');
    await page.keyboard.press('F6');
    await focused(page, 'Home');
    await page.keyboard.press('Enter');
  },
  async openDeepBlock(eve, w) {
    await eve.page.getByRole('tree', { name: w.outline }).waitFor();
    await eve.page.keyboard.press('F6');
    await eve.page.keyboard.press('F6');
    await focused(eve.page, w.outline);
    await goInOutline(eve.page, 'Deep');
  },
  async openBlockBeside(eve, w) {
    for (let pane = 0; pane < 6 && !(await eve.page.getByRole('tree').evaluate((tree) => tree === document.activeElement)); pane += 1) await eve.page.keyboard.press('F6');
    await focused(eve.page, w.outline);
    await goInOutline(eve.page, 'Beside');
  },
  async publish({ page }, w, dialog) {
    await page.keyboard.press('ControlOrMeta+Shift+Enter');
    await dialog.getByRole('button', { name: w.publish, exact: true }).waitFor();
    await page.waitForFunction((name) => document.activeElement?.textContent === name, w.publish);
    await page.keyboard.press('Enter');
  },
};

/** Goes down the outline, opening what is closed, to the teaser with this headline; Enter shows its form, and F6 leads there. */
async function goInOutline(page, headline) {
  const active = () => page.getByRole('tree').evaluate((tree) => document.getElementById(tree.getAttribute('aria-activedescendant'))?.textContent ?? '');
  await page.keyboard.press('Home');
  for (let row = 0; row < 10 && !(await active()).includes(headline); row += 1) {
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
  }
  assert.match(await active(), new RegExp(headline));
  await page.keyboard.press('Enter');
  await page.keyboard.press('F6');
}

for (const [name, language, makeHands, steps] of [
  ['with the pointer', 'en', () => new Pointer(), pointerSteps],
  ['with the pointer, in German', 'de', () => new Pointer(), pointerSteps],
  ['by keyboard alone', 'en', (page) => new Keyboard(page), keyboardSteps],
]) {
  test(`from the invitation to the published page, ${name}`, async () => {
    const [w, of] = [WORDS[language], words[language]];
    const { admin, space } = await adminWithSpace(language, `${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}@example.org`);
    await readersSee('Deep');

    // The admin invites her, and the mail has the link.
    const email = `eve-${space}@example.org`;
    await call(admin, 'POST', `/api/v1/spaces/${space}/collaborators`, { email, role: 'editor' });
    const eve = await Person.at(desk.browser, desk.origin, { language });
    const { page } = eve;
    const hands = makeHands(page);
    const button = (label) => page.getByRole('button', { name: label, exact: true }).first();
    await page.goto(await mails.link(email));

    // She registers, confirms her address, signs in, and joins.
    await hands.press(page.getByRole('link', { name: of.create, exact: true }).first());
    for (const [field, text] of Object.entries({ firstName: 'Eve', lastName: 'Dee', email, password: PASSWORD })) await hands.fill(page.locator(`[name=${field}]:visible`).first(), text);
    await hands.press(button(of.create));
    await page.waitForURL('**/verify-email?sent=1');
    await page.goto(await mails.link(email));
    await hands.press(button(of.confirm));
    await hands.fill(page.locator('[name=email]:visible').first(), email);
    await hands.fill(page.locator('[name=password]:visible').first(), PASSWORD);
    await hands.press(button(of.signIn));
    await hands.press(button(w.join));
    await page.waitForURL('**/studio?done=joined');

    // She opens the space and finds its home page.
    await hands.press(page.getByRole('link', { name: 'Workshop', exact: true }));
    await page.getByRole('heading', { name: w.stories, level: 1 }).waitFor();
    await steps.findStory(eve, w);
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Deep' }).waitFor();

    // She changes a block that is three levels deep, and sees each key in the site, which is as it always was.
    await steps.openDeepBlock(eve, w);
    const headline = page.getByRole('textbox', { name: 'headline' });
    await page.waitForURL(/at=body%2F0%2Fcolumns%2F0%2Fcolumns%2F0/);
    await hands.fill(headline, 'Deep water');
    await frame.getByRole('heading', { name: 'Deep water' }).waitFor();
    await stateIs(eve, w.saved);

    // The pane says which line is missing; its developers add that, and the page is loaded again.
    const line = page.locator('.copy-line code');
    await line.waitFor();
    await hands.press(button(w.copy));
    await told(eve, w.copied);
    sites.line = await line.innerText();
    await hands.press(page.getByRole('button', { name: w.reload }));
    await frame.locator('[data-blok-uid$="-beside"]').waitFor();
    await line.waitFor({ state: 'detached' });
    await hears(frame);

    // Another block, clicked in the page: she is in its field.
    await steps.openBlockBeside(eve, w, frame);
    await page.waitForURL(/at=body%2F0%2Fcolumns%2F0%2Fcolumns%2F1/);
    await page.waitForFunction(() => document.activeElement?.matches('#main input') && document.activeElement.value === 'Beside');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Beside the water');
    await frame.getByRole('heading', { name: 'Beside the water' }).waitFor();
    await readersSee('Deep');

    // She publishes, and readers see it.
    const dialog = page.getByRole('dialog', { name: w.publishHome });
    await steps.publish(eve, w, dialog);
    await told(eve, w.published);
    await readersSee('Deep water');
    await readersSee('Beside the water');
    // While the line was missing, the site spoke to a parent that was not there.
    eve.hasReported(`Failed to execute 'postMessage' on 'DOMWindow': The target origin provided ('http://app.storyblok.com') does not match the recipient window's origin ('${desk.origin}').`);
    eve.isSilent(name);
    await eve.close();
    await admin.close();
  });
}
