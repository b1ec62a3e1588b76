// A space with a story that sites show, and the studio with it open.
import { call, make } from './desk.mjs';

const COMPONENTS = [
  {
    name: 'landing', display_name: 'Landing page', is_root: true, is_nestable: false,
    schema: {
      title: { type: 'text', pos: 0, translatable: true },
      author: { type: 'option', source: 'internal_stories', pos: 1 },
      body: { type: 'bloks', pos: 2 },
      text: { type: 'richtext', pos: 3 },
    },
  },
  { name: 'grid', display_name: 'Grid', is_root: false, is_nestable: true, schema: { columns: { type: 'bloks', pos: 0 } } },
  { name: 'teaser', display_name: 'Teaser', is_root: false, is_nestable: true, preview_field: 'headline', schema: { headline: { type: 'text', pos: 0 } } },
];

/** A space with `Home`, whose author is the story `Ann`, and these environments. Its `token` reads drafts. */
export async function previewSpace(person, name, environments = [], more = {}) {
  const { space, tokens } = await call(person, 'POST', '/api/v1/spaces', { name });
  await call(person, 'PUT', `/api/v1/spaces/${space.id}`, { space: { environments, ...more } });
  for (const component of COMPONENTS) await call(person, 'POST', `/api/v1/spaces/${space.id}/components`, { component });
  const author = await make(person, space.id, { name: 'Ann', slug: 'ann', content: { component: 'landing', title: 'Ann' } });
  const teaser = (uid, headline) => ({ _uid: uid, component: 'teaser', headline });
  const content = {
    _uid: 'root', component: 'landing', title: 'Welcome', author: author.uuid,
    body: [teaser('first', 'First'), { _uid: 'grid', component: 'grid', columns: [teaser('second', 'Second'), teaser('third', 'Third')] }],
  };
  const story = await make(person, space.id, { name: 'Home', slug: 'home', content });
  return { id: space.id, story: story.id, author: author.id, token: tokens.preview };
}

/** Opens a story in the studio, with its preview in an environment. The frame is what it answers. */
export async function openPreview(person, space, environment, story = space.story) {
  const { page } = person;
  await person.goto(`/studio/${space.id}/stories/${story}`);
  if (environment) {
    const choice = page.getByRole('combobox', { name: 'Environment' });
    const shown = await choice.evaluate((select) => select.selectedOptions[0].label);
    if (shown !== environment) await choice.selectOption(environment);
    // The page of the environment before is gone then.
    await page.waitForFunction((location) => document.querySelector('iframe')?.src.startsWith(location), await choice.inputValue());
  }
  return page.frameLocator('iframe');
}

/** Until the page in the frame and the studio have spoken with each other: before it, a click in the page is nothing to the studio. */
export const hears = (frame) => frame.locator('html[data-inputs]').waitFor({ state: 'attached' });
