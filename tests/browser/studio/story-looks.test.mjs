// How the screen of a story looks in every state, in both languages, and what it costs to load.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { after, before, test } from 'node:test';
import { call, Desk, make } from './support/desk.mjs';
import { card, join, open, stored, storySpace, toggle } from './support/story.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

const WORDS = {
  en: { outline: 'Outline', compare: 'Compare', more: 'More actions for this story', settings: 'Settings', actions: 'Actions for Grid' },
  de: { outline: 'Gliederung', compare: 'Vergleichen', more: 'Weitere Aktionen für diese Story', settings: 'Settings', actions: 'Aktionen für Grid' },
};

/** Kilobytes of script, compressed, until the form of a story can be used, without what is loaded when it is needed. */
const SCRIPT = 180;
/** Requests after the document until then. */
const REQUESTS = 14;

test('the screen of a story is within its budget', async () => {
  const person = await desk.person('budget@example.org');
  const at = await storySpace(person, 'Newsroom');
  const requests = [];
  const sizes = [];
  let scripts = 0;
  person.page.on('request', (request) => requests.push(request.url()));
  // The JSON view has its editor in a chunk of its own, which a field loads when it is shown.
  const measure = (response) => {
    if (response.request().resourceType() === 'script' && !response.url().includes('/codemirror.')) sizes.push(response.body().then((body) => (scripts += gzipSync(body, { level: 9 }).length)));
  };
  person.page.on('response', measure);
  await open(person, at);
  person.page.off('response', measure);
  await Promise.all(sizes);
  assert.ok(scripts > 0 && scripts <= SCRIPT * 1024, `${scripts} bytes of script`);
  assert.ok(requests.length - 1 <= REQUESTS, requests.join('\n'));
  // The story, the components, and what is wrong: nothing else is asked of the API, and nothing is written.
  const asked = requests.filter((url) => url.includes('/api/')).map((url) => new URL(url).pathname.replace(/^.*\/spaces\/\d+\//, '').replace(/\d+/, '{id}'));
  assert.deepEqual(asked.filter((path) => !['stories/{id}', 'components', 'stories/{id}/validate'].includes(path)), []);
  person.isSilent('budget');
  await person.close();
});

for (const language of ['en', 'de']) {
  const w = WORDS[language];

  test(`a story in every state, in ${language}`, async () => {
    const person = await desk.person(`looks-${language}@example.org`, { language });
    const at = await storySpace(person, 'Newsroom of the northern harbours', { languages: [{ code: 'de', name: 'German' }] });
    const api = `/api/v1/spaces/${at.space}/stories/${at.story}`;
    await open(person, at);
    await person.look('story');
    await toggle(person, 'Grid').click();
    await toggle(person, 'Teaser: First').click();
    await toggle(person, 'Text: A rich text').click();
    await toggle(person, 'carousel: Of a component that is gone').click();
    await person.page.getByRole('tab', { name: w.settings }).waitFor();
    await person.look('story-cards');
    await card(person, 'Grid').getByRole('button', { name: w.actions }).click();
    await person.page.getByRole('menu').waitFor();
    await person.look('story-card-menu');
    await open(person, at, '?at=body%2F0%2Fcolumns%2F0%2Fbuttons%2F0&uid=button-1');
    await person.page.getByRole('heading', { name: 'Button', level: 2 }).waitFor();
    await person.look('story-block');
    await person.page.setViewportSize({ width: 360, height: 900 });
    await person.page.getByRole('button', { name: w.outline, exact: true }).click();
    await person.look('story-outline');
    await open(person, at, '?language=de');
    await person.look('story-language');
    await open(person, at, '?tab=tab-settings');
    await person.look('story-tab');
    for (const dialog of ['add&into=body&index=1', 'publish', 'publish-language', 'unpublish', 'discard', 'history', 'keys']) {
      await open(person, at, `?dialog=${dialog}`);
      await person.page.getByRole('dialog').waitFor();
      if (dialog === 'publish') await person.page.locator('.problem-list li').first().waitFor();
      if (dialog === 'history') await person.page.locator('.versions li').first().waitFor();
      await person.look(`story-dialog-${dialog.split('&')[0]}`);
    }
    await open(person, at);
    await person.page.getByRole('button', { name: w.more }).click();
    await person.page.getByRole('menu').waitFor();
    await person.look('story-menu');

    // An error at a field, in its tab, its card and the outline.
    const { content } = await stored(person, at);
    content.title = '';
    content.body[0].columns[0].headline = '';
    await call(person, 'PUT', api, { story: { content } });
    await open(person, at);
    await person.page.locator('.field-problems').first().waitFor();
    await toggle(person, 'Grid').click();
    await person.look('story-problems');

    // A conflict.
    await call(person, 'PUT', api, { story: { content: { ...content, title: 'Written by somebody else', seo_title: 'And found' } } });
    await person.page.getByLabel('title', { exact: true }).fill('Written here');
    await person.page.getByRole('button', { name: w.compare }).click();
    await person.page.getByRole('dialog').waitFor();
    await person.look('story-conflict');

    // What is not there, and what only a viewer sees.
    await person.goto(`/studio/${at.space}/stories/999999`);
    await person.page.getByRole('alert').waitFor();
    await person.look('story-missing');
    await make(person, at.space, { name: 'A story whose name is much longer than any head of a story should ever have to be, and even longer', slug: 'a-slug-that-is-as-long-as-a-slug-can-be-when-it-was-made-of-a-sentence', content: { component: 'landing', title: '' } });
    const viewer = await desk.person(`viewer-${language}@example.org`, { language });
    await join(person, viewer, `viewer-${language}@example.org`, at.space, 'viewer');
    await open(viewer, at);
    await viewer.look('story-viewer');
    await viewer.close();
    await person.close();
  });
}

test('from 320 pixels to 4k nothing is cut off', async () => {
  const person = await desk.person('sizes@example.org');
  const at = await storySpace(person, 'Newsroom', { languages: [{ code: 'de', name: 'German' }] });
  const name = 'A story whose name is much longer than any head of a story should ever have to be, and even longer';
  const long = await make(person, at.space, { name, slug: 'a-slug-that-is-as-long-as-a-slug-can-be-when-it-was-made-of-a-sentence', content: { component: 'landing', title: 'x'.repeat(300), body: [{ component: 'a_component_without_any_place_to_break_in_its_name_at_all', text: 'y'.repeat(300) }] } });
  for (const query of ['', '?at=body%2F0', '?dialog=add&into=body', '?dialog=publish']) {
    await open(person, { space: at.space, story: long.id }, query);
    for (const width of [320, 768, 1024, 1920, 3840]) {
      await person.page.setViewportSize({ width, height: 900 });
      const overflow = await person.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${query} at ${width}: ${overflow} pixels too wide`);
    }
  }
  await person.close();
});
