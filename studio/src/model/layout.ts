// How the form of a component is arranged: into tabs, and in each of them fields and sections of fields.
import { isObject } from './json.ts';
import type { Component, Field, LayoutField } from './schema.ts';

export interface Tab {
  /** The name of its schema entry; nothing of the first one, which has what no tab names. */
  readonly name: string;
  readonly label: string;
  readonly parts: readonly Part[];
}

/** A field, or a section with its fields. */
export interface Part {
  readonly section: LayoutField | undefined;
  readonly fields: readonly Field[];
}

/** The tabs of a component; without any of its own it has one. `shows` says which fields there are in this block. */
export function tabsOf(component: Component, shows: (field: Field) => boolean): readonly Tab[] {
  const tabs = component.fields.filter((field): field is LayoutField => field.type === 'tab');
  const inTabs = new Set(tabs.flatMap((tab) => tab.keys));
  const inSections = new Set(component.fields.flatMap((field) => (field.type === 'section' ? field.keys : [])));
  const partsOf = (isHere: (field: Field) => boolean): Part[] =>
    component.fields
      .filter((field) => field.type !== 'tab' && !inSections.has(field.name) && isHere(field) && shows(field))
      .map((field) => (field.type === 'section' ? sectionOf(component, field as LayoutField, shows) : { section: undefined, fields: [field] }))
      .filter((part) => part.fields.length > 0);
  const first: Tab = { name: '', label: '', parts: partsOf((field) => !inTabs.has(field.name)) };
  const others = tabs.map((tab): Tab => ({ name: tab.name, label: tab.display_name || tab.name, parts: partsOf((field) => tab.keys.includes(field.name)) }));
  const filled = [first, ...others].filter((tab) => tab.parts.length > 0);
  return filled.length > 0 ? filled : [first];
}

function sectionOf(component: Component, section: LayoutField, shows: (field: Field) => boolean): Part {
  const fields = component.fields.filter((field) => section.keys.includes(field.name) && field.type !== 'section' && field.type !== 'tab' && shows(field));
  return { section, fields };
}

/** The tab that a field is in. */
export function tabOf(tabs: readonly Tab[], field: string): Tab | undefined {
  return tabs.find((tab) => tab.parts.some((part) => part.fields.some(({ name }) => name === field)));
}

/** What a section is called, and whether it begins folded. */
export function headingOf(section: LayoutField): { readonly title: string; readonly isFolded: boolean } {
  const fieldset = isObject(section.raw.fieldset) ? section.raw.fieldset : {};
  const title = typeof fieldset.title === 'string' ? fieldset.title.trim() : '';
  return { title: section.display_name || title || section.name, isFolded: fieldset.collapsed === true };
}
