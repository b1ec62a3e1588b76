import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readComponent } from '../model/components.ts';
import { shownFields } from '../model/conditions.ts';
import type { JsonObject } from '../model/json.ts';
import { arrange, tabOf, type Tab } from './layout.ts';

function tabsOf(schema: JsonObject): readonly Tab[] {
  const component = readComponent({ name: 'page', schema });
  return arrange(component.fields, shownFields(component, {}));
}

/** The arrangement in short: `tab: field, section(field, field)`. */
function drawn(tabs: readonly Tab[]): string[] {
  return tabs.map(({ tab, items }) => {
    const parts = items.map((item) => (item.kind === 'field' ? item.shown.field.name : `${item.section.name}(${item.fields.map(({ field }) => field.name).join(', ')})`));
    return `${tab?.name ?? '-'}: ${parts.join(', ')}`;
  });
}

test('without tabs and sections the fields stand in the order of the schema', () => {
  assert.deepEqual(drawn(tabsOf({ b: { type: 'text', pos: 1 }, a: { type: 'text', pos: 0 }, c: { type: 'text' } })), ['-: a, b, c']);
  assert.deepEqual(drawn(tabsOf({})), []);
});

test('a tab holds fields and sections, and what no tab names comes first', () => {
  const tabs = tabsOf({
    title: { type: 'text', pos: 0 }, meta: { type: 'section', pos: 2, keys: ['description', 'image'] }, image: { type: 'asset', pos: 3 },
    description: { type: 'text', pos: 4 }, body: { type: 'bloks', pos: 1 }, 'tab-1': { type: 'tab', pos: 9, keys: ['meta', 'body'] }, empty: { type: 'tab', pos: 10, keys: [] },
  });
  assert.deepEqual(drawn(tabs), ['-: title', 'tab-1: body, meta(image, description)']);
  assert.deepEqual(['title', 'description', 'body', 'gone'].map((name) => tabOf(tabs, name)), [0, 1, 1, 0]);
});

test('a field that is named in many places, or that is not there, is shown once or not at all', () => {
  const tabs = tabsOf({
    a: { type: 'text', pos: 0 }, b: { type: 'text', pos: 1 }, one: { type: 'tab', pos: 2, keys: ['a', 'a', 'gone'] }, two: { type: 'tab', pos: 3, keys: ['a', 'b'] },
    group: { type: 'section', pos: 4, keys: ['b'] }, other: { type: 'section', pos: 5, keys: ['b'] },
  });
  // A section that no tab names is in the first one, and so is what it holds.
  assert.deepEqual(drawn(tabs), ['-: group(b)', 'one: a']);
});

test('with a tab or a section that a condition hides goes what is in it', () => {
  const hidden = { conditional_settings: [{ modifications: [{ display: 'hide' }], rule_match: 'all', rule_conditions: [{ validation: 'empty', validated_object: { type: 'field', field_key: 'a', field_attr: 'value' } }] }] };
  const tabs = tabsOf({
    a: { type: 'text', pos: 0 }, b: { type: 'text', pos: 1 }, c: { type: 'text', pos: 2 }, section: { type: 'section', pos: 3, keys: ['b'], ...hidden }, tab: { type: 'tab', pos: 4, keys: ['c'], ...hidden },
  });
  assert.deepEqual(drawn(tabs), ['-: a']);
});
