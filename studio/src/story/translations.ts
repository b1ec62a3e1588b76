// How far a draft is translated.
import type { Draft } from '../draft/draft.ts';
import { isMissing, shownFields } from '../model/conditions.ts';
import { memberOf, type Schemas } from '../model/schema.ts';
import { blocksWithin } from './find.ts';

/** How many fields have a value in the default language and none in this one. */
export function missingTranslations(draft: Draft, schemas: Schemas, language: string): number {
  let count = 0;
  for (const key of blocksWithin(draft, draft.root)) {
    const block = draft.block(key);
    const component = schemas.component(block.component);
    if (!component?.fields.some((field) => field.translatable)) continue;
    for (const { field } of shownFields(component, block)) {
      if (!field.translatable || field.type === 'boolean' || isMissing(field, block[field.name])) continue;
      if (isMissing(field, block[memberOf(field.name, language)])) count += 1;
    }
  }
  return count;
}
