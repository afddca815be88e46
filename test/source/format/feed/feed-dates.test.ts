import { describe, expect, it } from 'vitest';
import { normalizeFeedDate } from '../../../../src/source/format/feed/feed-dates.js';
import { parseDate } from '../../../../src/text/date.js';

describe('a date of a feed', () => {
  it.each([
    ['Tue, 24 Nov 2026 10:00:00 EST', '2026-11-24T10:00:00-05:00'],
    ['Tue, 24 Nov 2026 10:00 pdt', '2026-11-24T10:00:00-07:00'],
    ['24 Nov 26 10:00 UT', '2026-11-24T10:00:00+00:00'],
    ['24 Nov 99 10:00 Z', '1999-11-24T10:00:00+00:00'],
    ['mié., 24 Nov 2026 9:05 +0100', '2026-11-24T09:05:00+01:00'],
    ['Di, 24 Nov 2026 09:05:00 CEST', '2026-11-24T09:05:00+02:00'],
    ['Tue, 24 Nov 2026 10:00:00 +0100 (CET)', '2026-11-24T10:00:00+01:00'],
    ['Tue, 24 Nov 2026 10:00:00 GMT+2', '2026-11-24T10:00:00+02:00'],
    ['Tue Nov 24 10:00:00 CET 2026', '2026-11-24T10:00:00+01:00'],
    ['November 24, 2026 at 3:05 p.m.', '2026-11-24T15:05:00+00:00'],
    ['24 Nov 2026 12:05 AM EST', '2026-11-24T00:05:00-05:00'],
    ['2026-11-24T9:00:00Z', '2026-11-24T09:00:00+00:00'],
    ['2026/11/24 10:00', '2026-11-24T10:00:00+00:00'],
    ['20261124T100000Z', '2026-11-24T10:00:00+00:00'],
    ['24/11/2026', '2026-11-24'],
    ['11/24/2026 10:00 PM', '2026-11-24T22:00:00+00:00'],
    ['11.11.2026', '2026-11-11'],
    ['24 Nov 26', '2026-11-24'],
  ])('%j is %j', (text, date) => {
    expect(normalizeFeedDate(text)).toBe(date);
    expect(parseDate(date)).toBeDefined();
  });

  it.each([
    '2026-11-24T10:00Z',
    '2026-11-24T10:00:00.123456+01:00',
    'Tue, 24 Nov 2026 10:00:00 GMT',
    'Mon, 24 Nov 2026 10:00:00 +0000',
    '2026-11',
  ])('that parseDate reads stays as it is: %s', (text) => {
    expect(normalizeFeedDate(text)).toBe(text);
    expect(parseDate(text)).toBeDefined();
  });

  it.each([
    '11/12/2026',
    '11.12.2026 10:00',
    '24-11-26',
    'Tue, 24 Nov 2026 10:00:00 IST',
    'Tue, 24 Nov 2026 10:00:00 A',
    '30 Feb 2026 1:00 EST',
    'Tue, 24 Nov 2026 25:00:00 EST',
    '24 Nov 2026 13:00 PM',
    '2026-11-24 10:00 +25:00',
    'yesterday',
    `24 Nov 26${' '.repeat(100)}`,
  ])('that cannot be interpreted with certainty stays as it is: %s', (text) => {
    expect(normalizeFeedDate(text)).toBe(text);
    expect(parseDate(text)).toBeUndefined();
  });
});
