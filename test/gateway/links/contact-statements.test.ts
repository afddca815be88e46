import { describe, expect, it } from 'vitest';
import {
  findPlaceTimes,
  listHours,
  listTeamAddresses,
  listTeamNumbers,
} from '../../../src/gateway/links/contact-statements.js';
import type { StatedValues } from '../../../src/gateway/links/compare-records.js';

const record = (properties: Readonly<Record<string, string | readonly string[]>>): StatedValues =>
  new Map(Object.entries(properties).map(([name, value]) => [name, [value].flat()]));

const textsOf = (numbers: readonly { readonly text: string }[]): readonly string[] => numbers.map(({ text }) => text);

/** A Thursday. */
const WINTER = Date.UTC(2026, 0, 1, 12);
const SUMMER = Date.UTC(2026, 6, 2, 12);

describe('the telephone numbers of a team', () => {
  it('begin with the emergency numbers, each once in any spelling, with all records that state it', () => {
    const records = [
      record({ 'phone-numbers': ['+47 5550 0101', '+47 5550 0112'] }),
      record({ 'phone-numbers': '0047 5550-0101', 'phone-emergency': '+47 (0) 5550 0112' }),
    ];
    expect(listTeamNumbers(records)).toEqual([
      { text: '+47 (0) 5550 0112', records: [1, 0], isEmergency: true, isConfirmed: true },
      { text: '+47 5550 0101', records: [0, 1], isEmergency: false, isConfirmed: true },
    ]);
  });

  it('have those last that only one other record states, which may be an impostor’s', () => {
    const records = [
      record({ 'phone-numbers': '+47 5550 0101' }),
      record({ 'phone-emergency': '+47 5550 0666' }),
      record({ 'phone-numbers': '+47 5550 0102' }),
      record({ 'phone-numbers': '+47 5550 0102' }),
    ];
    expect(textsOf(listTeamNumbers(records))).toEqual(['+47 5550 0102', '+47 5550 0101', '+47 5550 0666']);
  });

  it('are several where a text has several, and never a fax', () => {
    const records = [
      record({ 'phone-emergency': '+47 5550 0101, +47 5550 0102', 'phone-numbers': ['+47 5550 0103 (fax)', 'ask us'] }),
    ];
    expect(textsOf(listTeamNumbers(records))).toEqual(['+47 5550 0101', '+47 5550 0102', 'ask us']);
  });
});

it('lists an e-mail address once in any case', () => {
  const records = [record({ email: 'CERT@example.org' }), record({ email: 'cert@example.org' })];
  expect(listTeamAddresses(records)).toEqual([{ text: 'CERT@example.org', records: [0, 1] }]);
});

describe('the time at the place of a team', () => {
  const norway = { 'country-code': 'NO' };

  it('is that of its country, also where the stated offset is that of winter or summer', () => {
    const country = [{ zone: { zone: 'Europe/Oslo' }, basis: 'country' }];
    const stated = { ...norway, timezone: 'UTC+01:00', 'timezone-dst': 'UTC+02:00' };
    expect(findPlaceTimes([record(norway)], WINTER)).toEqual(country);
    expect(findPlaceTimes([record(stated)], WINTER)).toEqual(country);
    expect(findPlaceTimes([record(stated)], SUMMER)).toEqual(country);
  });

  it('is two times where the stated zone is not that of the country, and all that is stated without a country', () => {
    expect(findPlaceTimes([record({ ...norway, timezone: 'UTC+6' })], WINTER)).toEqual([
      { zone: { zone: 'Europe/Oslo' }, basis: 'country' },
      { zone: { offset: 360 }, basis: 'stated' },
    ]);
    const nowhere = record({ timezone: 'UTC+1', 'timezone-dst': 'UTC+2' });
    expect(findPlaceTimes([record({}), nowhere], WINTER).map(({ basis }) => basis)).toEqual(['stated', 'summer']);
    expect(findPlaceTimes([record({ timezone: 'Pacific' })], WINTER)).toEqual([]);
  });
});

describe('the hours of a team', () => {
  it('are open or closed only where every time that may be right says so', () => {
    const states = (hours: string, properties: Readonly<Record<string, string>>): readonly unknown[] => {
      const records = [record({ 'operating-hours': hours, ...properties })];
      return listHours(records, findPlaceTimes(records, WINTER), WINTER).map(({ isOpen }) => isOpen);
    };
    expect(states('Mon-Fri 09:00-17:00', { 'country-code': 'NO' })).toEqual([true]);
    expect(states('Mon-Fri 09:00-17:00', { 'country-code': 'NO', timezone: 'UTC+6' })).toEqual([undefined]);
    expect(states('Mon-Fri 09:00-17:00', {})).toEqual([undefined]);
    expect(states('Mon-Fri 09:00-17:00 (UTC+6)', {})).toEqual([false]);
    expect(states('24x7', {})).toEqual([true]);
    expect(states('by appointment', { 'country-code': 'NO' })).toEqual([undefined]);
  });
});
