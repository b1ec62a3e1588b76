// Dates as content holds them and as people type them. The hosted service writes `YYYY-MM-DD HH:mm` in UTC, and with `disable_time` the day that was chosen with
// the time 00:00, whatever the zone. Imported content has other forms, too, which are kept.

const STORED = /^(\d{4})-(\d\d)-(\d\d)(?:([ T])(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/;

/** The moment that a stored text names; nothing when it is no date that is known. Without an offset it is in UTC. */
export function readDate(stored: string): Date | undefined {
  const parts = STORED.exec(stored.trim());
  if (!parts) return undefined;
  const [, year, month, day, , hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = parts;
  const zone = offset === 'Z' || offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`;
  const moment = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}${zone}`);
  return Number.isNaN(moment.getTime()) || !isDay(Number(year), Number(month), Number(day)) ? undefined : moment;
}

/** Whether the month has such a day: JavaScript reads the 31st of February as the 3rd of March. */
function isDay(year: number, month: number, day: number): boolean {
  const moment = new Date(Date.UTC(year, month - 1, day));
  return moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day;
}

/** A moment as it is stored: in the form of what was there before, else as the hosted service writes it. */
export function writtenDate(moment: Date, before: string): string {
  const iso = moment.toISOString();
  const form = STORED.exec(before.trim());
  if (form?.[4] === 'T') return iso.slice(0, form[7] === undefined ? 16 : form[8] === undefined || form[9] === undefined ? 19 : 23) + (form[9] === undefined ? '' : 'Z');
  if (form && form[4] === undefined && iso.endsWith('T00:00:00.000Z')) return iso.slice(0, 10);
  return `${iso.slice(0, 10)} ${iso.slice(11, form?.[7] === undefined ? 16 : 19)}`;
}

/** A moment as a person reads it, in local time; of a day without time the day that is stored. */
export function shownDate(moment: Date, language: 'en' | 'de', withTime: boolean): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const day = withTime
    ? { year: moment.getFullYear(), month: moment.getMonth() + 1, day: moment.getDate() }
    : { year: moment.getUTCFullYear(), month: moment.getUTCMonth() + 1, day: moment.getUTCDate() };
  const year = String(day.year).padStart(4, '0');
  const date = language === 'de' ? `${two(day.day)}.${two(day.month)}.${year}` : `${year}-${two(day.month)}-${two(day.day)}`;
  return withTime ? `${date} ${two(moment.getHours())}:${two(moment.getMinutes())}` : date;
}

const TYPED = /^(?:(?<year>\d{4})-(?<month>\d\d?)-(?<day>\d\d?)|(?<tag>\d\d?)\.\s?(?<monat>\d\d?)\.\s?(?<jahr>\d{4}))(?:[,T]?\s*(?<hour>\d\d?):(?<minute>\d\d))?(?:\s*Uhr)?$/;

/** The moment that a person has typed: `2026-11-27 14:30` or `27.11.2026 14:30` in local time, without a time the beginning of the day. */
export function typedDate(text: string, withTime: boolean): Date | undefined {
  // A moment with its zone, as it is copied from elsewhere, is the one that it names.
  if (withTime && /(Z|[+-]\d\d:?\d\d)$/.test(text.trim())) return readDate(text);
  const parts = TYPED.exec(text.trim())?.groups;
  if (!parts || (!withTime && parts.hour !== undefined)) return undefined;
  const [year, month, day] = [parts.year ?? parts.jahr, parts.month ?? parts.monat, parts.day ?? parts.tag].map(Number) as [number, number, number];
  const [hour, minute] = [Number(parts.hour ?? 0), Number(parts.minute ?? 0)];
  if (!isDay(year, month, day) || year < 1000 || hour > 23 || minute > 59) return undefined;
  return withTime ? new Date(year, month - 1, day, hour, minute) : new Date(Date.UTC(year, month - 1, day));
}

/** The day of a moment as the calendar names it, `YYYY-MM-DD`: the local one, or the stored one of a day without time. */
export function dayOf(moment: Date, withTime: boolean): string {
  return shownDate(moment, 'en', withTime).slice(0, 10);
}
