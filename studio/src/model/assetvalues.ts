// The values by which content names files: objects of an asset, and the URLs of older content, which stay texts. What is changed of one leaves the rest of it.

import { ASSET_TEXTS, isDecorative, valueOfAsset, type Asset } from './assets.ts';
import { isList, isObject, withMember, type Json, type JsonObject } from './json.ts';
import type { AssetField } from './schema.ts';

type FileType = AssetField['type'];

const isTextual = (value: Json | undefined): boolean => value === undefined || value === null || typeof value === 'string';

/** What a field holds that names no file. */
export const NO_FILE: JsonObject = {
  id: null, alt: '', name: '', focus: '', title: '', source: '', filename: '', copyright: '', fieldtype: 'asset', meta_data: {},
};

/** Whether a value is one that the editors of files can show and change. */
export function isFileValue(value: Json | undefined): boolean {
  if (!isObject(value)) return isTextual(value);
  const isAsset = value.fieldtype === undefined || value.fieldtype === 'asset';
  return isAsset && ['filename', 'focus', ...ASSET_TEXTS].every((name) => isTextual(value[name])) && (value.meta_data === undefined || value.meta_data === null || isObject(value.meta_data));
}

/** In a list `null` is no file; an empty text is an empty list. */
export function isListOfFiles(value: Json | undefined): boolean {
  if (isList(value)) return value.every((item) => item !== null && isFileValue(item));
  return value === undefined || value === null || value === '';
}

/** What a field holds when a file of the library was picked: fields of the older types, and those that are texts in them, hold its URL. */
export function pickedValue(type: FileType, before: Json | undefined, asset: Asset): Json {
  const isUrl = (type === 'image' || type === 'file') && !isObject(before);
  return isUrl ? asset.filename : valueOfAsset(asset);
}

/** What a field holds when a URL was typed. An old text stays one. */
export function typedValue(type: FileType, before: Json | undefined, url: string): Json {
  if (heldAsText(type, before)) return url;
  return { ...(isObject(before) ? before : NO_FILE), id: null, filename: url, is_external_url: true };
}

/** What a field holds when its file was removed. */
export function emptiedFile(type: FileType, before: Json | undefined): Json {
  return heldAsText(type, before) ? '' : NO_FILE;
}

/** Whether a field holds a URL as a text: the older types do, and others where such a text is. */
function heldAsText(type: FileType, before: Json | undefined): boolean {
  if (isObject(before)) return false;
  return type === 'image' || type === 'file' || (typeof before === 'string' && before !== '');
}

/** Whether a picture is there for its looks alone at this place. */
export function isDecorativeHere(value: JsonObject): boolean {
  return isObject(value.meta_data) && isDecorative({ meta_data: value.meta_data });
}

/** Marks a picture as decorative, which then has no alternative text, or no longer. */
export function withDecorative(value: JsonObject, isOn: boolean): JsonObject {
  const meta = isObject(value.meta_data) ? value.meta_data : {};
  const marked = { ...value, meta_data: withMember(meta, 'decorative', isOn || undefined) };
  return isOn ? { ...marked, alt: '' } : marked;
}

/** Whether a file is not of the library: its URL was typed. */
export function isExternal(value: Json | undefined): boolean {
  return isObject(value) && value.is_external_url === true;
}
