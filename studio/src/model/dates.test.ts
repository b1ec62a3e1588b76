// Local time is that of Berlin here: UTC+1 in winter, UTC+2 in summer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayOf, readDate, shownDate, typedDate, writtenDate } from './dates.ts';

process.env.TZ = 'Europe/Berlin';

test('what is stored is read as UTC, in each form that content has', () => {
  const cases: [string, string | undefined][] = [
    ['2022-07-13 18:57', '2022-07-13T18:57:00.000Z'],
    ['2022-07-13 18:57:31', '2022-07-13T18:57:31.000Z'],
    ['2022-07-13', '2022-07-13T00:00:00.000Z'],
    ['2022-07-13T18:57', '2022-07-13T18:57:00.000Z'],
    ['2022-07-13T18:57:31.250Z', '2022-07-13T18:57:31.250Z'],
    ['2022-07-13T18:57:31+02:00', '2022-07-13T16:57:31.000Z'],
    ['2022-07-13T18:57:31+0200', '2022-07-13T16:57:31.000Z'],
    ['12/30/2022', undefined], ['2022-02-31 10:00', undefined], ['2022-13-01', undefined], ['2022-07-13 25:00', undefined],
    ['tomorrow', undefined], ['', undefined], ['2022', undefined],
  ];
  for (const [stored, moment] of cases) assert.equal(readDate(stored)?.toISOString(), moment, stored);
});

test('a changed date keeps the form that the value had', () => {
  const moment = new Date('2026-01-02T03:04:00.000Z');
  const cases: [string, string][] = [
    ['', '2026-01-02 03:04'], ['12/30/2022', '2026-01-02 03:04'], ['2022-07-13 18:57', '2026-01-02 03:04'], ['2022-07-13 18:57:31', '2026-01-02 03:04:00'],
    ['2022-07-13T18:57', '2026-01-02T03:04'], ['2022-07-13T18:57:31', '2026-01-02T03:04:00'], ['2022-07-13T18:57:31.250Z', '2026-01-02T03:04:00.000Z'],
    ['2022-07-13T18:57:31+02:00', '2026-01-02T03:04:00Z'], ['2022-07-13T18:57:31Z', '2026-01-02T03:04:00Z'], ['2022-07-13T18:57Z', '2026-01-02T03:04Z'], ['2022-07-13 18:57Z', '2026-01-02 03:04'], ['2022-07-13', '2026-01-02 03:04'],
  ];
  for (const [before, written] of cases) assert.equal(writtenDate(moment, before), written, before);
  assert.equal(writtenDate(new Date('2026-01-02T00:00:00.000Z'), '2022-07-13'), '2026-01-02');
});

test('people type local time, in the way of either language', () => {
  const cases: [string, string | undefined][] = [
    ['2026-11-27 14:30', '2026-11-27 13:30'], ['27.11.2026 14:30', '2026-11-27 13:30'], ['27.11.2026, 14:30 Uhr', '2026-11-27 13:30'], ['1. 7. 2026 9:05', '2026-07-01 07:05'],
    ['2026-07-01', '2026-06-30 22:00'], [' 2026-7-1T9:05 ', '2026-07-01 07:05'],
    ['2026-11-27T14:30:00Z', '2026-11-27 14:30'], ['2026-11-27 14:30+05:00', '2026-11-27 09:30'],
    ['31.02.2026', undefined], ['2026-02-31T10:00:00Z', undefined], ['2026-11-27 24:00', undefined], ['2026-11-27 9', undefined], ['11/27/2026', undefined], ['27.11.26', undefined], ['soon', undefined], ['', undefined],
  ];
  for (const [typed, written] of cases) {
    const moment = typedDate(typed, true);
    assert.equal(moment && writtenDate(moment, ''), written, typed);
  }
});

test('a day without time is the day that was chosen, in every zone', () => {
  const moment = typedDate('27.11.2026', false);
  assert.ok(moment);
  assert.equal(writtenDate(moment, ''), '2026-11-27 00:00');
  assert.equal(typedDate('27.11.2026 10:00', false), undefined);
  const stored = readDate('2020-05-19 23:30');
  assert.ok(stored);
  assert.equal(shownDate(stored, 'de', false), '19.05.2020');
  assert.equal(shownDate(stored, 'en', true), '2020-05-20 01:30');
  assert.deepEqual([dayOf(stored, false), dayOf(stored, true)], ['2020-05-19', '2020-05-20']);
});

test('typing what is shown names the same minute', () => {
  // Where an hour comes twice, when summer time ends, the text is that of both: since 1996 that is in October, before in September.
  const minutes = fc.integer({ min: 0, max: 4_000_000_0 }).map((minute) => new Date(minute * 60_000)).filter((moment) => ![8, 9].includes(moment.getUTCMonth()) && moment.getUTCFullYear() >= 1981);
  fc.assert(fc.property(minutes, fc.constantFrom('en' as const, 'de' as const), (moment, language) => {
    assert.equal(typedDate(shownDate(moment, language, true), true)?.getTime(), moment.getTime());
    assert.equal(readDate(writtenDate(moment, ''))?.getTime(), moment.getTime());
  }));
});
