// How the fields of a block are arranged in tabs and sections. Schemas name a field in several places, twice in one, or one that is not there: each field is shown
// once, in the first place that names it, and in the order of the schema everywhere.

import type { ShownField } from '../model/conditions.ts';
import type { Field, LayoutField } from '../model/schema.ts';

/** A section with its fields, or a field by itself. */
export type Item =
  | { readonly kind: 'field'; readonly shown: ShownField }
  | { readonly kind: 'section'; readonly section: LayoutField; readonly fields: readonly ShownField[] };

/** A tab with what is in it. What no tab names is in the first one, which has no field. */
export interface Tab {
  readonly tab: LayoutField | undefined;
  readonly items: readonly Item[];
}

/**
 * The tabs of a block, without those that are empty; one alone needs no tabs to choose from. `fields` are those of its component, `shown` those that no condition
 * hides: with a tab or a section goes what is in it.
 */
export function arrange(fields: readonly Field[], shown: readonly ShownField[]): readonly Tab[] {
  const layouts = fields.filter(isLayout);
  const [tabs, sections] = [layouts.filter(({ type }) => type === 'tab'), layouts.filter(({ type }) => type === 'section')];
  const sectionOf = firstToName(sections);
  const tabOf = firstToName(tabs);
  const items = shown.flatMap((one): { readonly item: Item; readonly tab: LayoutField | undefined }[] => {
    const { field } = one;
    if (isLayout(field)) {
      if (field.type === 'tab') return [];
      const fields = shown.filter((other) => !isLayout(other.field) && sectionOf.get(other.field.name) === field);
      return fields.length === 0 ? [] : [{ item: { kind: 'section', section: field, fields }, tab: tabOf.get(field.name) }];
    }
    return sectionOf.has(field.name) ? [] : [{ item: { kind: 'field', shown: one }, tab: tabOf.get(field.name) }];
  });
  return [undefined, ...tabs.filter((tab) => shown.some(({ field }) => field === tab))]
    .map((tab) => ({ tab, items: items.filter((one) => one.tab === tab).map(({ item }) => item) }))
    .filter((tab) => tab.items.length > 0);
}

/** Which of the tabs that hold a field's name shows it: needed to open it, when a link or a click in the preview leads to it. */
export function tabOf(tabs: readonly Tab[], field: string): number {
  const holds = (item: Item) => (item.kind === 'field' ? item.shown.field.name === field : item.fields.some((shown) => shown.field.name === field));
  return Math.max(0, tabs.findIndex((tab) => tab.items.some(holds)));
}

function isLayout(field: Field): field is LayoutField {
  return field.type === 'section' || field.type === 'tab';
}

/** For each name the first layout that has it among its keys. */
function firstToName(layouts: readonly LayoutField[]): ReadonlyMap<string, LayoutField> {
  const first = new Map<string, LayoutField>();
  for (const layout of layouts) {
    for (const key of layout.keys) if (!first.has(key)) first.set(key, layout);
  }
  return first;
}
