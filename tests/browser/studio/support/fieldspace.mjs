// A space whose component has a field of every type, and a story with a value in each of them.

import { call } from './desk.mjs';

/** The schema of a block with a field of every type, in the order in which they are shown. */
const FIELDS = {
  title: { type: 'text', display_name: 'Title', required: true, translatable: true, max_length: '20', description: 'What stands above the page.' },
  teaser: { type: 'textarea', display_name: 'Teaser', translatable: true, description: 'Shown in lists.', tooltip: true },
  notes: { type: 'markdown', display_name: 'Notes' },
  price: { type: 'number', display_name: 'Price', min_value: 0, max_value: 100, decimals: 2 },
  stock: { type: 'number', display_name: 'Stock' },
  featured: { type: 'boolean', display_name: 'Featured' },
  hidden: { type: 'boolean', display_name: 'Hide from search', inline_label: true },
  date: { type: 'datetime', display_name: 'Date' },
  day: { type: 'datetime', display_name: 'Day', disable_time: true },
  colour: { type: 'option', display_name: 'Colour', translatable: true, options: [{ name: 'Red', value: 'red' }, { name: 'Green', value: 'green' }] },
  country: { type: 'option', display_name: 'Country', source: 'internal', datasource_slug: 'countries' },
  author: { type: 'option', display_name: 'Author', source: 'internal_stories', filter_content_type: ['author'] },
  spoken: { type: 'options', display_name: 'Spoken', source: 'internal_languages' },
  sizes: { type: 'options', display_name: 'Sizes', max_options: '3', options: ['S', 'M', 'L', 'XL'].map((name) => ({ name, value: name.toLowerCase() })) },
  related: { type: 'options', display_name: 'Related', source: 'internal_stories' },
  picture: { type: 'asset', display_name: 'Picture' },
  link: { type: 'multilink', display_name: 'Link' },
  text: { type: 'richtext', display_name: 'Text', translatable: true },
  plugin: { type: 'custom', display_name: 'Plugin', field_type: 'colour-picker' },
  odd: { type: 'text', display_name: 'Odd' },
};

export const SCHEMA = Object.fromEntries(Object.entries(FIELDS).map(([name, field], pos) => [name, { ...field, pos }]));

/** A value of every type, in the kinds that content has. */
export const CONTENT = {
  _uid: 'f0000000-0000-4000-8000-000000000001',
  component: 'everything',
  title: 'Harbour',
  title__i18n__de: 'Hafen',
  teaser: 'Ships\nand cranes',
  notes: '# Heading',
  price: '12.50',
  stock: 4,
  featured: true,
  date: '2026-01-02 03:04',
  day: '2026-01-02 00:00',
  colour: 'blue',
  country: 'de',
  spoken: ['de'],
  sizes: ['m', 's'],
  picture: { id: 7, alt: 'A crane', name: '', focus: '', title: '', filename: 'https://a.storyblok.com/f/1/300x200/abc/crane.png', copyright: '', fieldtype: 'asset' },
  link: { id: '', url: 'https://example.org/harbour', linktype: 'url', fieldtype: 'multilink', cached_url: 'https://example.org/harbour' },
  text: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'The harbour wakes early.' }] }] },
  plugin: { _uid: 'p', plugin: 'colour-picker', hue: 210 },
  odd: { was: 'an object' },
};

/** Makes the space and its stories. Gives the numbers of space and story, and the UUIDs of the authors. */
export async function fieldSpace(desk, person) {
  const space = await desk.space(person, 'Harbours', { languages: [{ code: 'de', name: 'German' }, { code: 'ar', name: 'Arabic' }] });
  const at = `/api/v1/spaces/${space}`;
  for (const component of [{ name: 'author', is_root: true, schema: {} }, { name: 'everything', display_name: 'Everything', is_root: true, schema: SCHEMA }]) {
    await call(person, 'POST', `${at}/components`, { component });
  }
  const { datasource } = await call(person, 'POST', `${at}/datasources`, { datasource: { name: 'Countries', slug: 'countries' } });
  for (const [name, value] of [['Germany', 'de'], ['France', 'fr'], ['Ghana', 'gh']]) {
    await call(person, 'POST', `${at}/datasource_entries`, { datasource_entry: { name, value, datasource_id: datasource.id } });
  }
  const authors = {};
  for (const [name, slug] of [['Ada', 'ada'], ['Grace', 'grace']]) {
    authors[slug] = (await call(person, 'POST', `${at}/stories`, { story: { name, slug, content: { component: 'author' } } })).story.uuid;
  }
  const content = { ...CONTENT, author: authors.ada, related: [authors.grace, '00000000-0000-4000-8000-00000000dead'] };
  const { story } = await call(person, 'POST', `${at}/stories`, { story: { name: 'Harbour', slug: 'harbour', content } });
  return { space, story: story.id, authors, content };
}
