// Values of plugins, which are not run here: an object of plain members can be a form.

import { isObject, type Json, type JsonObject } from './json.ts';

/** The members that say which plugin the value belongs to. */
const OWN = ['_uid', 'plugin'];

export type Plain = string | number | boolean | null;

/** Whether a value is an object with members of its own, all of them plain. Any other value is for the JSON view. */
export function isFlat(value: Json | undefined): boolean {
  return isObject(value) && membersOf(value).length > 0 && Object.values(value).every((member) => typeof member !== 'object' || member === null);
}

/** The members that the form of a flat object shows, in their order. */
export function membersOf(value: JsonObject): readonly (readonly [string, Plain])[] {
  return Object.entries(value).filter(([name]) => !OWN.includes(name)) as [string, Plain][];
}

/** The name of a member as it is shown: one that could not be read, or not be told from another, as JSON writes it. */
export function memberLabel(name: string): string {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+( [\p{L}\p{M}\p{N}\p{P}\p{S}]+)*$/u.test(name) ? name : JSON.stringify(name);
}
