// The days of a month, for a calendar. A day is written `YYYY-MM-DD`, and counted without any zone.

const DAY = 86_400_000;

const momentOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayAt = (moment: number) => new Date(moment).toISOString().slice(0, 10);

/** A day that is so many days later, or earlier. */
export function daysLater(day: string, count: number): string {
  return dayAt(momentOf(day) + count * DAY);
}

/** The same day of another month, or its last one where it is shorter. */
export function monthsLater(day: string, count: number): string {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + count;
  const [year, month] = [Math.floor(months / 12), ((months % 12) + 12) % 12];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return dayAt(Date.UTC(year, month, Math.min(Number(day.slice(8)), last)));
}

/** Which day of the week it is, from 0; weeks begin on Monday (1) or Sunday (7). */
export function weekday(day: string, first: number): number {
  return (new Date(momentOf(day)).getUTCDay() - first + 7) % 7;
}

/** The weeks of the month of a day, each of seven days; those of other months are among them. */
export function weeksOf(day: string, first: number): readonly (readonly string[])[] {
  const start = `${day.slice(0, 7)}-01`;
  const next = monthsLater(start, 1);
  const weeks: string[][] = [];
  for (let monday = daysLater(start, -weekday(start, first)); monday < next; monday = daysLater(monday, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => daysLater(monday, index)));
  }
  return weeks;
}
