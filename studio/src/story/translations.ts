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

/** These hold other fields, and nothing that is translated itself. */
const CONTAINERS: readonly string[] = ['bloks', 'section', 'tab'];

/** The fields that have something to translate, or are translated, in the order of the document. */
export function* translatableFields(draft: Draft, schemas: Schemas, language: string, key: Key = draft.root): Generator<TranslatableField> {
  const block = draft.block(key);
  const component = schemas.component(block.component);
  for (const { field } of component ? shownFields(component, block) : []) {
    if (!field.translatable || CONTAINERS.includes(field.type)) continue;
    const member = memberOf(field.name, language);
    const hasOriginal = !isMissing(field, block[field.name]);
    // A switch is always one or the other.
    const isUntranslated = hasOriginal && field.type !== 'boolean' && isMissing(field, block[member]);
    if (hasOriginal || block[member] !== undefined) yield { block: key, field, member, isMissing: isUntranslated };
  }
  for (const list of draft.lists(key)) {
    // What is in the translation of a rich text is written in that language.
    if (fieldOf(list) !== list) continue;
    for (const child of draft.children(key, list)) yield* translatableFields(draft, schemas, language, child);
  }
}

export interface Progress {
  /** How many fields have something to translate. */
  readonly translatable: number;
  readonly missing: number;
}

export function progressOf(draft: Draft, schemas: Schemas, language: string): Progress {
  let [translatable, missing] = [0, 0];
  for (const { block, field, isMissing: isUntranslated } of translatableFields(draft, schemas, language)) {
    if (!isMissing(field, draft.block(block)[field.name])) translatable += 1;
    if (isUntranslated) missing += 1;
  }
  return { translatable, missing };
}
