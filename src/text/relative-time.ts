import { formatIsoTimestamp } from './date.js';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** Below this age, a text says "just now": a reader cannot act on a difference of seconds. */
const NOW_MS = 10_000;

/** Largest unit of an age in milliseconds: `3 hours ago`, `1 day ago`, `just now`. */
export function formatAge(age: number): string {
  const [unit, milliseconds] = UNITS.find(([, length]) => age >= length) ?? UNITS[3];
  if (age < NOW_MS) return 'just now';
  const count = Math.floor(age / milliseconds);
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

/** `12:40 UTC` on the day of `now`, else `2026-11-24 12:40 UTC`. Both in milliseconds since 1970. */
export function formatUtcTime(at: number, now: number): string {
  const [text, today] = [formatIsoTimestamp(at), formatIsoTimestamp(now).slice(0, 10)];
  const time = `${text.slice(11, 16)} UTC`;
  return text.startsWith(today) ? time : `${text.slice(0, 10)} ${time}`;
}
