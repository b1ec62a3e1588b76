// New blocks: what they begin with.
import { isList, isObject, textOf, type Json, type JsonObject } from './json.ts';
import type { Component, Field, Preset } from './schema.ts';
import { newUid, withNewUids } from './uids.ts';

/** A block of a component, with the default values of its fields; of a preset, where one is given. */
export function newBlock(component: Component, preset?: Preset): JsonObject {
  const members = component.fields.flatMap((field): [string, Json][] => {
    const value = defaultOf(field);
    return value === undefined ? [] : [[field.name, value]];
  });
  const block = { _uid: newUid(), component: component.name, ...Object.fromEntries(members) };
  return preset ? { ...block, ...withNewUids({ ...preset.preset, component: component.name }) } : block;
}

/** The preset that a component says its new blocks begin with. */
export function defaultPreset(component: Component): Preset | undefined {
  return component.presets.find((preset) => preset.id === component.preset_id);
}

function defaultOf(field: Field): Json | undefined {
  const given = field.default_value;
  if (given === undefined || given === null || given === '') return field.type === 'bloks' ? [] : undefined;
  switch (field.type) {
    case 'bloks': return blocksOf(given);
    case 'boolean': return given === true || given === 'true' || given === 1 || given === '1';
    case 'options': return isList(given) ? given : (textOf(given) ?? '').split(/\s+/).filter(Boolean);
    case 'text':
    case 'textarea':
    case 'markdown':
    case 'number':
    case 'datetime':
    case 'option': return textOf(given);
    case 'section':
    case 'tab': return undefined;
    default: return given;
  }
}

/** The blocks of a default value: a list, or JSON text with one. */
function blocksOf(given: Json): Json {
  let list: unknown = given;
  if (typeof given === 'string') {
    try {
      list = JSON.parse(given);
    } catch {
      return [];
    }
  }
  return Array.isArray(list) ? list.filter(isObject).map(withNewUids) : [];
}
