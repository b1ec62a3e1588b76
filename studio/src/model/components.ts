// Reads the schemas of components from what `GET components` answers. Those of imported spaces have every shape: numbers are texts, texts are empty, members are
// missing.

import { kindsOfWords } from './filekinds.ts';
import { isList, isObject, numberOf, textOf, type Json, type JsonObject } from './json.ts';
import type { LinkOptions } from './links.ts';
import { Schemas, type Component, type Field, type OptionField, type Preset, type Restriction } from './schema.ts';

/** Reads the answer of `GET components`. */
export function readSchemas(answer: unknown): Schemas {
  const body = isObject(answer) ? answer : {};
  const groups = objects(body.component_groups).map((group) => ({ uuid: text(group.uuid) ?? '', name: text(group.name) ?? '', parent_uuid: text(group.parent_uuid) }));
  return new Schemas(objects(body.components).filter(({ name }) => typeof name === 'string').map(readComponent), groups);
}

export function readComponent(component: JsonObject): Component {
  const schema = isObject(component.schema) ? component.schema : {};
  const fields = Object.entries(schema).map(([name, field]) => readField(name, isObject(field) ? field : {}, numberOf(component.id) ?? 0));
  const placeOf = (field: Field) => numberOf(field.raw.pos) ?? Infinity;
  return {
    id: numberOf(component.id) ?? 0,
    name: String(component.name),
    display_name: text(component.display_name),
    description: text(component.description),
    icon: text(component.icon),
    color: text(component.color),
    image: text(component.image),
    is_root: isOn(component.is_root),
    is_nestable: isOn(component.is_nestable),
    preview_field: text(component.preview_field),
    group: text(component.component_group_uuid),
    tags: objects(component.internal_tags_list).map((tag) => ({ id: textOf(tag.id) ?? '', name: text(tag.name) ?? '' })),
    fields: fields.sort((one, other) => (placeOf(one) === placeOf(other) ? 0 : placeOf(one) - placeOf(other))),
    presets: objects(component.all_presets).flatMap(readPreset),
    preset_id: numberOf(component.preset_id) ?? null,
  };
}

/** Reads a preset; none where its content is no block. */
export function readPreset(preset: JsonObject): Preset[] {
  if (!isObject(preset.preset)) return [];
  return [{ id: numberOf(preset.id) ?? 0, name: text(preset.name) ?? '', description: text(preset.description), image: text(preset.image), preset: preset.preset }];
}

/** Reads a field, which may belong to a component. */
export function readField(name: string, raw: JsonObject, component = 0): Field {
  const common = {
    name,
    display_name: text(raw.display_name),
    description: text(raw.description),
    tooltip: isOn(raw.tooltip),
    required: isOn(raw.required),
    translatable: isOn(raw.translatable),
    default_value: raw.default_value,
    conditional_settings: raw.conditional_settings,
    raw,
  };
  switch (raw.type) {
    case 'text':
    case 'textarea':
    case 'markdown':
      return { ...common, type: raw.type, min_length: count(raw.minlength, raw.min_length), max_length: count(raw.max_length, raw.maxlength), regex: text(raw.regex), rtl: isOn(raw.rtl) };
    case 'number':
      return { ...common, type: 'number', min_value: numberOf(raw.min_value), max_value: numberOf(raw.max_value), decimals: numberOf(raw.decimals), steps: numberOf(raw.steps) };
    case 'boolean':
      return { ...common, type: 'boolean', inline_label: isOn(raw.inline_label) };
    case 'datetime':
      return { ...common, type: 'datetime', disable_time: isOn(raw.disable_time) };
    case 'option':
    case 'options':
      return { ...common, type: raw.type, ...readOptions(raw), component };
    case 'bloks':
      return { ...common, type: 'bloks', minimum: count(raw.minimum, raw.minimum_entries), maximum: count(raw.maximum, raw.maximum_entries), restriction: readRestriction(raw) };
    case 'richtext':
      return { ...common, type: 'richtext', restriction: readRestriction(raw), toolbar: isOn(raw.customize_toolbar) ? texts(raw.toolbar) : undefined, styles: readChoices(raw.style_options), links: readLinkOptions(raw) };
    case 'section':
    case 'tab':
      return { ...common, type: raw.type, keys: texts(raw.keys) };
    case 'group':
      return { ...common, type: 'section', keys: texts(raw.keys) };
    case 'custom':
      return { ...common, type: 'custom', field_type: text(raw.field_type) };
    case 'multilink':
    case 'link':
      return { ...common, type: 'multilink', links: readLinkOptions(raw) };
    case 'asset':
    case 'multiasset':
    case 'image':
    case 'file':
      return { ...common, type: raw.type, ...readFiles(raw) };
    case 'table':
      return { ...common, type: 'table' };
    default:
      return { ...common, type: 'unknown' };
  }
}

function readOptions(raw: JsonObject) {
  const sources: Record<string, OptionField['source']> = { internal: 'datasource', internal_stories: 'stories', internal_languages: 'languages', external: 'external' };
  return {
    source: sources[text(raw.source) ?? ''] ?? 'self',
    options: readChoices(raw.options),
    datasource_slug: text(raw.datasource_slug),
    external_datasource: text(raw.external_datasource),
    folder_slug: text(raw.folder_slug),
    filter_content_type: texts(raw.filter_content_type),
    exclude_empty_option: isOn(raw.exclude_empty_option),
    // Schemas that say nothing of it have stories with UUIDs.
    use_uuid: raw.use_uuid === undefined || raw.use_uuid === null || isOn(raw.use_uuid),
    entry_appearance: raw.entry_appearance === 'card' ? 'card' as const : 'link' as const,
    minimum: count(raw.min_options),
    maximum: count(raw.max_options),
  };
}

/** What a multilink field allows a link to be, or a rich text, where each type may stand. */
export function readLinkOptions(raw: JsonObject): LinkOptions {
  const isRichtext = raw.type === 'richtext';
  const has = (name: string) => isRichtext || isOn(raw[name]);
  return {
    types: ['story', 'url', ...(has('email_link_type') ? ['email' as const] : []), ...(has('asset_link_type') ? ['asset' as const] : [])],
    hasAnchor: has('show_anchor'),
    hasTarget: isOn(raw.allow_target_blank),
    hasAttributes: isOn(raw.allow_custom_attributes),
    contentTypes: isOn(raw.restrict_content_types) ? texts(raw.component_whitelist) : [],
    folder: text(raw.link_scope),
    isFolderForced: isOn(raw.force_link_scope),
  };
}

function readFiles(raw: JsonObject) {
  return {
    kinds: raw.type === 'image' ? (['image'] as const) : kindsOfWords(texts(raw.filetypes)),
    asset_folder_id: count(raw.asset_folder_id) ?? null,
    allow_external_url: isOn(raw.allow_external_url),
    minimum: count(raw.minimum_entries),
    maximum: count(raw.maximum_entries),
  };
}

function readChoices(given: Json | undefined) {
  return objects(given).flatMap((choice) => {
    const value = textOf(choice.value);
    return value === undefined ? [] : [{ value, name: text(choice.name) ?? value }];
  });
}

function readRestriction(raw: JsonObject): Restriction | undefined {
  if (!isOn(raw.restrict_components)) return undefined;
  const by = raw.restrict_type === 'groups' || raw.restrict_type === 'tags' ? raw.restrict_type : 'names';
  const prefix = { names: 'component', groups: 'component_group', tags: 'component_tag' }[by];
  return { by, allowed: texts(raw[`${prefix}_whitelist`]), denied: texts(raw[`${prefix}_denylist`]) };
}

/** A text that is not blank. */
function text(value: Json | undefined): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** A list of texts, of numbers as their texts, or one text alone. */
function texts(value: Json | undefined): string[] {
  const items = isList(value) ? value : [value];
  return items.map(textOf).filter((item) => item !== undefined).filter((item) => item.trim() !== '');
}

function objects(value: Json | undefined): JsonObject[] {
  return isList(value) ? value.filter(isObject) : [];
}

function isOn(value: Json | undefined): boolean {
  return value === true || value === 1 || value === 'true' || value === '1';
}

/** The first of these that is a number from 1 on; 0 is no bound. */
function count(...values: (Json | undefined)[]): number | undefined {
  return values.map(numberOf).find((value) => value !== undefined && value >= 1);
}
