// A space with stories whose texts are rich, and what the tests of them share.

import { call, make } from './desk.mjs';
import { saved } from './story.mjs';

const STYLES = [{ _uid: 's1', name: 'Lead', value: 'lead' }];
const COMPONENTS = [
  {
    name: 'article', display_name: 'Article', is_root: true, is_nestable: false,
    schema: {
      title: { type: 'text', pos: 0 },
      text: { type: 'richtext', display_name: 'Text', pos: 1, translatable: true, style_options: STYLES, allow_target_blank: true, restrict_components: true, component_whitelist: ['teaser', 'text_block'] },
      short: { type: 'richtext', display_name: 'Short', pos: 2, customize_toolbar: true, toolbar: ['bold', 'link'] },
    },
  },
  { name: 'teaser', display_name: 'Teaser', is_root: false, is_nestable: true, preview_field: 'headline', schema: { headline: { type: 'text', display_name: 'Headline', pos: 0 } } },
  { name: 'text_block', display_name: 'Text block', is_root: false, is_nestable: true, schema: { text: { type: 'richtext', display_name: 'Inner text', pos: 0 } } },
  { name: 'button', display_name: 'Button', is_root: false, is_nestable: true, schema: { label: { type: 'text', pos: 0 } } },
];

export const doc = (...content) => ({ type: 'doc', content });
export const text = (words, ...marks) => (marks.length > 0 ? { type: 'text', text: words, marks } : { type: 'text', text: words });
export const paragraph = (...content) => (content.length > 0 ? { type: 'paragraph', content: content.map((one) => (typeof one === 'string' ? text(one) : one)) } : { type: 'paragraph' });
export const blok = (id, ...body) => ({ type: 'blok', attrs: { id, body } });
export const teaser = (uid, headline) => ({ _uid: uid, component: 'teaser', headline });

/** A space with these components, and a story with this text. */
export async function richSpace(person, value, more = {}) {
  const { space } = await call(person, 'POST', '/api/v1/spaces', { name: 'Writers', languages: [{ code: 'de', name: 'German' }] });
  for (const component of COMPONENTS) await call(person, 'POST', `/api/v1/spaces/${space.id}/components`, { component });
  const content = { _uid: 'root', component: 'article', title: 'Harbour', ...(value === undefined ? {} : { text: value }), ...more };
  const story = await make(person, space.id, { name: 'Harbour', slug: 'harbour', content });
  return { space: space.id, story: story.id, uuid: story.uuid };
}

/** Opens the story, and waits until its texts can be written. */
export async function openText(person, { space, story }, query = '') {
  await person.goto(`/studio/${space}/stories/${story}${query}`);
  await person.page.getByRole('textbox', { name: 'Text', exact: true }).waitFor();
  return person.page.getByRole('textbox', { name: 'Text', exact: true });
}

/** The content as the server has it, once what was done is saved. */
export async function savedContent(person, { space, story }) {
  await saved(person);
  return (await call(person, 'GET', `/api/v1/spaces/${space}/stories/${story}`)).story.content;
}

/** Pastes as a program would have copied: these texts by type. */
export async function pasteInto(locator, data) {
  await locator.evaluate((element, given) => {
    const clipboardData = new DataTransfer();
    for (const [type, value] of Object.entries(given)) clipboardData.setData(type, value);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, data);
}
