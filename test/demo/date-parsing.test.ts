import { describe, expect, it } from 'vitest';
import { httpDateSeconds, isoDatePattern, isoDateSeconds } from '../../src/demo/date-parsing.js';

describe('httpDateSeconds', () => {
  it('returns the same time as Date, also in leap years', () => {
    for (const date of ['2000-02-29', '2023-12-31', '2024-02-29', '2024-03-01', '2026-09-30', '1970-01-01']) {
      const moment = new Date(`${date}T21:28:40Z`);
      expect(httpDateSeconds(moment.toUTCString()), date).toBe(moment.getTime() / 1000);
    }
  });

  it('returns undefined for a text that is not an HTTP date', () => {
    expect(httpDateSeconds('2026-04-02T21:28:40Z')).toBeUndefined();
    expect(httpDateSeconds('Harbour lights: ports meet carriers')).toBeUndefined();
  });
});

describe('isoDateSeconds', () => {
  it.each([
    '2026-04-02',
    '2026-04-02T21:28Z',
    '2026-04-02T21:28:40+00:00',
    '2026-04-02T21:28:40+02:00',
    '2026-04-02T21:28:40-05:30',
    '2024-12-31T23:59:59Z',
  ])('returns the same time as Date for %s', (text) => {
    expect(text).toMatch(isoDatePattern);
    expect(isoDateSeconds(text)).toBe(Date.parse(text) / 1000);
  });

  it('reads a date-time without an offset as UTC, and accepts an offset without a colon', () => {
    expect(isoDateSeconds('2026-04-02T21:28:40')).toBe(Date.parse('2026-04-02T21:28:40Z') / 1000);
    expect(isoDateSeconds('2026-04-02T21:28:40+0200')).toBe(Date.parse('2026-04-02T19:28:40Z') / 1000);
  });
});
