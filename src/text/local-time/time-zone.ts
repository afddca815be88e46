/** As a text states it: a fixed offset from UTC in minutes, or a zone of the IANA database. */
export type TimeZone = { readonly offset: number } | { readonly zone: string };

/** An offset such as `UTC+03:00`, `GMT -4`, `GMT+0800`, `+5.5`, or a name of UTC without one. */
const OFFSET = /^\(?(?:(?:UTC|GMT)(?:\s*(?<signed>[+\-\u2212\u2013]\s*\d.*?))?|(?<bare>[+\-\u2212]\s*\d.*?)|Z)\)?$/i;
const HOURS = /^(?<sign>[+\-\u2212\u2013])\s*(?<hours>\d{1,2})(?::?(?<minutes>\d{2})|[.,](?<fraction>5|25|75))?$/;

const ZONE = /^[A-Z][A-Za-z_]+(?:\/[A-Za-z\d_+-]+){1,2}$/;

/** Offsets in use reach from -12 to +14 hours. */
const MAX_OFFSET = 14 * 60;

/** Of a text that may name a zone, in characters. */
const MAX_LENGTH = 64;

/** Undefined for a text that names no zone or is ambiguous, such as `Pacific`, `BST` or `No DST`. */
export function parseTimeZone(text: string): TimeZone | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MAX_LENGTH) return undefined;
  if (ZONE.test(trimmed)) return isKnownZone(trimmed) ? { zone: trimmed } : undefined;
  const groups = OFFSET.exec(trimmed)?.groups;
  if (groups === undefined) return undefined;
  const hours = groups['signed'] ?? groups['bare'];
  const offset = hours === undefined ? 0 : parseOffset(hours);
  return offset === undefined ? undefined : { offset };
}

function parseOffset(text: string): number | undefined {
  const groups = HOURS.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const minutes =
    groups['fraction'] === undefined ? Number(groups['minutes'] ?? 0) : fractionOfHour(groups['fraction']);
  const size = Number(groups['hours']) * 60 + minutes;
  if (minutes > 59 || size > MAX_OFFSET) return undefined;
  return groups['sign'] === '+' ? size : -size;
}

function fractionOfHour(digits: string): number {
  return Number(`0.${digits}`) * 60;
}

function isKnownZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** `Tue 14:05`. `at` is in milliseconds since 1970. */
export function formatLocalTime(at: number, zone: TimeZone): string {
  const [timeZone, shift] = 'zone' in zone ? [zone.zone, 0] : ['UTC', zone.offset * 60_000];
  const format = new Intl.DateTimeFormat('en', {
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });
  return format.format(at + shift).replace(',', '');
}

/** For a reader: `UTC+03:00`, or the name of the IANA database. */
export function formatTimeZone(zone: TimeZone): string {
  if ('zone' in zone) return zone.zone;
  const size = Math.abs(zone.offset);
  const [hours, minutes] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'));
  return zone.offset === 0 ? 'UTC' : `UTC${zone.offset < 0 ? '-' : '+'}${hours}:${minutes}`;
}

export interface LocalClock {
  /** 0 is Sunday. */
  readonly weekday: number;
  /** Since midnight. */
  readonly minutes: number;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** `at` is in milliseconds since 1970. */
export function readLocalClock(at: number, zone: TimeZone): LocalClock {
  const [weekday = '', hours, minutes] = formatLocalTime(at, zone).split(/[ :]/);
  return { weekday: WEEKDAYS.indexOf(weekday), minutes: Number(hours) * 60 + Number(minutes) };
}
