import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { localTimeOf, momentAfterSkipped, momentsAt, offsetName } from './zones.ts';

const utc = (moments: readonly number[]) => moments.map((moment) => new Date(moment).toISOString().slice(0, 16));

test('a time is a moment of its zone', () => {
  assert.deepEqual(utc(momentsAt('2026-11-27T14:30', 'Europe/Berlin')), ['2026-11-27T13:30']);
  assert.deepEqual(utc(momentsAt('2026-07-01T00:15', 'Asia/Kathmandu')), ['2026-06-30T18:30']);
  assert.deepEqual(utc(momentsAt('2026-07-01T00:15', 'UTC')), ['2026-07-01T00:15']);
  assert.deepEqual(['', '2026-02-31T10:00', '2026-11-27', 'tomorrow'].flatMap((text) => momentsAt(text, 'Europe/Berlin')), []);
});

test('a time that the clock skips is none, and one that it shows twice is two', () => {
  assert.deepEqual(momentsAt('2027-03-28T02:30', 'Europe/Berlin'), []);
  assert.equal(localTimeOf(momentAfterSkipped('2027-03-28T02:30', 'Europe/Berlin'), 'Europe/Berlin'), '2027-03-28T03:30');
  assert.deepEqual(utc(momentsAt('2027-10-31T02:30', 'Europe/Berlin')), ['2027-10-31T00:30', '2027-10-31T01:30']);
  assert.deepEqual(utc(momentsAt('2027-10-31T03:00', 'Europe/Berlin')), ['2027-10-31T02:00']);
  // By half an hour, on Lord Howe Island.
  assert.deepEqual(utc(momentsAt('2027-04-04T01:45', 'Australia/Lord_Howe')), ['2027-04-03T14:45', '2027-04-03T15:15']);
  // A whole day, on Samoa.
  assert.deepEqual(momentsAt('2011-12-30T12:00', 'Pacific/Apia'), []);
});

test('what a clock shows at a moment is that moment, among those that it may be', () => {
  const moments = fc.integer({ min: Date.UTC(2020, 0) / 60_000, max: Date.UTC(2037, 0) / 60_000 }).map((minutes) => minutes * 60_000);
  const zones = fc.constantFrom('Europe/Berlin', 'America/St_Johns', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Australia/Lord_Howe', 'Africa/Casablanca', 'UTC');
  fc.assert(fc.property(moments, zones, (moment, zone) => {
    const local = localTimeOf(moment, zone);
    const found = momentsAt(local, zone);
    assert.ok(found.includes(moment) && found.length <= 2, `${local} ${zone}`);
    assert.ok(found.every((one) => localTimeOf(one, zone) === local));
  }), { numRuns: 2000 });
});

test('the distance to UTC has a name', () => {
  const names = ['Europe/Berlin', 'America/St_Johns', 'UTC', 'Asia/Kathmandu', 'America/New_York'].map((zone) => offsetName(Date.UTC(2027, 6, 1), zone));
  assert.deepEqual(names, ['UTC+2', 'UTC−2:30', 'UTC', 'UTC+5:45', 'UTC−4']);
});
