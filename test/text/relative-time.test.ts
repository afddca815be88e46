import { describe, expect, it } from 'vitest';
import { formatAge, formatUtcTime } from '../../src/text/relative-time.js';

describe('an age', () => {
  it.each([
    [-5_000, 'just now'],
    [9_999, 'just now'],
    [59_000, '59 seconds ago'],
    [60_000, '1 minute ago'],
    [3_599_000, '59 minutes ago'],
    [3 * 3_600_000, '3 hours ago'],
    [36 * 3_600_000, '1 day ago'],
    [20 * 86_400_000, '20 days ago'],
  ])('of %i ms is %s', (age, text) => {
    expect(formatAge(age)).toBe(text);
  });
});

describe('a time in UTC', () => {
  it('has its day only where that is not today', () => {
    const now = Date.UTC(2026, 10, 24, 15);
    expect(formatUtcTime(Date.UTC(2026, 10, 24, 12, 40), now)).toBe('12:40 UTC');
    expect(formatUtcTime(Date.UTC(2026, 10, 23, 23, 59), now)).toBe('2026-11-23 23:59 UTC');
  });
});
