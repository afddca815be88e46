import { describe, expect, it } from 'vitest';
import { parseDateByPattern } from '../../src/text/date-pattern.js';

describe('a date that is written by a pattern', () => {
  it.each([
    ['24.11.2026', 'DD.MM.YYYY', '2026-11-24'],
    [' 24.11.2026 ', 'DD.MM.YYYY', '2026-11-24'],
    ['1/5/1998', 'D/M/YYYY', '1998-05-01'],
    ['11/24/26', 'MM/DD/YY', '2026-11-24'],
    ['24/11/98', 'DD/MM/YY', '1998-11-24'],
    ['3 Sept 2004', 'D MMMM YYYY', '2004-09-03'],
    ['Nov 2026', 'MMM YYYY', '2026-11'],
    ['1993', 'YYYY', '1993'],
    ['20261124', 'YYYYMMDD', '2026-11-24'],
    ['24.11.2026 15:30', 'DD.MM.YYYY HH:mm', '2026-11-24T15:30:00Z'],
    ['2026-11-24 15:30:59', 'YYYY-MM-DD HH:mm:ss', '2026-11-24T15:30:59Z'],
  ])('%s by %s is %s', (text, pattern, expected) => {
    expect(parseDateByPattern(text, pattern)).toBe(expected);
  });

  it.each([
    ['31.02.2026', 'DD.MM.YYYY'],
    ['2026-11-24', 'DD.MM.YYYY'],
    ['24.13.2026', 'DD.MM.YYYY'],
    ['24 Foo 2026', 'DD MMM YYYY'],
    ['24.11.2026 25:00', 'DD.MM.YYYY HH:mm'],
    ['24x11x2026', 'DD.MM.YYYY'],
    ['unknown', 'YYYY'],
    ['', 'YYYY'],
  ])('%s by %s is no date', (text, pattern) => {
    expect(parseDateByPattern(text, pattern)).toBeUndefined();
  });

  it('needs a year in its pattern, and no part twice', () => {
    expect(() => parseDateByPattern('24.11.', 'DD.MM.')).toThrow('has no year');
    expect(() => parseDateByPattern('24.24.2026', 'DD.DD.YYYY')).toThrow();
  });
});
