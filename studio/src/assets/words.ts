// Sizes, as the interface writes them.

import { textsLanguage } from '../texts/texts.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A number of bytes in the unit that suits it: `1.4 MB`. */
export function sizeText(bytes: number): string {
  const step = Math.min(UNITS.length - 1, bytes > 0 ? Math.floor(Math.log10(bytes) / 3) : 0);
  const value = bytes / 1000 ** step;
  return new Intl.NumberFormat(textsLanguage(), { style: 'unit', unit: UNITS[step]!, unitDisplay: step === 0 ? 'long' : 'short', maximumFractionDigits: value < 10 && step > 0 ? 1 : 0 }).format(value);
}
