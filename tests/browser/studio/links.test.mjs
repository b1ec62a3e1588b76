// Links as old and imported content has them, what the schema allows of them, and attributes that must not take the place of what a link is made of.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, Desk, make } from './support/desk.mjs';
import { doc, openText, paragraph, richSpace, savedContent, text } from './support/richspace.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

const row = (person, name) => person.page.locator(`[data-field="${name}"]`);
const option = (person, words) => person.page.locator('[role=option]', { hasText: words });
const tab = (person, name) => row(person, name).locator('[role=tab][aria-selected=true]').innerText();

const FIELDS = {
  title: { type: 'text', display_name: 'Title' },
  path: { type: 'multilink', display_name: 'Path' },
  number: { type: 'multilink', display_name: 'Number', show_anchor: true },
  phone: { type: 'multilink', display_name: 'Phone' },
  nothing: { type: 'multilink', display_name: 'Nothing', email_link_type: true },
  file: { type: 'multilink', display_name: 'File' },
  mail: { type: 'multilink', display_name: 'Mail' },
  off: { type: 'multilink', display_name: 'Off' },
  attributes: { type: 'multilink', display_name: 'Attributes', allow_custom_attributes: true },
  blank: { type: 'multilink', display_name: 'Blank', allow_target_blank: true },
  shop: { type: 'multilink', display_name: 'Shop', link_scope: '/shop', restrict_content_types: false, component_whitelist: ['author'] },
};

/** A space with links of every kind, and the story that has them. */
async function linkSpace(person) {
  const space = await desk.space(person, 'Links');
  const schema = Object.fromEntries(Object.entries(FIELDS).map(([name, field], pos) => [name, { ...field, pos }]));
  await call(person, 'POST', `/api/v1/spaces/${space}/components`, { component: { name: 'links', display_name: 'Links', is_root: true, schema } });
  const shop = await make(person, space, { name: 'Shop', slug: 'shop', is_folder: true });
  const old = await make(person, space, { name: 'Old shop', slug: 'shop-old', is_folder: true });
  const tea = await make(person, space, { name: 'Tea', slug: 'tea', parent_id: shop.id });
  await make(person, space, { name: 'Rum', slug: 'rum', parent_id: old.id });
  const deep = await make(person, space, { name: 'Deep', slug: 'deep', parent_id: old.id, is_folder: true });
  await make(person, space, { name: 'Deep down', slug: 'links-deep', parent_id: deep.id });
  const multilink = { id: '', url: '', linktype: 'story', fieldtype: 'multilink', cached_url: '' };
  const content = {
    _uid: 'f0000000-0000-4000-8000-000000000009',
    component: 'links',
    title: 'Links',
    path: { ...multilink, cached_url: 'about/us', note: 'kept' },
    number: { ...multilink, id: tea.id, cached_url: 'shop/tea' },
    phone: { url: '+47 555', linktype: 'phone' },
    nothing: { id: null, url: null, email: null, anchor: null, target: null, linktype: null, cached_url: null, fieldtype: 'multilink' },
    file: { ...multilink, linktype: 'asset', url: 'https://files.example.org/a.pdf', cached_url: 'https://files.example.org/a.pdf' },
    mail: { ...multilink, linktype: 'email', url: 'ada@example.org', cached_url: 'ada@example.org', email: 'ada@example.org' },
    off: { ...multilink, linktype: 'email', email: '' },
    attributes: { ...multilink, id: tea.uuid, cached_url: 'shop/tea', 'data-first': '1', 'data-second': '2' },
    blank: { ...multilink, id: tea.uuid, cached_url: 'shop/tea' },
    shop: multilink,
  };
  const story = await make(person, space, { name: 'Links', slug: 'links', content });
  return { space, story: story.id, tea, content };
}

const open = async (person, { space, story }) => {
  await person.goto(`/studio/${space}/stories/${story}`);
  await row(person, 'attributes').getByRole('link', { name: 'Open Tea in a new tab' }).waitFor();
};

test('links of every kind open under the right tab, say what is odd, and stay until they are changed', async () => {
  const person = await desk.person('odd@example.org');
  const at = await linkSpace(person);
  const { content, tea } = at;
  const { page } = person;
  await open(person, at);
  await row(person, 'number').getByRole('link', { name: 'Open Tea in a new tab' }).waitFor();
  await row(person, 'path').getByText('about/us', { exact: true }).waitFor();
  await row(person, 'path').getByText('This link has the path of a story, but names none').waitFor();
  await row(person, 'phone').getByText('The studio does not know the kind “phone” that this link has.').waitFor();
  assert.equal(await row(person, 'phone').getByRole('textbox').inputValue(), '+47 555');
  const tabs = [['path', 'Story'], ['number', 'Story'], ['phone', 'URL'], ['nothing', 'Story'], ['file', 'File'], ['mail', 'E-mail'], ['off', 'Story']];
  for (const [name, shown] of tabs) assert.match(await tab(person, name), new RegExp(`^${shown}`), name);
  assert.equal(await row(person, 'file').getByRole('textbox').inputValue(), 'https://files.example.org/a.pdf');
  await row(person, 'file').getByText('Links of this kind are off for this field.').waitFor();
  await person.look('links-odd');

  // Looking at another tab changes nothing, and the first one has what it had.
  await row(person, 'path').getByRole('tab', { name: 'URL' }).click();
  await row(person, 'path').getByText('The link is still the one under “Story” until you enter one here.').waitFor();
  await row(person, 'path').getByRole('tab', { name: 'Story' }).click();
  await row(person, 'path').getByText('about/us', { exact: true }).waitFor();
  await row(person, 'blank').getByRole('checkbox').check();
  await row(person, 'blank').getByRole('checkbox').uncheck();
  await row(person, 'title').getByRole('textbox').fill('Touched');
  assert.deepEqual(await savedContent(person, at), { ...content, title: 'Touched' });

  // What is changed is written, and only that.
  await row(person, 'number').getByRole('textbox', { name: 'Anchor, the part after #' }).fill('green');
  await row(person, 'phone').getByRole('textbox').fill('https://example.org');
  await row(person, 'phone').getByText('The studio does not know').waitFor({ state: 'detached' });
  await row(person, 'path').getByRole('combobox', { name: 'Path' }).fill('tea');
  await option(person, 'Tea').click();
  await row(person, 'path').getByRole('link', { name: 'Open Tea in a new tab' }).waitFor();
  await row(person, 'nothing').getByRole('tab', { name: 'E-mail' }).click();
  await row(person, 'nothing').getByRole('textbox').fill('mailto:ada@example.org');
  assert.deepEqual(await savedContent(person, at), {
    ...content,
    title: 'Touched',
    number: { ...content.number, anchor: 'green' },
    phone: { linktype: 'url', id: '', url: 'https://example.org', cached_url: 'https://example.org' },
    path: { ...content.path, id: tea.uuid, cached_url: 'shop/tea' },
    nothing: { ...content.nothing, linktype: 'email', id: '', url: 'ada@example.org', cached_url: 'ada@example.org', email: 'ada@example.org' },
  });
  assert.equal(await page.locator('.problem-page').count(), 0);
  person.isSilent('odd');
  await person.close();
});

test('the search for a story begins in the folder of the schema, whose name is not the beginning of another', async () => {
  const person = await desk.person('scope@example.org');
  const at = await linkSpace(person);
  await open(person, at);
  const shop = row(person, 'shop');
  await shop.getByRole('combobox', { name: 'Shop' }).click();
  await option(person, 'Tea').waitFor();
  assert.deepEqual(await person.page.locator('[role=option] > span:first-child').allTextContents(), ['Tea']);
  await person.page.keyboard.press('Escape');
  await shop.getByRole('checkbox', { name: 'Search outside of shop/ too' }).check();
  await shop.getByRole('combobox', { name: 'Shop' }).fill('rum');
  await option(person, 'Rum').waitFor();
  await person.page.keyboard.press('Escape');

  // What the list shows is chosen, also while the next search is under way.
  const folders = /[?&]folder_only=1/;
  await shop.getByRole('combobox', { name: 'Shop' }).fill('tea');
  await person.page.locator('[role=option][aria-selected=true]', { hasText: 'Tea' }).waitFor();
  let letGo;
  const held = new Promise((done) => (letGo = done));
  await person.page.route(folders, async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  const asked = person.page.waitForRequest(folders);
  await shop.getByRole('combobox', { name: 'Shop' }).fill('links-deep');
  await asked;
  await option(person, 'Tea').click();
  letGo();
  await shop.getByRole('link', { name: 'Open Tea in a new tab' }).waitFor();
  assert.equal((await savedContent(person, at)).shop.id, at.tea.uuid);
  // Without the story the search has the focus.
  await shop.getByRole('button', { name: 'Shop: choose nothing' }).press('Enter');
  assert.equal(await person.page.evaluate(() => document.activeElement.getAttribute('role')), 'combobox');
  assert.deepEqual(await savedContent(person, at), at.content);
  person.isSilent('scope');
  await person.close();
});

/** Adds an attribute, and gives what is said of it. */
async function addAttribute(person, within, name, value) {
  await within.getByRole('button', { name: 'Add an attribute' }).click();
  await person.page.keyboard.type(name);
  await person.page.keyboard.press('Tab');
  await person.page.keyboard.type(value);
  return within.locator('.attribute-rows li').last().locator('.hint').allTextContents();
}

test('an attribute takes the place of no member of the link', async () => {
  const person = await desk.person('attributes@example.org');
  const at = await linkSpace(person);
  const { content } = at;
  await open(person, at);
  const link = row(person, 'attributes');
  for (const name of ['id', 'Linktype', 'cached_url', '__proto__', 'custom']) {
    assert.deepEqual(await addAttribute(person, link, name, 'x'), [`“${name}” is a part of the link itself and cannot be an attribute. Choose another name.`]);
  }
  // One that is renamed to no good name keeps its own; the rows stay where they are.
  const names = link.getByRole('textbox', { name: 'Name of the attribute' });
  await names.first().fill('url');
  await link.getByText('In the link it is still “data-first”.').waitFor();
  assert.deepEqual(await savedContent(person, at), content);
  // What was typed is there again when the story is.
  await person.page.getByRole('link', { name: 'Back to the list' }).click();
  await person.page.getByText('It is not saved, and is lost when you close this page.').waitFor();
  await person.page.getByRole('button', { name: 'Open', exact: true }).click();
  await link.getByText('In the link it is still “data-first”.').waitFor();
  assert.deepEqual(await names.evaluateAll((all) => all.map(({ value }) => value)), ['url', 'data-second', 'id', 'Linktype', 'cached_url', '__proto__', 'custom']);
  for (const name of ['id', 'Linktype', 'cached_url', '__proto__', 'custom']) await link.getByRole('button', { name: `${name}: remove` }).click();
  await names.first().fill('data-third');
  assert.deepEqual([await names.nth(0).inputValue(), await names.nth(1).inputValue()], ['data-third', 'data-second']);
  const { 'data-first': first, ...others } = content.attributes;
  assert.deepEqual(await savedContent(person, at), { ...content, attributes: { ...others, 'data-third': first } });
  person.isSilent('attributes');
  await person.close();
});

test('a link in a rich text has the same form, and keeps what is not known of it', async () => {
  const person = await desk.person('intext@example.org');
  const mark = { type: 'link', attrs: { href: '/shop/tea', uuid: '00000000-0000-4000-8000-00000000dead', anchor: null, target: '_self', linktype: 'story', custom: { rel: 'me', href: '/kept' }, story: { id: 7 }, extra: 'kept' } };
  const at = await richSpace(person, doc(paragraph(text('tea', mark))));
  const { components } = await call(person, 'GET', `/api/v1/spaces/${at.space}/components`);
  const article = components.find(({ name }) => name === 'article');
  const schema = { ...article.schema, text: { ...article.schema.text, allow_custom_attributes: true } };
  await call(person, 'PUT', `/api/v1/spaces/${at.space}/components/${article.id}`, { component: { name: 'article', schema } });
  const box = await openText(person, at);
  const dialog = person.page.getByRole('dialog', { name: 'Link' });
  const link = async () => {
    await box.focus();
    await person.page.keyboard.press('Control+k');
    await dialog.getByRole('tablist').waitFor();
  };
  const apply = async () => {
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.waitFor({ state: 'detached' });
    return (await savedContent(person, at)).text.content[0].content[0].marks[0].attrs;
  };

  await link();
  await dialog.getByText('This space has no such story.').waitFor();
  await dialog.getByRole('textbox', { name: 'Anchor, the part after #' }).fill('#green');
  await dialog.getByRole('checkbox', { name: 'The site opens it in a new tab' }).check();
  assert.equal(await dialog.getByRole('textbox', { name: 'Relation (rel)' }).inputValue(), 'me');
  assert.deepEqual(await addAttribute(person, dialog, 'linktype', 'x'), ['“linktype” is a part of the link itself and cannot be an attribute. Choose another name.']);
  await addAttribute(person, dialog, 'data-a', 'b');
  // Nothing that was typed is left out silently.
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog.getByRole('alert').getByText('An attribute is not a part of the link yet.').waitFor();
  await dialog.getByRole('button', { name: 'linktype: remove' }).click();
  const changed = { ...mark.attrs, anchor: 'green', target: '_blank', custom: { ...mark.attrs.custom, 'data-a': 'b' } };
  assert.deepEqual(await apply(), changed);

  await link();
  await dialog.getByRole('tab', { name: 'E-mail' }).click();
  await dialog.getByRole('tabpanel').getByRole('textbox').fill('mailto:ada@example.org');
  assert.deepEqual(await apply(), { ...changed, href: 'ada@example.org', uuid: null, linktype: 'email', anchor: null });
  person.isSilent('intext');
  await person.close();
});
