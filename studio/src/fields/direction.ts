// In which direction the text of a field runs.

import type { Field } from '../model/schema.ts';

/** Languages that are written from right to left. */
const RIGHT_TO_LEFT = ['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'ks', 'ps', 'sd', 'ug', 'ur', 'yi'];

/** By the schema, which may ask for one, else by the language. The default language has no code: its text itself says it. */
export function directionOf(schema: Field, language: string): 'ltr' | 'rtl' | 'auto' {
  if ('rtl' in schema && schema.rtl) return 'rtl';
  const code = language.toLowerCase().split(/[-_]/)[0] ?? '';
  if (code === '') return 'auto';
  return RIGHT_TO_LEFT.includes(code) ? 'rtl' : 'ltr';
}
