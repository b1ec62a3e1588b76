// Conditional fields: which fields of a block are shown, and which of them are required, given its other values. The server validates by the same rules
// (`crates/domain/src/content/validation`).

import { isList, isObject, numberOf, textOf, type Json, type JsonObject } from './json.ts';
import type { Component, Field } from './schema.ts';

export interface ShownField {
  readonly field: Field;
  readonly isRequired: boolean;
}

/** The fields of a block that are not hidden, in the order of the schema; sections and tabs too. What is hidden keeps its value. */
export function shownFields(component: Component, block: JsonObject): readonly ShownField[] {
  return component.fields.flatMap((field) => {
    let isHidden = false;
    let isRequired = field.required;
    for (const setting of objects(field.conditional_settings).filter((setting) => applies(setting, component, block))) {
      for (const { display, required } of objects(setting.modifications)) {
        if (display === 'hide' || display === 'show') isHidden = display === 'hide';
        const word = textOf(required);
        if (word === 'true' || word === 'false') isRequired = word === 'true';
      }
    }
    return isHidden ? [] : [{ field, isRequired }];
  });
}

function applies(setting: JsonObject, component: Component, block: JsonObject): boolean {
  const conditions = objects(setting.rule_conditions);
  switch (textOf(setting.rule_match) || 'all') {
    case 'all': return conditions.length > 0 && conditions.every((condition) => isTrue(condition, component, block));
    case 'any': return conditions.some((condition) => isTrue(condition, component, block));
    default: return false;
  }
}

/** Unknown words are never true. */
function isTrue(condition: JsonObject, component: Component, block: JsonObject): boolean {
  const object = isObject(condition.validated_object) ? condition.validated_object : {};
  if ((textOf(object.type) || 'field') !== 'field' || (textOf(object.field_attr) || 'value') !== 'value') return false;
  const key = textOf(object.field_key) ?? '';
  const value = block[key];
  const isEmpty = isMissing(component.fields.find(({ name }) => name === key), value);
  const bound = textOf(condition.value);
  switch (textOf(condition.validation)) {
    case 'empty':
    case 'is_empty': return isEmpty;
    case 'not_empty':
    case 'is_not_empty': return !isEmpty;
    case 'equals':
    case 'is_equal': return joined(value) === bound;
    case 'not_equals':
    case 'is_not_equal': return joined(value) !== bound;
    case 'gt': return compare(value, bound, (one, other) => one > other);
    case 'lt': return compare(value, bound, (one, other) => one < other);
    default: return false;
  }
}

function compare(value: Json | undefined, bound: string | undefined, holds: (one: number, other: number) => boolean): boolean {
  const [one, other] = [numberOf(value), numberOf(bound)];
  return one !== undefined && other !== undefined && holds(one, other);
}

/** A list has commas between its items. */
function joined(value: Json | undefined): string | undefined {
  return isList(value) ? value.map((item) => textOf(item) ?? '').join(',') : textOf(value);
}

/** Whether a field is without a value: absent, null, an empty text or list, blanks only, rich text without content, an asset without file, a link without target. */
export function isMissing(field: Field | undefined, value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (isList(value)) return value.length === 0;
  if (!isObject(value)) return false;
  switch (field?.type) {
    case 'richtext': return !hasContent(value);
    case 'asset': return isBlank(value.filename);
    case 'multilink': return !targetsOf(value).some((name) => !isBlank(value[name]));
    default: return false;
  }
}

function hasContent(node: JsonObject): boolean {
  const has = { text: !isBlank(node.text), image: true, emoji: true, blok: isObject(node.attrs) && isList(node.attrs.body) && node.attrs.body.length > 0 };
  return has[node.type as keyof typeof has] || (isList(node.content) && node.content.some((child) => isObject(child) && hasContent(child)));
}

/** Where a link may keep its target. A URL has no id, and what one has from before is not its target. */
function targetsOf(link: JsonObject): string[] {
  switch (link.linktype) {
    case 'url': return ['url', 'cached_url'];
    case 'email': return ['email', 'url', 'cached_url'];
    default: return ['id', 'url', 'cached_url'];
  }
}

function isBlank(value: Json | undefined): boolean {
  return typeof value !== 'string' || value.trim() === '';
}

/** The objects of a list, or one that stands alone. */
function objects(value: Json | undefined): JsonObject[] {
  return (isList(value) ? value : [value]).filter(isObject);
}
