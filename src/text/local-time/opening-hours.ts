import { parseTimeZone } from './time-zone.js';
import type { LocalClock, TimeZone } from './time-zone.js';

/** `always`: at any hour. Else on the same hours of each of the days, also beyond midnight. */
export type OpeningHours =
  | { readonly kind: 'always' }
  | {
      readonly kind: 'weekly';
      /** 0 is Sunday. */
      readonly days: ReadonlySet<number>;
      /** In minutes since midnight. */
      readonly from: number;
      readonly to: number;
      /** Absent: at the place of the team. */
      readonly zone?: TimeZone;
    };

/** A note such as `, duty officer by phone` may follow. */
const ALWAYS = /^24 ?(?:[x×*/]|hours?(?: a day)?,?) ?7(?: ?[x×*/] ?365)?\b(.*)$/i;

/** In the note, it may say that somebody answers at some hours only, or look like a remark of Rollcall (`· all state it`). */
const DOUBT = /\d\s?[:.h]\s?\d|[·≠✓✗]|\b(?:except|only|not|no|but|office|business|working|holidays?)\b/i;

const WEEKLY =
  /^(?<first>[a-z]+)(?: ?(?:-|–|to|through) ?(?<last>[a-z]+))?,? (?<from>\d{1,2}[:.]\d\d) ?(?:-|–|to) ?(?<to>\d{1,2}[:.]\d\d)(?:,? \(?(?:local time|(?<zone>(?:UTC|GMT)[^()]*))\)?)?$/i;

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** In characters. */
const MAX_LENGTH = 200;

/**
 * Undefined for everything that leaves a doubt, such as `working days`, which differ between countries, or hours with
 * a further condition.
 */
export function parseOpeningHours(text: string): OpeningHours | undefined {
  const plain = text.trim().replace(/\s+/g, ' ');
  if (plain.length > MAX_LENGTH) return undefined;
  const [, note] = ALWAYS.exec(plain) ?? [];
  if (note !== undefined) return DOUBT.test(note) ? undefined : { kind: 'always' };
  const groups: Readonly<Record<string, string | undefined>> = WEEKLY.exec(plain)?.groups ?? {};
  const days = readDays(groups['first'], groups['last']);
  const [from, to] = [readMinutes(groups['from']), readMinutes(groups['to'])];
  if (days === undefined || from === undefined || to === undefined || from === to) return undefined;
  if (groups['zone'] === undefined) return { kind: 'weekly', days, from, to };
  const zone = parseTimeZone(groups['zone']);
  return zone && { kind: 'weekly', days, from, to, zone };
}

function readDays(first: string | undefined, last = first): ReadonlySet<number> | undefined {
  if (first?.toLowerCase() === 'daily') return new Set(DAYS.keys());
  const [from, to] = [readDay(first), readDay(last)];
  if (from === undefined || to === undefined) return undefined;
  const length = ((to - from + DAYS.length) % DAYS.length) + 1;
  return new Set(Array.from({ length }, (_, at) => (from + at) % DAYS.length));
}

/** `Mon`, `Monday`, `Thurs`, and no other word that begins like a day. */
function readDay(text = ''): number | undefined {
  const at = DAYS.indexOf(text.slice(0, 3).toLowerCase());
  return at >= 0 && /^...(?:s|rs?|rsday|sday|nesday|urday|day)?$/i.test(text) ? at : undefined;
}

/** Undefined for no time of day. */
function readMinutes(text = ''): number | undefined {
  const [hours = NaN, minutes = NaN] = text.split(/[:.]/).map(Number);
  return hours * 60 + minutes <= 24 * 60 && minutes < 60 ? hours * 60 + minutes : undefined;
}

export function isOpenAt(hours: OpeningHours, { weekday, minutes }: LocalClock): boolean {
  if (hours.kind === 'always') return true;
  const { days, from, to } = hours;
  if (from < to) return days.has(weekday) && minutes >= from && minutes < to;
  return (days.has(weekday) && minutes >= from) || (days.has((weekday + 6) % 7) && minutes < to);
}
