// A space whose component has links, references, tables, Markdown and values of plugins, and the stories that they refer to.

import { call } from './desk.mjs';

const multilink = { type: 'multilink', email_link_type: true, asset_link_type: true, show_anchor: true, allow_target_blank: true, allow_custom_attributes: true };

const FIELDS = {
  link: { ...multilink, display_name: 'Link' },
  narrow: { type: 'multilink', display_name: 'Narrow', restrict_content_types: true, component_whitelist: ['author'], link_scope: '{0}/people/', force_link_scope: true },
  old: { type: 'multilink', display_name: 'Old' },
  entry: { type: 'option', display_name: 'Entry', source: 'internal', datasource_slug: 'entries' },
  author: { type: 'option', display_name: 'Author', source: 'internal_stories', filter_content_type: ['author'], folder_slug: '{0}/people/', use_uuid: false },
  related: { type: 'options', display_name: 'Related', source: 'internal_stories', entry_appearance: 'card' },
  table: { type: 'table', display_name: 'Table' },
  aged: { type: 'table', display_name: 'Aged' },
  notes: { type: 'markdown', display_name: 'Notes' },
  short: { type: 'markdown', display_name: 'Short', customize_toolbar: true, toolbar: ['bold', 'h2', 'help'] },
  plugin: { type: 'custom', display_name: 'Plugin', field_type: 'seo' },
  nested: { type: 'custom', display_name: 'Nested', field_type: 'icons' },
  price: { type: 'number', display_name: 'Price', min_value: 0, max_value: 2, decimals: 2, steps: 0.25 },
};

const NOWHERE = '00000000-0000-4000-8000-00000000dead';
const cell = (value) => ({ value, note: 'kept' });

/** Makes the space and its stories. Gives the number of the space, the story with the fields, its content, and the other stories by their paths. */
export async function valueSpace(desk, person) {
  const space = await desk.space(person, 'Quay');
  const at = `/api/v1/spaces/${space}`;
  const schema = Object.fromEntries(Object.entries(FIELDS).map(([name, field], pos) => [name, { ...field, pos }]));
  for (const component of [{ name: 'author', display_name: 'Author', is_root: true, schema: {} }, { name: 'values', display_name: 'Values', is_root: true, schema }]) {
    await call(person, 'POST', `${at}/components`, { component });
  }
  const { datasource } = await call(person, 'POST', `${at}/datasources`, { datasource: { name: 'Entries', slug: 'entries' } });
  const numbers = Array.from({ length: 230 }, (_, index) => index + 1);
  await Promise.all([numbers.filter((number) => number % 2), numbers.filter((number) => number % 2 === 0)].map(async (half) => {
    for (const number of half) await call(person, 'POST', `${at}/datasource_entries`, { datasource_entry: { name: `Entry ${number}`, value: `e${number}`, position: number, datasource_id: datasource.id } });
  }));
  const stories = {};
  const add = async (path, story) => {
    const parent_id = stories[path.split('/').slice(0, -1).join('/')]?.id ?? 0;
    stories[path] = (await call(person, 'POST', `${at}/stories`, { story: { slug: path.split('/').at(-1), parent_id, ...story } })).story;
  };
  await add('en', { name: 'English', is_folder: true });
  await add('en/people', { name: 'People', is_folder: true });
  await add('en/people/ada', { name: 'Ada', content: { component: 'author' } });
  await add('en/people/people', { name: 'All people', is_startpage: true, content: { component: 'page' } });
  await add('de', { name: 'Deutsch', is_folder: true });
  await add('de/grace', { name: 'Grace', content: { component: 'author' } });
  await add('gone', { name: 'Gone', content: { component: 'page' } });
  await call(person, 'POST', `${at}/stories/${stories['en/people/ada'].id}/publish`);
  await call(person, 'DELETE', `${at}/stories/${stories.gone.id}`);
  const content = {
    _uid: 'f0000000-0000-4000-8000-000000000002',
    component: 'values',
    link: { id: '', url: '#', _uid: 'l', linktype: 'story', fieldtype: 'multilink', cached_url: '', prep: true },
    narrow: { id: stories.gone.uuid, url: '', linktype: 'story', fieldtype: 'multilink', cached_url: 'gone', target: '_blank' },
    old: '/contact',
    entry: 'e222',
    author: '',
    related: [stories['de/grace'].uuid, NOWHERE, stories['en/people'].uuid],
    table: { thead: [{ _uid: 'h', component: '_table_head', value: 'Port' }, { _uid: 'i', component: '_table_head', value: 'Ships' }], tbody: [{ _uid: 'r', component: '_table_row', body: [{ _uid: 'c', component: '_table_col', value: 'Bergen' }, { _uid: 'd', component: '_table_col', value: 12, value__i18n__fr: 'douze' }] }], fieldtype: 'table' },
    aged: { thead: [cell('a'), cell('b')], tbody: [{ body: [cell('1'), cell('2')] }, { body: [cell('3')] }] },
    notes: 'The *harbour* wakes early.',
    short: '',
    plugin: { _uid: 'p', plugin: 'seo', title: 'Quay', depth: 4, index: true, image: null },
    nested: { _uid: 'n', plugin: 'icons', icons: ['anchor'] },
    price: '1.10',
  };
  const { story } = await call(person, 'POST', `${at}/stories`, { story: { name: 'Quay', slug: 'quay', parent_id: stories.en.id, content } });
  return { space, story: story.id, stories, content };
}
