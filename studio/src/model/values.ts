// The kinds of values: which value belongs to a field type, how it is shown as text, and what is written when that text changes. A value keeps its kind, and
// opening, leaving or restoring a field changes nothing.

import { isFileValue, isListOfFiles, NO_FILE } from './assetvalues.ts';
import { isList, isObject, textOf, type Json } from './json.ts';
import { EMPTY_MULTILINK, isLink } from './links.ts';
import { isFlat } from './plugins.ts';
import { isTable } from './tables.ts';
import type { FieldType } from './schema.ts';

const isNothing = (value: Json | undefined): boolean => value === undefined || value === null;
const isText = (value: Json | undefined): boolean => typeof value === 'string' || isNothing(value);
const isTextOrNumber = (value: Json | undefined): value is string | number => typeof value === 'string' || typeof value === 'number';

/** Which values the editor of a type takes. A type without a line is shown as JSON. */
const ACCEPTED = {
  text: isText,
  textarea: isText,
  markdown: isText,
  datetime: isText,
  number: (value: Json | undefined) => isTextOrNumber(value) || isNothing(value),
  boolean: (value: Json | undefined) => typeof value === 'boolean' || isNothing(value),
  option: (value: Json | undefined) => isTextOrNumber(value) || isNothing(value),
  options: (value: Json | undefined) => isNothing(value) || (isList(value) && value.every(isTextOrNumber)),
  multilink: isLink,
  asset: isFileValue,
  image: isFileValue,
  file: isFileValue,
  multiasset: isListOfFiles,
  table: isTable,
  custom: isFlat,
  // What is no text is shown as JSON there, with an offer to repair it.
  richtext: () => true,
} satisfies { readonly [type in FieldType]?: (value: Json | undefined) => boolean };

/** The types that have an editor. */
export type EditedType = keyof typeof ACCEPTED;

/** Whether the editor of a field type can show and change a value. Any other value is for the JSON view. */
export function isOfType<T extends FieldType>(type: T, value: Json | undefined): type is T & EditedType {
  return Object.hasOwn(ACCEPTED, type) && ACCEPTED[type as EditedType](value);
}

/** What a field of a type holds when it was emptied; nothing where no empty value is known. */
export function emptyValue(type: FieldType): Json | undefined {
  switch (type) {
    case 'options':
    case 'bloks':
    case 'multiasset':
      return [];
    case 'asset':
      return NO_FILE;
    case 'multilink':
      return EMPTY_MULTILINK;
    case 'boolean':
      return false;
    case 'richtext':
      return { type: 'doc', content: [{ type: 'paragraph' }] };
    case 'table':
    case 'custom':
    case 'section':
    case 'tab':
    case 'unknown':
      return undefined;
    default:
      return '';
  }
}

/** A plain value as it stands in a field: nothing is an empty field. */
export function shownText(value: Json | undefined): string {
  return textOf(value) ?? '';
}

/** A text as a field of several lines has it: with one kind of line ends. */
export function shownLines(value: Json | undefined): string {
  return shownText(value).replace(/\r\n?/g, '\n');
}

/** Whether a value has line breaks, which a field of one line would drop. */
export function hasLines(value: Json | undefined): boolean {
  return /[\r\n]/.test(shownText(value));
}

/** A number as it is written in JSON, from what was typed: a comma counts as the point. Nothing when it is no number. */
export function numberText(typed: string): string | undefined {
  const text = typed.trim().replace(/^([+-]?\d*),(\d+)$/, '$1.$2').replace(/^\+/, '').replace(/^(-?\d+)[.,]$/, '$1');
  return /^-?(\d+|\d*\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text)) ? text : undefined;
}

/** What is written for a text in a number's field, as text; nothing for what is no number. `1,000` has a sign for thousands in English, and decimals in German. */
export function writtenNumber(before: Json | undefined, typed: string, language: 'en' | 'de'): string | undefined {
  if (typed === shownText(before)) return typed;
  if (typed.trim() === '') return '';
  return language === 'en' && /^[+-]?\d{1,3},\d{3}$/.test(typed.trim()) ? undefined : numberText(typed);
}

/**
 * What is written when a field that showed the value `before` now holds the text `typed`: typing the first text again gives the first value, a number stays a
 * number, and everything else is text, with the line ends that were there.
 */
export function writtenText(before: Json | undefined, typed: string): Json | undefined {
  if (typed === shownText(before) || typed === shownLines(before)) return before;
  const number = typeof before === 'number' ? numberText(typed) : undefined;
  if (number !== undefined) return Number(number);
  const isOfWindows = /\r\n/.test(shownText(before)) && !/[\r\n]/.test(shownText(before).replaceAll('\r\n', ''));
  return isOfWindows ? typed.replace(/\r?\n/g, '\r\n') : typed;
}

/** Takes the place of a value that a field shows: remembers what was there before the field was typed in, so that it can come back. */
export class Original {
  readonly #read: () => Json | undefined;
  #before: Json | undefined;
  #written: Json | undefined;

  constructor(read: () => Json | undefined) {
    this.#read = read;
    this.#before = this.#written = read();
  }

  /** The value before the field was typed in. One that came from elsewhere, by undo or another person, is a new beginning. */
  get before(): Json | undefined {
    if (!this.isOwn) this.#before = this.#written = this.#read();
    return this.#before;
  }

  /** Whether the value is the one that the field has written last. */
  get isOwn(): boolean {
    return this.#read() === this.#written;
  }

  /** Notes what the field writes, and gives it back. */
  write(value: Json | undefined): Json | undefined {
    // Notices first what came from elsewhere.
    void this.before;
    this.#written = value;
    return value;
  }
}
