// What a value refers to by names of its own space: stories and files.

import { isList, isObject, textOf, type Json, type JsonObject } from './json.ts';
import type { Field } from './schema.ts';

export interface Reference {
  readonly kind: 'story' | 'file';
  /** The UUID of a story, the address of a file. */
  readonly target: string;
  /** What a person knows it by. */
  readonly name: string;
}

/** The references in the value of a field. Blocks within it are blocks of their own, and not looked into. */
export function referencesIn(value: Json | undefined, field: Field | undefined): readonly Reference[] {
  if ((field?.type === 'option' || field?.type === 'options') && field.source === 'stories') {
    return (isList(value) ? value : [value]).map(textOf).flatMap((uuid) => (uuid ? [storyOf(uuid)] : []));
  }
  if ((field?.type === 'image' || field?.type === 'file') && typeof value === 'string') return fileOf(value);
  return within(value);
}

function within(value: Json | undefined): readonly Reference[] {
  if (isList(value)) return value.flatMap(within);
  if (!isObject(value) || value.type === 'blok' || typeof value.component === 'string') return [];
  if (typeof value.linktype === 'string') return linkOf(value);
  if (value.fieldtype === 'asset' || (typeof value.filename === 'string' && 'alt' in value)) return value.is_external_url === true ? [] : fileOf(value.filename);
  if (value.type === 'image' && isObject(value.attrs)) return fileOf(value.attrs.src);
  return Object.values(value).flatMap(within);
}

/** The field of a link and the mark of one in rich text name their targets in different members. */
function linkOf(link: JsonObject): readonly Reference[] {
  const uuid = textOf(link.id) || textOf(link.uuid);
  const address = textOf(link.cached_url) || textOf(link.href) || textOf(link.url);
  if (link.linktype === 'story') return uuid ? [storyOf(uuid, address)] : [];
  return link.linktype === 'asset' ? fileOf(address) : [];
}

function storyOf(uuid: string, path = ''): Reference {
  return { kind: 'story', target: uuid, name: path || uuid };
}

function fileOf(address: Json | undefined): readonly Reference[] {
  if (typeof address !== 'string' || address === '') return [];
  return [{ kind: 'file', target: address, name: address.split(/[?#]/)[0]!.split('/').at(-1) || address }];
}
