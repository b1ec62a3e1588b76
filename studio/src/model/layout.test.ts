import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readComponent } from './components.ts';
import { headingOf, tabOf, tabsOf } from './layout.ts';

const component = readComponent({
  name: 'page',
  schema: {
    body: { type: 'bloks', pos: 1 },
    title: { type: 'text', pos: 0 },
    seo: { type: 'section', pos: 2, keys: ['seo_title', 'seo_text'], fieldset: { title: 'Search', collapsed: true } },
    seo_text: { type: 'text', pos: 4 },
    seo_title: { type: 'text', pos: 3 },
    'tab-1': { type: 'tab', pos: 5, display_name: 'Style', keys: ['theme', 'more'] },
    theme: { type: 'option', pos: 6 },
    more: { type: 'section', pos: 7, keys: ['colour'] },
    colour: { type: 'text', pos: 8 },
    'tab-2': { type: 'tab', pos: 9, keys: ['gone'] },
  },
});

const shape = (shows: (name: string) => boolean) =>
  tabsOf(component, (field) => shows(field.name)).map((tab) => [tab.label, ...tab.parts.map((part) => [part.section?.name, ...part.fields.map(({ name }) => name)])]);

test('fields stand in their tabs and sections, by position, and empty ones are left out', () => {
  assert.deepEqual(shape(() => true), [
    ['', [undefined, 'title'], [undefined, 'body'], ['seo', 'seo_title', 'seo_text']],
    ['Style', [undefined, 'theme'], ['more', 'colour']],
  ]);
  // What is hidden takes its section or tab along.
  assert.deepEqual(shape((name) => !['seo_title', 'seo_text', 'theme', 'more'].includes(name)), [['', [undefined, 'title'], [undefined, 'body']]]);
  assert.deepEqual(shape((name) => name === 'theme'), [['Style', [undefined, 'theme']]]);
  assert.deepEqual(shape(() => false), [['']]);
});

test('a field is found in its tab, and a section has the name of its fieldset', () => {
  const tabs = tabsOf(component, () => true);
  assert.deepEqual(['title', 'seo_text', 'colour', 'gone'].map((name) => tabOf(tabs, name)?.name), ['', '', 'tab-1', undefined]);
  const section = component.fields.find(({ name }) => name === 'seo');
  assert.ok(section?.type === 'section');
  assert.deepEqual(headingOf(section), { title: 'Search', isFolded: true });
});
