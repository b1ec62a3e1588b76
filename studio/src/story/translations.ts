// What of a draft is translated, and how far that is done in a language.
import type { Draft, Key } from '../draft/draft.ts';
import { isMissing, shownFields } from '../model/conditions.ts';
import { fieldOf, memberOf, type Field, type Schemas } from '../model/schema.ts';

export interface TranslatableField {
  readonly block: Key;
  readonly field: Field;
  /** The member that holds it in the language. */
  readonly member: string;
  readonly isMissing: boolean;
}

/** The fields that have something to translate, or are translated, in the order of the document. */
export function* translatableFields(draft: Draft, schemas: Schemas, language: string, key: Key = draft.root): Generator<TranslatableField> {
  const block = draft.block(key);
  const component = schemas.component(block.component);
  if (!component) return;
  for (const { field } of shownFields(component, block)) {
    if (!field.translatable || field.type === 'section' || field.type === 'tab') continue;
    const member = memberOf(field.name, language);
    const hasOriginal = !isMissing(field, block[field.name]);
    if (hasOriginal || block[member] !== undefined) yield { block: key, field, member, isMissing: hasOriginal && counts(field) && isMissing(field, block[member]) };
  }
  for (const list of draft.lists(key)) {
    // What is in the translation of a list or a rich text is written in that language.
    if (fieldOf(list) !== list) continue;
    for (const child of draft.children(key, list)) yield* translatableFields(draft, schemas, language, child);
  }
}

export interface Progress {
  /** How many fields have something to translate. */
  readonly translatable: number;
  readonly missing: number;
}

/** The server counts alike (`crates/domain/src/content/translation_status`). */
export function progressOf(draft: Draft, schemas: Schemas, language: string): Progress {
  let [translatable, missing] = [0, 0];
  for (const { block, field, isMissing: isUntranslated } of translatableFields(draft, schemas, language)) {
    if (counts(field) && !isMissing(field, draft.block(block)[field.name])) translatable += 1;
    if (isUntranslated) missing += 1;
  }
  return { translatable, missing };
}

/** A switch is always one or the other. */
function counts(field: Field): boolean {
  return field.type !== 'boolean';
}
