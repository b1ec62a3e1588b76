// Times as the clock of a zone shows them, and the moments that they are. Where a zone changes its clock, a time may be no moment, or two.

/** A time of a zone, as fields for it hold it: `2027-03-28T02:30`. */
export type LocalTime = string;

const DAY = 86_400_000;
const MINUTE = 60_000;
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' });
    formats.set(zone, format);
  }
  return format;
}

/** What the clock of a zone shows at a moment. */
export function localTimeOf(moment: number, zone: string): LocalTime {
  const parts = Object.fromEntries(formatOf(zone).formatToParts(moment).map(({ type, value }) => [type, value]));
  return `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`;
}

/** How far the clock of a zone is ahead of UTC at a moment, in whole minutes, as milliseconds. */
function offsetAt(moment: number, zone: string): number {
  return Date.parse(`${localTimeOf(moment, zone)}Z`) - Math.floor(moment / MINUTE) * MINUTE;
}

/** The moments at which the clock of a zone shows a time: none where the clock skips it, two where it shows it twice, the earlier one first. */
export function momentsAt(local: LocalTime, zone: string): number[] {
  const asUtc = LOCAL.test(local) ? Date.parse(`${local}Z`) : NaN;
  if (Number.isNaN(asUtc)) return [];
  // No zone is a day away from UTC, so that what holds before and after the time is among these.
  const offsets = new Set([offsetAt(asUtc - DAY, zone), offsetAt(asUtc + DAY, zone)]);
  return [...offsets].map((offset) => asUtc - offset).filter((moment) => localTimeOf(moment, zone) === local).sort((one, other) => one - other);
}

/** The moment that is meant by a time that the clock skips: it is as late as if the clock had not been changed. */
export function momentAfterSkipped(local: LocalTime, zone: string): number {
  const asUtc = Date.parse(`${local}Z`);
  return asUtc - offsetAt(asUtc - DAY, zone);
}

/** `UTC+2`, `UTC−3:30`, `UTC`. */
export function offsetName(moment: number, zone: string): string {
  const minutes = offsetAt(moment, zone) / MINUTE;
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest ? `:${String(rest).padStart(2, '0')}` : ''}`;
}
