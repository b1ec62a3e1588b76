// A number that goes up or down by a step, as text: with as many decimals as it had or the step has.

import { numberOf } from './json.ts';
import type { NumberField } from './schema.ts';
import { numberText } from './values.ts';

type Bounds = Pick<NumberField, 'min_value' | 'max_value' | 'decimals' | 'steps'>;

/** The next number in a direction: the next multiple of the step, where the schema has one, and within the bounds. Nothing for a text that is no number. */
export function stepped(typed: string, direction: 1 | -1, { min_value: least, max_value: most, decimals, steps }: Bounds): string | undefined {
  const text = typed.trim() === '' ? String(least ?? 0) : numberText(typed);
  const number = numberOf(text);
  if (text === undefined || number === undefined) return undefined;
  const step = steps !== undefined && steps > 0 ? steps : 1;
  // A number that is as good as a multiple is one: 0.3 is not quite three times 0.1.
  const times = Math.round((number / step) * 1e9) / 1e9;
  const next = typed.trim() === '' ? number : steps === undefined ? number + direction : (direction > 0 ? Math.floor(times) + 1 : Math.ceil(times) - 1) * step;
  const within = Math.max(least ?? -Infinity, Math.min(most ?? Infinity, next));
  return within.toFixed(Math.min(decimals ?? 100, Math.max(decimalsOf(text), decimalsOf(String(step)), decimalsOf(String(within)) > 12 ? 0 : decimalsOf(String(within)))));
}

function decimalsOf(text: string): number {
  return /^-?\d*\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
}
