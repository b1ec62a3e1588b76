// The components of a space and the fields of their schemas. `components.ts` reads them; what it could not read is absent here, and `raw` keeps all of it.

import type { AssetKind } from './assets.ts';
import type { Json, JsonObject } from './json.ts';
import type { LinkOptions } from './links.ts';

/** Which blocks a list may hold: named components, those of groups with their subgroups, or those with tags. An empty `allowed` allows all. */
export interface Restriction {
  readonly by: 'names' | 'groups' | 'tags';
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
}

export interface Choice {
  readonly name: string;
  readonly value: string;
}

interface Common {
  readonly name: string;
  readonly display_name: string | null;
  readonly description: string | null;
  /** The description is shown on demand only. */
  readonly tooltip: boolean;
  readonly required: boolean;
  readonly translatable: boolean;
  readonly default_value: Json | undefined;
  readonly conditional_settings: Json | undefined;
  readonly raw: JsonObject;
}

export interface TextField extends Common {
  readonly type: 'text' | 'textarea' | 'markdown';
  readonly min_length: number | undefined;
  readonly max_length: number | undefined;
  readonly regex: string | null;
  readonly rtl: boolean;
}

export interface NumberField extends Common {
  readonly type: 'number';
  readonly min_value: number | undefined;
  readonly max_value: number | undefined;
  readonly decimals: number | undefined;
  readonly steps: number | undefined;
}

export interface BooleanField extends Common {
  readonly type: 'boolean';
  /** The label stands beside the switch. */
  readonly inline_label: boolean;
}

export interface DatetimeField extends Common {
  readonly type: 'datetime';
  readonly disable_time: boolean;
}

export interface OptionField extends Common {
  readonly type: 'option' | 'options';
  readonly source: 'self' | 'datasource' | 'stories' | 'languages' | 'external';
  readonly options: readonly Choice[];
  readonly datasource_slug: string | null;
  readonly external_datasource: string | null;
  /** The component that the field is of, by which the server is asked for the options of another one. */
  readonly component: number;
  readonly folder_slug: string | null;
  readonly filter_content_type: readonly string[];
  readonly exclude_empty_option: boolean;
  /** Stories are named by their UUID, else by their number. */
  readonly use_uuid: boolean;
  /** How stories that were chosen are shown. */
  readonly entry_appearance: 'link' | 'card';
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}

export interface BloksField extends Common {
  readonly type: 'bloks';
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly restriction: Restriction | undefined;
}

export interface RichtextField extends Common {
  readonly type: 'richtext';
  readonly restriction: Restriction | undefined;
  /** The names of what the toolbar offers; nothing where that is everything. */
  readonly toolbar: readonly string[] | undefined;
  /** The classes that words may have, by the names that people read. */
  readonly styles: readonly Choice[];
  readonly links: LinkOptions;
}

/** It has no value of its own: it arranges the fields that it names. */
export interface LayoutField extends Common {
  readonly type: 'section' | 'tab';
  readonly keys: readonly string[];
}

export interface CustomField extends Common {
  readonly type: 'custom';
  /** The name of the plugin. */
  readonly field_type: string | null;
}

export interface LinkField extends Common {
  readonly type: 'multilink';
  readonly links: LinkOptions;
}

/** `image` and `file` are the older types, whose values are URLs. */
export interface AssetField extends Common {
  readonly type: 'asset' | 'multiasset' | 'image' | 'file';
  /** Any of these; none means all. */
  readonly kinds: readonly AssetKind[];
  /** The folder of the library that is shown first. */
  readonly asset_folder_id: number | null;
  readonly allow_external_url: boolean;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}

/** What only its own editor looks into; `unknown` are the types that are not known here. */
export interface OtherField extends Common {
  readonly type: 'table' | 'unknown';
}

export type Field =
  | TextField | NumberField | BooleanField | DatetimeField | OptionField | BloksField | RichtextField | LayoutField | CustomField | LinkField | AssetField | OtherField;
export type FieldType = Field['type'];

export interface Preset {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly image: string | null;
  /** A block, whose `_uid`s are not to be used again. */
  readonly preset: JsonObject;
}

export interface Component {
  readonly id: number;
  readonly name: string;
  readonly display_name: string | null;
  readonly description: string | null;
  readonly icon: string | null;
  readonly color: string | null;
  readonly image: string | null;
  readonly is_root: boolean;
  readonly is_nestable: boolean;
  readonly preview_field: string | null;
  /** The UUID of its group. */
  readonly group: string | null;
  readonly tags: readonly { readonly id: string; readonly name: string }[];
  /** In the order of `pos`. */
  readonly fields: readonly Field[];
  readonly presets: readonly Preset[];
  /** The preset that a new block begins with. */
  readonly preset_id: number | null;
}

export interface ComponentGroup {
  readonly uuid: string;
  readonly name: string;
  readonly parent_uuid: string | null;
}

/** The components of a space, by name. Names differ by case. */
export class Schemas {
  readonly #components: Map<string, Component>;
  readonly groups: readonly ComponentGroup[];

  constructor(components: readonly Component[] = [], groups: readonly ComponentGroup[] = []) {
    this.#components = new Map(components.map((component) => [component.name, component]));
    this.groups = groups;
  }

  component(name: Json | undefined): Component | undefined {
    return typeof name === 'string' ? this.#components.get(name) : undefined;
  }

  all(): readonly Component[] {
    return [...this.#components.values()];
  }

  /** A component has other presets now. */
  setPresets({ name }: Component, change: (presets: readonly Preset[]) => readonly Preset[]): void {
    const component = this.#components.get(name);
    if (component) this.#components.set(name, { ...component, presets: change(component.presets) });
  }

  /** The schema of a member of a block, whatever its language. */
  field(block: JsonObject, member: string): Field | undefined {
    const name = fieldOf(member);
    return this.component(block.component)?.fields.find((field) => field.name === name);
  }

  /** Whether a list with a restriction may hold blocks of a component. */
  allows(restriction: Restriction | undefined, component: Component): boolean {
    if (!restriction) return true;
    const has = (names: readonly string[]) => this.#marksOf(restriction.by, component).some((mark) => names.includes(mark));
    return (restriction.allowed.length === 0 || has(restriction.allowed)) && !has(restriction.denied);
  }

  /** What a restriction may name a component by. */
  #marksOf(by: Restriction['by'], component: Component): string[] {
    switch (by) {
      case 'names': return [component.name];
      case 'tags': return component.tags.map(({ id }) => id);
      case 'groups': {
        const way: string[] = [];
        for (let uuid = component.group; uuid && !way.includes(uuid);) {
          way.push(uuid);
          uuid = this.groups.find((group) => group.uuid === way.at(-1))?.parent_uuid ?? null;
        }
        return way;
      }
    }
  }
}

/** What stands between the name of a field and the code of a language, in which `-` is `_`. */
const LANGUAGE = '__i18n__';

/** The field of a member of a block: `title` of `title__i18n__de`. */
export function fieldOf(member: string): string {
  const at = member.indexOf(LANGUAGE);
  return at >= 0 ? member.slice(0, at) : member;
}

/** The language of a member, of those that there are: `de` of `title__i18n__de`; `''` is the default one. */
export function languageOf(member: string, codes: readonly string[]): string {
  return codes.find((code) => memberOf(fieldOf(member), code) === member) ?? '';
}

/** The member that holds a field in a language; `''` is the default one. */
export function memberOf(field: string, language: string): string {
  return language === '' ? field : `${field}${LANGUAGE}${language.replaceAll('-', '_')}`;
}
