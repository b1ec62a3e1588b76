// Values of JSON, as contents and schemas hold them. They are never changed in place: what changes is copied, so that two equal objects are often the same one.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Array.isArray` makes `any[]` of a readonly array. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** A plain value as text; nothing of lists, objects and null. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** A number, or a text that writes one in decimal digits; schemas and contents have both. */
export function numberOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value;
  const text = typeof value === 'string' ? value.trim() : '';
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

/** Whether two values are the same to the server, which does not look at the order of members. */
export function isEqual(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (isList(one)) return isList(other) && one.length === other.length && one.every((item, index) => isEqual(item, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]));
}

/** An object with one member set; `undefined` removes it. It keeps its place among the members, a new one is the last, and `at` names another place. */
export function withMember(object: JsonObject, name: string, value: Json | undefined, at?: number): JsonObject {
  if (value !== undefined && at === undefined) return { ...object, [name]: value };
  const others = Object.entries(object).filter(([other]) => other !== name);
  if (value !== undefined) others.splice(at ?? others.length, 0, [name, value]);
  return Object.fromEntries(others);
}
