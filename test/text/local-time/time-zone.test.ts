import { describe, expect, it } from 'vitest';
import { findCountryTimeZone } from '../../../src/text/local-time/country-time-zone.js';
import {
  formatLocalTime,
  formatTimeZone,
  parseTimeZone,
  readLocalClock,
} from '../../../src/text/local-time/time-zone.js';

describe('a stated time zone', () => {
  it.each([
    ['UTC+03:00', 180],
    ['GMT -4', -240],
    ['GMT+0800', 480],
    ['UTC \u22123:30', -210],
    ['(UTC+01:00)', 60],
    ['+05:30', 330],
    ['UTC+5.5', 330],
    ['UTC', 0],
    ['gmt', 0],
    [' UTC+14 ', 840],
  ])('%j is an offset of %i minutes', (text, offset) => {
    expect(parseTimeZone(text)).toEqual({ offset });
  });

  it('may be a zone of the IANA database', () => {
    expect(parseTimeZone('Europe/Istanbul')).toEqual({ zone: 'Europe/Istanbul' });
    expect(parseTimeZone('America/Argentina/Salta')).toEqual({ zone: 'America/Argentina/Salta' });
  });

  it.each([
    'Pacific',
    'BST',
    'No DST',
    '',
    'Europe/Atlantis',
    'UTC+1 / UTC+2',
    'GMT+25',
    'UTC+3:75',
    '3',
    'UTC+',
    '<b>',
  ])('is not derived from %j', (text) => {
    expect(parseTimeZone(text)).toBeUndefined();
  });

  it('gives the local time, over the date line and with summer time', () => {
    const [winter, summer] = [Date.UTC(2026, 0, 1, 23, 5), Date.UTC(2026, 6, 1, 23, 5)];
    expect(formatLocalTime(winter, { offset: 330 })).toBe('Fri 04:35');
    expect(formatLocalTime(winter, { offset: -720 })).toBe('Thu 11:05');
    expect(formatLocalTime(winter, { zone: 'Europe/Oslo' })).toBe('Fri 00:05');
    expect(formatLocalTime(summer, { zone: 'Europe/Oslo' })).toBe('Thu 01:05');
  });

  it('is written in one form', () => {
    const texts = ['GMT -4', 'gmt', 'UTC+5.5', 'Europe/Oslo'];
    const formatted = texts.map((text) => formatTimeZone(parseTimeZone(text) ?? { zone: '' }));
    expect(formatted).toEqual(['UTC-04:00', 'UTC', 'UTC+05:30', 'Europe/Oslo']);
  });
});

describe('the time zone of a country', () => {
  const SUMMER = Date.UTC(2026, 6, 1, 12);

  it('is its only one, or the one in which nearly everybody lives', () => {
    expect(findCountryTimeZone('IS', SUMMER)).toEqual({ zone: 'Atlantic/Reykjavik' });
    expect(findCountryTimeZone('PT', SUMMER)).toEqual({ zone: 'Europe/Lisbon' });
  });

  it('is unknown where several zones have different times, and for no country', () => {
    expect(['US', 'BR', 'AU', 'XX', 'sample'].map((code) => findCountryTimeZone(code, SUMMER))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('gives the day of the week and the minute there, with summer time', () => {
    expect(readLocalClock(SUMMER, { zone: 'Europe/Lisbon' })).toEqual({ weekday: 3, minutes: 13 * 60 });
    expect(readLocalClock(SUMMER, { offset: -13 * 60 })).toEqual({ weekday: 2, minutes: 23 * 60 });
  });
});
