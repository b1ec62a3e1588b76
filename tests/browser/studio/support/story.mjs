// Spaces with nested content for the tests of the screen of a story.
import assert from 'node:assert/strict';
import { call, make } from './desk.mjs';

/** Components: a page with tabs, sections and lists, and blocks that hold others. */
export const COMPONENTS = [
  {
    name: 'landing', display_name: 'Landing page', is_root: true, is_nestable: false,
    schema: {
      title: { type: 'text', pos: 0, required: true, translatable: true, max_length: 60, description: 'What stands in the tab of the browser.' },
      body: { type: 'bloks', pos: 1, display_name: 'Content', restrict_components: true, component_whitelist: ['grid', 'teaser', 'text_block', 'carousel'], maximum: 6 },
      seo: { type: 'section', pos: 2, display_name: 'Search engines', keys: ['seo_title'] },
      seo_title: { type: 'text', pos: 3, translatable: true },
      'tab-settings': { type: 'tab', pos: 4, display_name: 'Settings', keys: ['theme', 'hide_footer'] },
      theme: { type: 'option', pos: 5, options: [{ name: 'Light', value: 'light' }, { name: 'Dark', value: 'dark' }] },
      hide_footer: { type: 'boolean', pos: 6, default_value: true },
    },
  },
  { name: 'grid', display_name: 'Grid', is_root: false, is_nestable: true, color: '#2d4fc4', schema: { columns: { type: 'bloks', pos: 0 } } },
  {
    name: 'teaser', display_name: 'Teaser', is_root: false, is_nestable: true, preview_field: 'headline', color: '#17643a',
    schema: {
      headline: { type: 'text', pos: 0, required: true, translatable: true, default_value: 'New teaser' },
      link_text: { type: 'text', pos: 1 },
      buttons: { type: 'bloks', pos: 2, restrict_components: true, component_whitelist: ['button'], minimum: 0, maximum: 2 },
    },
  },
  { name: 'button', display_name: 'Button', is_root: false, is_nestable: true, schema: { label: { type: 'text', pos: 0, translatable: true } } },
  { name: 'text_block', display_name: 'Text', is_root: false, is_nestable: true, schema: { text: { type: 'richtext', pos: 0 } } },
];

export const CONTENT = {
  _uid: 'root', component: 'landing', title: 'Welcome', body: [
    {
      _uid: 'grid-1', component: 'grid', columns: [
        { _uid: 'teaser-1', component: 'teaser', headline: 'First', buttons: [{ _uid: 'button-1', component: 'button', label: 'Read more' }] },
        { _uid: 'teaser-2', component: 'teaser', headline: 'Second', buttons: [] },
      ],
    },
    {
      _uid: 'text-1', component: 'text_block', text: {
        type: 'doc', content: [
          { type: 'paragraph', content: [{ type: 'text', text: 'A rich text' }] },
          { type: 'blok', attrs: { id: 'b1', body: [{ _uid: 'teaser-3', component: 'teaser', headline: 'Within the text' }] } },
        ],
      },
    },
    { _uid: 'old-1', component: 'carousel', caption: 'Of a component that is gone', slides: 3 },
  ],
  stray: { kept: true },
};

/** A space with these components and a story `Home`. */
export async function storySpace(person, name, more = {}) {
  const { space } = await call(person, 'POST', '/api/v1/spaces', { name, ...more });
  for (const component of COMPONENTS) await call(person, 'POST', `/api/v1/spaces/${space.id}/components`, { component });
  const story = await make(person, space.id, { name: 'Home', slug: 'home', content: CONTENT });
  return { space: space.id, story: story.id };
}

/** Opens a story, and waits until its form is there. */
export async function open(person, { space, story }, query = '') {
  await person.goto(`/studio/${space}/stories/${story}${query}`);
  await person.page.locator('.block-fields').first().waitFor();
}

/** The draft as the server has it. */
export async function stored(person, { space, story }) {
  return (await call(person, 'GET', `/api/v1/spaces/${space}/stories/${story}`)).story;
}

/** Saves by the key, and waits until that is done. */
export async function saved(person) {
  const answer = person.page.waitForResponse((response) => response.request().method() === 'PUT' && !response.url().includes('autosave=1'));
  await person.page.keyboard.press('Control+s');
  assert.ok((await answer).ok());
}

/** Waits until the state line says this. */
export const stateIs = (person, text) => person.page.locator('.state-line').getByText(text).waitFor();

/** The card of a block, by what it is called and what it begins with. */
export const card = (person, name) => person.page.getByRole('group', { name, exact: true });

/** The button that opens and closes a card in place. */
export const toggle = (person, name) => card(person, name).getByRole('button', { expanded: undefined }).first();

/** What was told to a screen reader or in the notice. */
export const told = (person, text) => person.page.getByRole('status').getByText(text).first().waitFor();

/** Makes a person a member of a space, who takes the link of the invitation. */
export async function join(admin, person, email, space, role) {
  const { collaborator } = await call(admin, 'POST', `/api/v1/spaces/${space}/collaborators`, { email, role });
  await person.page.goto(collaborator.invitation.link);
  await person.page.locator('main button').first().click();
  await person.page.waitForURL('**/studio?done=joined');
}

/** Waits until the list at a path has these cards. */
export async function cards(person, path, expected) {
  const read = () => person.page.locator(`[data-field="${path}"] > .blocks > li > .block-card`).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  await person.page.waitForFunction(([where, wanted]) => {
    const all = [...document.querySelectorAll(`[data-field="${where}"] > .blocks > li > .block-card`)];
    return JSON.stringify(all.map((one) => one.getAttribute('aria-label'))) === JSON.stringify(wanted);
  }, [path, expected]).catch(async () => assert.deepEqual(await read(), expected));
}
