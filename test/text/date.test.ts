import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatImfFixdate,
  isSpacedTimestamp,
  formatIsoDate,
  formatIsoTimestamp,
  parseCertificateDate,
  parseDate,
  parseHttpDate,
  parseImfFixdate,
  formatSpacedTimestamp,
} from '../../src/text/date.js';
import type { DateWithPrecision, DatePrecision } from '../../src/text/date.js';
import { anyUtf16 } from '../support/generators/any-text.js';

function written(text: string): string | undefined {
  const moment = parseDate(text);
  return moment && formatIsoDate(moment);
}

const EARLIEST = Date.UTC(1000, 0, 1);
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Any date that can be written; for a year, month or day, its first instant. */
const moments: fc.Arbitrary<DateWithPrecision> = fc
  .tuple(
    fc.integer({ min: EARLIEST / 1000, max: LATEST / 1000 }),
    fc.constantFrom<DatePrecision>('year', 'month', 'day', 'second'),
  )
  .map(([seconds, precision]) => ({ epochMs: startOf(new Date(seconds * 1000), precision), precision }));

function startOf(date: Date, precision: DatePrecision): number {
  if (precision === 'second') return date.getTime();
  const month = precision === 'year' ? 0 : date.getUTCMonth();
  return Date.UTC(date.getUTCFullYear(), month, precision === 'day' ? date.getUTCDate() : 1);
}

describe('parseDate', () => {
  test.each([
    // The forms of the specification (decisions 4.4).
    ['2014-11-15', '2014-11-15'],
    ['September 8, 2008', '2008-09-08'],
    ['1993', '1993'],
    ['2015-06-03T14:05:27Z', '2015-06-03T14:05:27+00:00'],
    ['Thu, 02 Apr 2026 21:28:40 GMT', '2026-04-02T21:28:40+00:00'],
    ['Wed, 13 May 2015 01:56:15 +0000', '2015-05-13T01:56:15+00:00'],
    ['2016-06-09 13:59:39 +00:00', '2016-06-09T13:59:39+00:00'],
    // Observed in responses of sources.
    ['July 1, 2009', '2009-07-01'],
    ['April 17, 2025', '2025-04-17'],
    ['2008-01-05', '2008-01-05'],
    ['2015-06-03T14:05:27+00:00', '2015-06-03T14:05:27+00:00'],
    ['2016-06-09 13:59:39+00:00', '2016-06-09T13:59:39+00:00'],
    // Similar forms.
    ['1993-05', '1993-05'],
    ['2015-06-03t14:05z', '2015-06-03T14:05:00+00:00'],
    ['2015-06-03T14:05:27.987654Z', '2015-06-03T14:05:27+00:00'],
    ['2015-06-03T14:05:27,9Z', '2015-06-03T14:05:27+00:00'],
    ['SEPT 8 2008', '2008-09-08'],
    ['Sep. 8th, 2008', '2008-09-08'],
    ['8 September 2008', '2008-09-08'],
    ['8. sep 2008', '2008-09-08'],
    ['May 2008', '2008-05'],
    ['02-Apr-2026 21:28:40', '2026-04-02T21:28:40+00:00'],
    ['2000-02-29', '2000-02-29'],
    ['February 29, 2024', '2024-02-29'],
  ])('reads %s as %s', (text, iso) => {
    expect(written(text)).toBe(iso);
  });

  test.each(['Jan', 'February', 'mar', 'April', 'MAY', 'june', 'Jul', 'August', 'Sept', 'Oct', 'November', 'dec'])(
    'reads the month %s, full or abbreviated, in any case',
    (name) => {
      const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
      const month = String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1).padStart(2, '0');
      expect(written(`${name} 3, 2011`)).toBe(`2011-${month}-03`);
    },
  );

  test.each([
    ['1993', 'year'],
    ['1993-05', 'month'],
    ['May 1993', 'month'],
    ['1993-05-01', 'day'],
    ['May 1, 1993', 'day'],
    ['1993-05-01T00:00Z', 'second'],
    ['Sat, 01 May 1993 00:00:00 GMT', 'second'],
  ])('reports the precision of %s: %s', (text, precision) => {
    expect(parseDate(text)?.precision).toBe(precision);
  });

  test.each([
    ['2020-01-01T00:00:00+02:00', '2019-12-31T22:00:00+00:00'],
    ['2020-01-01T00:00:00-0330', '2020-01-01T03:30:00+00:00'],
    ['2020-01-01T00:00:00+05', '2019-12-31T19:00:00+00:00'],
    ['2020-01-01T00:00:00-00:00', '2020-01-01T00:00:00+00:00'],
    ['Wed, 01 Jan 2020 00:00:00 -0800', '2020-01-01T08:00:00+00:00'],
    ['2020-01-01 00:00:00 UTC', '2020-01-01T00:00:00+00:00'],
    ['2020-01-01T00:00:00', '2020-01-01T00:00:00+00:00'],
  ])('applies the zone of %s, UTC by default: %s', (text, iso) => {
    expect(written(text)).toBe(iso);
  });

  test.each([
    '2015-02-29',
    '1900-02-29',
    'February 30, 2012',
    '31 April 2012',
    '2015-13-01',
    '2015-00-10',
    '2015-10-00',
    '0 May 2015',
    '2015-10-01T24:00:00Z',
    '2015-10-01T10:60:00Z',
    '2015-10-01T10:00:61Z',
    '2015-10-01T10:00:00+24:00',
    '2015-10-01T10:00:00+01:60',
    '0999',
    '0000-01-01',
  ])('rejects %s, which does not exist', (text) => {
    expect(parseDate(text)).toBeUndefined();
  });

  test.each([
    '',
    ' ',
    '93',
    'unknown',
    'ca. 1993',
    '1993 ',
    '1993-5-1',
    '01/05/1993',
    '19930501',
    'Mayday 1993',
    '1993\n',
  ])('rejects "%s", which is not a date', (text) => {
    expect(parseDate(text)).toBeUndefined();
  });

  test.each(['9999-12-31T23:00:00-05:00', '1000-01-01T00:00:00+05:00'])(
    'rejects %s, whose year in UTC does not have four digits',
    (text) => {
      expect(parseDate(text)).toBeUndefined();
    },
  );

  test('reads a formatted date with the same instant and precision', () => {
    fc.assert(
      fc.property(moments, (moment) => {
        expect(parseDate(formatIsoDate(moment))).toEqual(moment);
      }),
    );
  });

  test('reads a formatted timestamp and IMF-fixdate as the same instant', () => {
    fc.assert(
      fc.property(moments, ({ epochMs: at }) => {
        expect(parseDate(formatIsoTimestamp(at))).toEqual({ epochMs: at, precision: 'second' });
        expect(parseDate(formatImfFixdate(at))).toEqual({ epochMs: at, precision: 'second' });
      }),
    );
  });

  test('reads the formatted form of any date with the same result', () => {
    const digits = fc.stringMatching(/^\d{4}-[01]\d-[0-3]\d[T ][0-2]\d:[0-5]\d(:[0-5]\d)? ?(Z|[+-][0-2]\d:?[0-5]\d)?$/);
    fc.assert(
      fc.property(fc.oneof(digits, fc.string(), anyUtf16), (text) => {
        const moment = parseDate(text);
        if (moment !== undefined) expect(parseDate(formatIsoDate(moment))).toEqual(moment);
      }),
      { numRuns: 500 },
    );
  });

  // Each text has about a million characters. A parser that is not linear would exceed the time limit of the test.
  test.each([
    ['digits', '1'.repeat(1_000_000)],
    ['spaces behind a month', `May${' '.repeat(1_000_000)}x`],
    ['spaces behind a day', `8 May${' '.repeat(1_000_000)}x`],
    ['spaces before the time', `2015-06-03${' '.repeat(1_000_000)}x`],
    ['spaces behind a weekday', `Thu,${' '.repeat(1_000_000)}x`],
    ['spaces behind a day and month', `02 Apr 2026${' '.repeat(1_000_000)}x`],
    ['spaces around a day', `May${' '.repeat(500_000)}8${' '.repeat(500_000)}x`],
    ['fractions of a second', `2015-06-03T14:05:27.${'9'.repeat(1_000_000)}x`],
    ['letters', 'z'.repeat(1_000_000)],
  ])('rejects a megabyte of %s in linear time', (_, text) => {
    expect(parseDate(text)).toBeUndefined();
  });
});

describe('parseDate of a timestamp that ends with Z', () => {
  test('returns the same as for a lower-case z, which takes the path of the general pattern', () => {
    fc.assert(
      fc.property(
        moments,
        fc.nat(18),
        fc.constantFrom('', 'T', ' ', ':', '0', '3', '9', '02-29', '02-30'),
        ({ epochMs: at }, from, instead) => {
          const text = formatIsoTimestamp(at).slice(0, 19);
          const other = text.slice(0, from) + instead + text.slice(from + instead.length);
          expect(parseDate(`${other}Z`)).toEqual(parseDate(`${other}z`));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('formatIsoTimestamp and formatImfFixdate', () => {
  test('write an instant in the forms of the interfaces', () => {
    const at = Date.UTC(2015, 4, 13, 1, 56, 15);
    expect(formatIsoTimestamp(at)).toBe('2015-05-13T01:56:15+00:00');
    expect(formatImfFixdate(at)).toBe('Wed, 13 May 2015 01:56:15 GMT');
  });
});

describe('parseHttpDate', () => {
  const NOW = Date.UTC(2026, 5, 1);

  test.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'reads %s, a form of RFC 9110',
    (field) => {
      expect(parseHttpDate(field, NOW)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
    },
  );

  test.each([
    ['76', 2076],
    ['77', 1977],
    ['26', 2026],
    ['00', 2000],
  ])('reads the two-digit year %s as %i, at most fifty years ahead', (short, year) => {
    expect(parseHttpDate(`Sunday, 06-Nov-${short} 08:49:37 GMT`, NOW)).toBe(Date.UTC(year, 10, 6, 8, 49, 37));
  });

  test.each([
    'Mon, 30 Feb 2026 08:49:37 GMT',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    'Sun, 06 Nov 1994 23:59:61 GMT',
    'Sun, 06 Fog 1994 08:49:37 GMT',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 +0000',
    'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
    '1994-11-06T08:49:37Z',
    '784111777',
    '',
  ])('rejects %j', (field) => {
    expect(parseHttpDate(field, NOW)).toBeUndefined();
  });
});

/** HTTP dates, unchanged or with one part replaced. */
const nearlyFixdates = fc
  .tuple(
    moments,
    fc.nat(28),
    fc.constantFrom('', 'X', 'x', ' ', ':', ',', '0', '3', '9', 'Thu', 'feb', '29 Feb', '31 Apr'),
  )
  .map(([{ epochMs: at }, from, instead]) => {
    const text = formatImfFixdate(at);
    return text.slice(0, from) + instead + text.slice(from + instead.length);
  });

describe('parseImfFixdate', () => {
  test('reads exactly the output of formatImfFixdate, except leap days', () => {
    fc.assert(
      fc.property(nearlyFixdates, (text) => {
        const at = parseDate(text)?.epochMs;
        const exact = parseImfFixdate(text);
        if (exact !== undefined) expect([exact, formatImfFixdate(exact)]).toEqual([at, text]);
        else if (at !== undefined && formatImfFixdate(at) === text) expect(text.slice(5, 11)).toBe('29 Feb');
      }),
      { numRuns: 2_000 },
    );
  });

  test('reads every day of four centuries except leap days', () => {
    const missed: string[] = [];
    for (let at = Date.UTC(1890, 0, 1); at < Date.UTC(2290, 0, 1); at += 86_400_000) {
      const text = formatImfFixdate(at);
      if (parseImfFixdate(text) !== at || parseDate(text)?.epochMs !== at) missed.push(text);
    }
    expect(missed.filter((text) => text.slice(5, 11) !== '29 Feb')).toEqual([]);
  });

  test.each(['Thu, 13 May 2015 01:56:15 GMT', 'wed, 13 May 2015 01:56:15 GMT', 'Wed, 13 May 2015 01:56:15 +0000'])(
    'does not read %s, which parseDate reads',
    (text) => {
      expect(parseImfFixdate(text)).toBeUndefined();
      expect(parseDate(text)?.epochMs).toBe(Date.UTC(2015, 4, 13, 1, 56, 15));
    },
  );
});

describe('isSpacedTimestamp', () => {
  test('is false for another notation of the zone', () => {
    expect(isSpacedTimestamp('2016-06-09 13:59:39+00:00')).toBe(true);
    expect(isSpacedTimestamp('2016-06-09 13:59:39Z')).toBe(false);
  });

  test('is true for exactly the output of formatSpacedTimestamp, except leap days', () => {
    fc.assert(
      fc.property(
        moments,
        fc.nat(24),
        fc.constantFrom('', 'T', ' ', ':', '0', '3', '9', '02-30'),
        ({ epochMs: at }, from, instead) => {
          const text = formatSpacedTimestamp(at);
          const other = text.slice(0, from) + instead + text.slice(from + instead.length);
          const read = parseDate(other)?.epochMs;
          if (isSpacedTimestamp(other)) expect(read !== undefined && formatSpacedTimestamp(read)).toBe(other);
          else if (read !== undefined && formatSpacedTimestamp(read) === other)
            expect(other.slice(5, 10)).toBe('02-29');
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('the date of a certificate', () => {
  test.each([
    ['Nov 24 12:40:00 2026 GMT', Date.UTC(2026, 10, 24, 12, 40)],
    ['Jan  1 00:00:00 2030 GMT', Date.UTC(2030, 0, 1)],
    ['Feb 30 00:00:00 2030 GMT', undefined],
    ['Nov 24 12:40:00 2026 CET', undefined],
    ['undefined', undefined],
  ])('is read: %s', (text, expected) => {
    expect(parseCertificateDate(text)).toBe(expected);
  });
});
