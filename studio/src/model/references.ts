// What a value refers to by names of its own space: stories and files.

import { isList, isObject, textOf, type Json, type JsonObject } from './json.ts';
import { readLink, readLinkMark, type Link } from './links.ts';
import type { Field } from './schema.ts';

export interface Reference {
  readonly kind: 'story' | 'file';
  /** The UUID of a story, in old content its number or but a path; the address of a file. */
  readonly target: string;
  /** What a person knows it by. */
  readonly name: string;
}

/** The references in the value of a field. Blocks within it are blocks of their own, and not looked into. */
export function referencesIn(value: Json | undefined, field: Field | undefined): readonly Reference[] {
  const items = isList(value) ? value : [value];
  switch (field?.type) {
    case 'option':
    case 'options':
      return field.source === 'stories' ? items.map(textOf).flatMap((story) => (story ? [storyOf(story)] : [])) : within(value);
    case 'image':
    case 'file':
    case 'asset':
    case 'multiasset':
      return items.flatMap((item) => (isObject(item) ? assetOf(item) : fileOf(item)));
    case 'multilink':
      return isObject(value) ? linkTo(readLink(value)) : [];
    default:
      return within(value);
  }
}

function within(value: Json | undefined): readonly Reference[] {
  if (isList(value)) return value.flatMap(within);
  if (!isObject(value) || value.type === 'blok' || typeof value.component === 'string') return [];
  if (value.type === 'link' && isObject(value.attrs)) return linkTo(readLinkMark(value.attrs));
  // Plugins keep links in either way.
  if (typeof value.linktype === 'string' || value.fieldtype === 'multilink') return linkTo('href' in value && !textOf(value.id) ? readLinkMark(value) : readLink(value));
  if (value.fieldtype === 'asset' || (typeof value.filename === 'string' && 'alt' in value)) return assetOf(value);
  if (value.type === 'image' && isObject(value.attrs)) return fileOf(value.attrs.src);
  return Object.values(value).flatMap(within);
}

function linkTo({ type, story, address }: Link): readonly Reference[] {
  if (type === 'asset') return fileOf(address);
  const target = story || (address === '#' ? '' : address);
  return type === 'story' && target !== '' ? [storyOf(target, address)] : [];
}

function assetOf(asset: JsonObject): readonly Reference[] {
  return asset.is_external_url === true ? [] : fileOf(asset.filename);
}

function storyOf(uuid: string, path = ''): Reference {
  return { kind: 'story', target: uuid, name: path || uuid };
}

function fileOf(address: Json | undefined): readonly Reference[] {
  if (typeof address !== 'string' || address === '') return [];
  return [{ kind: 'file', target: address, name: address.split(/[?#]/)[0]!.split('/').at(-1) || address }];
}
