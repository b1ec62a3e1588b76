// What a control says about the values that its schema asks for. The server alone decides whether a value is right.

import type { NumberField } from '../model/schema.ts';
import { fill, type Texts } from '../texts/texts.ts';

/** The bounds of a number, as one sentence. */
export function numberHint({ min_value: least, max_value: most, decimals, steps }: NumberField, t: Texts): string {
  return sentence([bounds(least, most, t), decimalsHint(decimals, t), steps === undefined ? '' : fill(t.fieldSteps, { step: steps })]);
}

function bounds(least: number | undefined, most: number | undefined, t: Texts): string {
  if (least !== undefined && most !== undefined) return fill(t.fieldFromTo, { least, most });
  if (least !== undefined) return fill(t.fieldFrom, { least });
  return most === undefined ? '' : fill(t.fieldTo, { most });
}

function decimalsHint(decimals: number | undefined, t: Texts): string {
  if (decimals === undefined) return '';
  if (decimals === 0) return t.fieldWhole;
  return decimals === 1 ? t.fieldDecimal : fill(t.fieldDecimals, { count: decimals });
}

/** Parts of a sentence, joined: the first one begins with a capital letter. */
function sentence(parts: readonly string[]): string {
  const text = parts.filter(Boolean).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
