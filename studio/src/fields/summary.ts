// A value in a few words: above its JSON, as placeholder of a translation, and in lists of changes.

import type { Json } from '../model/json.ts';
import type { Field } from '../model/schema.ts';
import { shownText } from '../model/values.ts';

export function summaryOf(_schema: Field, value: Json | undefined): string {
  return shownText(value);
}
