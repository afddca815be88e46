import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseIsoDate } from '../../src/text/iso-date.js';

/** The parsed date as ISO 8601 with milliseconds; undefined where the text is not a date. */
function instant(text: string): string | undefined {
  const at = parseIsoDate(text);
  return at === undefined ? undefined : new Date(at).toISOString();
}

const DAY = 86_400_000;

describe('parseIsoDate', () => {
  test.each([
    ['2026', '2026-01-01T00:00:00.000Z'],
    ['2026-02', '2026-02-01T00:00:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['20260131', '2026-01-31T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-W05', '2026-01-26T00:00:00.000Z'],
    ['2026W05', '2026-01-26T00:00:00.000Z'],
    ['2026-W05-3', '2026-01-28T00:00:00.000Z'],
    ['2026W053', '2026-01-28T00:00:00.000Z'],
    ['2026-w05-3', '2026-01-28T00:00:00.000Z'],
    ['2026-W01', '2025-12-29T00:00:00.000Z'],
    ['2026-W53-7', '2027-01-03T00:00:00.000Z'],
    ['2026-031', '2026-01-31T00:00:00.000Z'],
    ['2026031', '2026-01-31T00:00:00.000Z'],
    ['2024-366', '2024-12-31T00:00:00.000Z'],
    ['2026-01-31T12', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:30', '2026-01-31T12:30:00.000Z'],
    ['2026-01-31 12:30:15', '2026-01-31T12:30:15.000Z'],
    ['2026-01-31T12:30:15.25Z', '2026-01-31T12:30:15.250Z'],
    ['2026-01-31T12:30:15,25+02:00', '2026-01-31T10:30:15.250Z'],
    ['2026-01-31 00:30:00 +00:45', '2026-01-30T23:45:00.000Z'],
    ['20260131T123015Z', '2026-01-31T12:30:15.000Z'],
    ['20260131T1230-0500', '2026-01-31T17:30:00.000Z'],
    ['20260131T12+02', '2026-01-31T10:00:00.000Z'],
    ['2026-W05-3T12:00Z', '2026-01-28T12:00:00.000Z'],
    ['2026W053T1200Z', '2026-01-28T12:00:00.000Z'],
    ['2026-031T12:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026031T1200Z', '2026-01-31T12:00:00.000Z'],
  ])('reads %s as %s', (text, meant) => {
    expect(instant(text)).toBe(meant);
  });

  test.each([
    ...[
      '',
      '20',
      '202',
      '202601',
      '20261',
      '26-01-31',
      '0999',
      '2026-13',
      '2026-00',
      '2026-02-30',
      '2026-01-00',
      '20260230',
    ],
    ...[
      '2026-W00',
      '2026-W54',
      '2025-W53',
      '2026-W05-0',
      '2026-W05-8',
      '2026-W5',
      '2026W05-3',
      '2026-000',
      '2026-366',
      '2024-367',
    ],
    ...[
      '2026T12:00',
      '2026-01T12:00',
      '2026-W05T12:00',
      '20260131T12:00',
      '2026-01-31T1200',
      '2026-01-31T24:00',
      '2026-01-31T12:60',
    ],
    ...[
      '2026-01-31T12:00:60',
      '2026-01-31T12:00+24:00',
      '2026-01-31T12:00+00:60',
      '2026-01-31Z',
      '2026-01-31T',
      ' 2026',
      '2026 ',
    ],
    ...[
      '1000-01-01T00:00+01:00',
      '9999-12-31T23:00-01:00',
      'yesterday',
      'Thu, 02 Apr 2026 21:28:40 GMT',
      '+2026',
      '-2026-01-01',
    ],
  ])('rejects %s', (text) => {
    expect(instant(text)).toBeUndefined();
  });

  test('reads every notation of a day as the same instant', () => {
    fc.assert(
      fc.property(fc.integer({ min: -350_000, max: 2_900_000 }), (days) => {
        const at = days * DAY;
        const date = new Date(at);
        const [year = '', month = '', day = ''] = date.toISOString().slice(0, 10).split('-');
        const ordinal = String((at - Date.UTC(Number(year), 0)) / DAY + 1).padStart(3, '0');
        const thursday = new Date(at + (4 - (date.getUTCDay() || 7)) * DAY);
        const ofThursday = (thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0)) / DAY;
        const week = `${thursday.getUTCFullYear()}-W${String(Math.floor(ofThursday / 7) + 1).padStart(2, '0')}-${date.getUTCDay() || 7}`;
        const extended = [`${year}-${month}-${day}`, `${year}-${ordinal}`, week];
        for (const text of [...extended, ...extended.map((one) => one.replaceAll('-', ''))])
          expect([text, parseIsoDate(text)]).toEqual([text, at]);
      }),
    );
  });

  test('rejects very long texts without delay', () => {
    const hostile = [
      '2026',
      '1'.repeat(1_000_000),
      `2026-01-31${' '.repeat(1_000_000)}`,
      `2026-01-31T12:00:00.${'0'.repeat(1_000_000)}x`,
    ];
    for (const text of hostile.slice(1)) expect(instant(text)).toBeUndefined();
  });
});
