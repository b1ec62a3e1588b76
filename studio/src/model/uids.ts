// The `_uid` of blocks. The preview finds blocks by it, so that a copy needs one of its own.

import { isList, isObject, type Json, type JsonObject } from './json.ts';

/** A random UUID (version 4). `crypto.randomUUID` is missing where the studio is served over plain http. */
export function newUid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * A copy of a block in which it and everything within it that has a `_uid` has a new one. Where two had the same they have the same again: a translation holds its
 * blocks under the `_uid`s of the default language.
 */
export function withNewUids(block: JsonObject): JsonObject {
  const made = new Map<string, string>();
  return { ...(renewed(block, made) as JsonObject), _uid: newUid() };
}

function renewed(value: Json, made: Map<string, string>): Json {
  if (isList(value)) return value.map((item) => renewed(item, made));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, name === '_uid' && typeof member === 'string' ? uidFor(member, made) : renewed(member, made)]));
}

function uidFor(before: string, made: Map<string, string>): string {
  const uid = made.get(before) ?? newUid();
  // What was never filled in names nothing.
  if (before !== '') made.set(before, uid);
  return uid;
}
