const DAY = 86_400_000;
const MINUTE = 60_000;

/** First instant in UTC, in milliseconds since 1970; undefined if there is no such date. */
type DateParser = (year: number, first: number, second: number) => number | undefined;

/** Dates of one day, which a time may follow, in extended format (with hyphens) and basic format (without). */
const DAYS: readonly (readonly [extended: string, basic: string, read: DateParser])[] = [
  ['(\\d{4})-(\\d{2})-(\\d{2})', '(\\d{4})(\\d{2})(\\d{2})', calendarDate],
  ['(\\d{4})-W(\\d{2})-([1-7])', '(\\d{4})W(\\d{2})([1-7])', weekDate],
  ['(\\d{4})-(\\d{3})', '(\\d{4})(\\d{3})', ordinalDate],
];

/** Longer than a day. A month has no basic format: it could be read as a date with a two-digit year. */
const PERIODS: readonly (readonly [form: string, read: DateParser])[] = [
  ['(\\d{4})', (year) => calendarDate(year, 1, 1)],
  ['(\\d{4})-(\\d{2})', (year, month) => calendarDate(year, month, 1)],
  ['(\\d{4})-?W(\\d{2})', (year, week) => weekDate(year, week, 1)],
];

const SECONDS = '(?<second>\\d{2})(?<fraction>[.,]\\d+)?';
const EXTENDED_TIME = `(?<hour>\\d{2})(?::(?<minute>\\d{2})(?::${SECONDS})?)?`;
const BASIC_TIME = `(?<hour>\\d{2})(?:(?<minute>\\d{2})(?:${SECONDS})?)?`;
const ZONE = '(?<zone>Z|GMT|UTC|(?<sign>[+-])(?<zoneHour>\\d{2})(?::?(?<zoneMinute>\\d{2}))?)';

interface IsoDateForm {
  readonly pattern: RegExp;
  readonly parse: DateParser;
}

const FORMS: readonly IsoDateForm[] = [
  ...DAYS.flatMap(([extended, basic, read]) => [
    buildForm(extended, EXTENDED_TIME, read),
    buildForm(basic, BASIC_TIME, read),
  ]),
  ...PERIODS.map(([form, read]) => ({ pattern: new RegExp(`^${form}$`, 'i'), parse: read })),
];

function buildForm(date: string, time: string, read: DateParser): IsoDateForm {
  return { pattern: new RegExp(`^${date}(?:(?:T| +)${time} ?${ZONE}?)?$`, 'i'), parse: read };
}

/**
 * Parses an ISO 8601 date or date-time (decisions 2.30): calendar date, year, month, week, day of a week or ordinal
 * date, in extended or basic format. Returns its first instant in milliseconds since 1970, with the fraction of a
 * second. Without a zone, UTC is meant. Undefined for another form, a date that does not exist, or a year without four
 * digits.
 */
export function parseIsoDate(text: string): number | undefined {
  for (const { pattern, parse: read } of FORMS) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const [year = NaN, first = NaN, second = NaN] = found.slice(1, 4).map(Number);
    const date = year < 1000 ? undefined : read(year, first, second);
    const time = parseTime(found.groups ?? {});
    const at = date === undefined || time === undefined ? NaN : date + time;
    return at >= EARLIEST && at < END ? at : undefined;
  }
  return undefined;
}

/** Instants whose year has four digits. */
const EARLIEST = Date.UTC(1000, 0);
const END = Date.UTC(10_000, 0);

function calendarDate(year: number, month: number, day: number): number | undefined {
  const at = Date.UTC(year, month - 1, day);
  // Date.UTC turns 30 February into a day of March.
  return month >= 1 && day >= 1 && new Date(at).getUTCMonth() === month - 1 ? at : undefined;
}

function ordinalDate(year: number, day: number): number | undefined {
  const at = Date.UTC(year, 0, day);
  return day >= 1 && new Date(at).getUTCFullYear() === year ? at : undefined;
}

/** Weeks begin on Monday and belong to the year of their Thursday. */
function weekDate(year: number, week: number, day: number): number | undefined {
  const inFirst = Date.UTC(year, 0, 4);
  const monday = inFirst - ((new Date(inFirst).getUTCDay() + 6) % 7) * DAY + (week - 1) * 7 * DAY;
  const isOfYear = new Date(monday + 3 * DAY).getUTCFullYear() === year;
  return week >= 1 && isOfYear ? monday + (day - 1) * DAY : undefined;
}

type Groups = Readonly<Record<string, string | undefined>>;

/**
 * Milliseconds since the start of the day in UTC; negative if the zone moves the time to the day before; 0 without a
 * time; undefined for a time that does not exist.
 */
function parseTime(groups: Groups): number | undefined {
  const number = (name: string): number => Number(groups[name] ?? 0);
  const [hour, minute, second] = [number('hour'), number('minute'), number('second')];
  const [zoneHour, zoneMinute] = [number('zoneHour'), number('zoneMinute')];
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) return undefined;
  const fraction = Number(`0.${groups['fraction']?.slice(1) ?? ''}`);
  const offset = (groups['sign'] === '-' ? -1 : 1) * (zoneHour * 60 + zoneMinute);
  return (hour * 60 + minute - offset) * MINUTE + (second + fraction) * 1_000;
}
