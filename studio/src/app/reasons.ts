// Why the server refused what was asked of it, in the language of the interface: by the code of the field where that is known, else in the server's words.

import type { FieldProblem, Problem } from '../api/problem.ts';
import { fill, type Texts } from '../texts/texts.ts';

/** The texts by code, for what the studio asks outside of a story's values: those have `fields/problems.ts`. */
const TEXTS = {
  blank: 'fieldBlank',
  missing: 'fieldBlank',
  taken: 'reasonTaken',
  tooLong: 'fieldTooLong',
  tooMany: 'reasonTooMany',
  tooDeep: 'reasonTooDeep',
  cycle: 'reasonCycle',
  unknown: 'reasonUnknown',
  notAFolder: 'reasonNotAFolder',
  folder: 'reasonFolder',
  componentNotAllowed: 'typeNotAllowed',
  otherComponent: 'reasonOtherComponent',
  fixed: 'reasonFixed',
  notDeleted: 'reasonNotDeleted',
  notPublished: 'reasonNotPublished',
  defaultNotPublished: 'reasonDefaultNotPublished',
  default: 'reasonDefault',
  past: 'reasonPast',
  over: 'planOver',
  repeated: 'reasonRepeated',
} as const satisfies Record<string, keyof Texts>;

/** What is not valid in another way has as many reasons as there are fields: those that are typed freely have a text. */
const INVALID = { slug: 'reasonSlug', short_filename: 'reasonExtension' } as const satisfies Record<string, keyof Texts>;

/** What is wrong with one field, as a sentence. */
export function reasonOf({ field, code, message }: FieldProblem, t: Texts): string {
  // Also that of another language: `translated_slugs_attributes.de.slug`.
  const name = field.slice(field.lastIndexOf('.') + 1);
  if (code === 'taken' && name === 'slug') return t.fieldTaken;
  if (code === 'invalid' && Object.hasOwn(INVALID, name)) return t[INVALID[name as keyof typeof INVALID]];
  return Object.hasOwn(TEXTS, code) ? t[TEXTS[code as keyof typeof TEXTS]] : fill(t.fieldInvalid, { reason: message });
}

/** All that is wrong with what was asked, each reason once. An answer that names no field has its own sentence. */
export function reasonsOf({ fields, message }: Pick<Problem, 'fields' | 'message'>, t: Texts): string {
  return fields.length === 0 ? message : [...new Set(fields.map((field) => reasonOf(field, t)))].join(' ');
}
