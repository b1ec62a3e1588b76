// Moments as the interface tells them: in its language, written as in the reader's country where that speaks it.

import { textsLanguage } from './texts.ts';

/** How the browser writes the language of the interface: `en-GB` for a reader who has that among their languages. */
export function localeOf(language: string, wanted: readonly string[]): string {
  return wanted.find((one) => one.split('-')[0] === language) ?? language;
}

/** A moment in the zone of the reader, to the minute: `28 Mar 2027, 14:30`. */
export const momentText = told({ dateStyle: 'medium', timeStyle: 'short' });
/** To the second. */
export const exactMomentText = told({ dateStyle: 'medium', timeStyle: 'medium' });
/** Without its day. */
export const clockText = told({ timeStyle: 'medium' });
/** The day alone. */
export const dayText = told({ dateStyle: 'medium' });

/** The moment in another zone, to the minute. */
export function momentTextIn(moment: number, timeZone: string): string {
  return formatOf({ dateStyle: 'medium', timeStyle: 'short', timeZone }).format(moment);
}

function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(localeOf(textsLanguage(), navigator.languages), options);
}

/** A format is made once, when the texts are there. */
function told(options: Intl.DateTimeFormatOptions): (moment: string | number | Date) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (moment) => (format ??= formatOf(options)).format(new Date(moment));
}
