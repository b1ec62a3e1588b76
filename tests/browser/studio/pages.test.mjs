// The pages before the application: the spaces of a person and a new one. They work without JavaScript.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Desk } from './support/desk.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

const WORDS = {
  en: { newSpace: 'New space', make: 'Make the space', ready: 'is ready', open: 'Open the space', gone: 'The tokens were shown', spaces: 'Your spaces' },
  de: { newSpace: 'Neuer Space', make: 'Space anlegen', ready: 'ist fertig', open: 'Space öffnen', gone: 'Die Tokens wurden angezeigt', spaces: 'Ihre Spaces' },
};

for (const language of ['en', 'de']) {
  const w = WORDS[language];

  test(`the spaces and a new one in every state, in ${language}`, async () => {
    const person = await desk.person(`pages-${language}@example.org`, { language });
    await person.goto('/studio');
    await person.look('studio-no-space');
    await person.press(w.newSpace, 'link');
    await person.look('studio-new');
    await person.page.locator('form[action="/studio/new"]').evaluate((form) => (form.noValidate = true));
    await person.press(w.make);
    await person.look('studio-new-refused');
    await person.type({ name: 'Newsroom of a very long name that has to be broken somewhere on a phone' });
    await person.press(w.make);
    assert.equal(person.path, '/studio/new/tokens');
    await person.look('studio-tokens');
    await person.goto('/studio/new/tokens');
    await person.look('studio-tokens-gone');
    await person.goto('/studio?done=joined');
    await person.look('studio-spaces');
    await person.goto('/studio/999999/stories');
    await person.look('studio-no-member');
    await person.close();
  });
}

for (const script of [false, true]) {
  test(`a space is made and opened ${script ? 'with' : 'without'} scripts`, async () => {
    const w = WORDS.en;
    const person = await desk.person(`walk-${script}@example.org`, { script });
    await person.goto('/studio');
    await person.press(w.newSpace, 'link');
    await person.type({ name: 'Newsroom' });
    await person.press(w.make);
    assert.match(await person.page.getByRole('heading', { level: 1 }).innerText(), /Newsroom is ready/);
    assert.match(await person.page.locator('main').innerText(), /sbpub_\S+[^]*sbprev_\S+[^]*sbpriv_\S+/);
    await person.press(w.open, 'link');
    assert.match(person.path, /^\/studio\/\d+$/);
    if (script) await person.page.getByRole('heading', { name: 'Stories', level: 1 }).waitFor();
    else assert.match(await person.page.locator('main').innerText(), /only works with JavaScript/);
    await person.goto('/');
    assert.equal(person.path, '/studio');
    await person.press('Newsroom', 'link');
    person.isSilent('walk');
    await person.close();
  });
}
