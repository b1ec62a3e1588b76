import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { daysLater, monthsLater, weekday, weeksOf } from './calendar.ts';

test('months end where they end', () => {
  assert.equal(monthsLater('2026-01-31', 1), '2026-02-28');
  assert.equal(monthsLater('2028-01-31', 1), '2028-02-29');
  assert.equal(monthsLater('2026-01-15', -1), '2025-12-15');
  assert.equal(monthsLater('2026-12-31', 12), '2027-12-31');
  assert.equal(daysLater('2026-02-28', 1), '2026-03-01');
});

test('the weeks of a month begin where the week begins', () => {
  const weeks = weeksOf('2026-11-27', 1);
  assert.deepEqual(weeks[0], ['2026-10-26', '2026-10-27', '2026-10-28', '2026-10-29', '2026-10-30', '2026-10-31', '2026-11-01']);
  assert.equal(weeks.length, 6);
  assert.equal(weeksOf('2026-11-27', 7)[0]?.[0], '2026-11-01');
});

test('each day of a month is in its weeks once', () => {
  const days = fc.date({ min: new Date('1000-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }).map((moment) => moment.toISOString().slice(0, 10));
  fc.assert(fc.property(days, fc.constantFrom(1, 7), (day, first) => {
    const weeks = weeksOf(day, first);
    assert.ok(weeks.every((week) => week.length === 7 && week[0] && weekday(week[0], first) === 0));
    const within = weeks.flat().filter((other) => other.slice(0, 7) === day.slice(0, 7));
    assert.equal(within.length, Number(daysLater(monthsLater(`${day.slice(0, 7)}-01`, 1), -1).slice(8)));
    assert.ok(within.includes(day));
  }));
});
