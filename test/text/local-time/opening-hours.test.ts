import { describe, expect, it } from 'vitest';
import { isOpenAt, parseOpeningHours } from '../../../src/text/local-time/opening-hours.js';

/** Monday is 1. */
const at = (weekday: number, time: string): { weekday: number; minutes: number } => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return { weekday, minutes: hours * 60 + minutes };
};

function isOpen(text: string, weekday: number, time: string): boolean | undefined {
  const hours = parseOpeningHours(text);
  return hours && isOpenAt(hours, at(weekday, time));
}

describe('hours in which a team answers', () => {
  it('are every hour in all writings of 24/7, also with a note', () => {
    const texts = ['24x7', '24/7', '24 x 7', '24/7/365, answered within one hour', '24x7, duty officer by phone'];
    expect(texts.map((text) => parseOpeningHours(text)?.kind)).toEqual(texts.map(() => 'always'));
  });

  it('are hours of days of the week', () => {
    const text = 'Mon-Fri 09:00-17:00 local time';
    const times = [
      isOpen(text, 1, '09:00'),
      isOpen(text, 5, '16:59'),
      isOpen(text, 5, '17:00'),
      isOpen(text, 6, '12:00'),
    ];
    expect(times).toEqual([true, true, false, false]);
    expect([
      isOpen('Sunday to Thursday, 08:00-15:00', 0, '08:00'),
      isOpen('Sunday to Thursday, 08:00-15:00', 5, '08:00'),
    ]).toEqual([true, false]);
  });

  it('end on the next day where they go beyond midnight', () => {
    const text = 'Fri 22:00–06:00';
    expect([isOpen(text, 5, '23:00'), isOpen(text, 6, '05:59'), isOpen(text, 5, '05:59')]).toEqual([true, true, false]);
  });

  it('may state their own time zone', () => {
    expect(parseOpeningHours('Sunday to Thursday, 08:00-15:00 (UTC+3)')).toMatchObject({ zone: { offset: 180 } });
    expect(parseOpeningHours('Mon-Fri 09:00-17:00 (UTC+99)')).toBeUndefined();
  });

  it('are not read where a doubt remains', () => {
    const texts = [
      'Working days, 08:30 to 16:30; out of hours by phone only',
      '24x7 for members only',
      '24x7 · all 4 records state it',
      '24/7 monitoring, phones 09:00-17:00',
      'Mon-Fri 09:00-17:00 except holidays',
      'Monument-Frieze 09:00-17:00',
      'Mon-Fri 25:00-26:00',
      '08:30',
      '',
    ];
    expect(texts.map(parseOpeningHours)).toEqual(texts.map(() => undefined));
  });
});
