// What is said about a text that is to be JSON.

import { findJsonError } from '../model/json-error.ts';
import { fill, texts } from '../texts/texts.ts';

/** What is wrong with a text, and where; nothing when it is JSON, or empty. */
export function jsonProblem(text: string): { readonly at: number; readonly message: string } | undefined {
  const found = text.trim() === '' ? undefined : findJsonError(text);
  if (!found) return undefined;
  const t = texts();
  const reasons = {
    value: t.jsonNoValue, key: t.jsonNoKey, colon: t.jsonNoColon, comma: t.jsonNoComma, end: t.jsonEnd, string: t.jsonBadString, number: t.jsonBadNumber, large: t.jsonTooLarge, rest: t.jsonRest,
  };
  return { at: found.at, message: fill(t.jsonInvalid, { line: found.line, reason: reasons[found.kind] }) };
}
