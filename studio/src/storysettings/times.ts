// Moments as they are told: in the zone of the reader, with that of everybody beside it.

import { offsetName } from '../model/zones.ts';
import { momentText, momentTextIn } from '../texts/times.ts';

/** The zone of the reader, as the browser knows it. */
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `28 Mar 2027, 14:30 (UTC+2)` */
export function localText(moment: number): string {
  return `${momentText(moment)} (${offsetName(moment, zone)})`;
}

/** `28 Mar 2027, 12:30 UTC` */
export function utcText(moment: number): string {
  return `${momentTextIn(moment, 'UTC')} UTC`;
}
