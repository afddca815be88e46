const DAY = 86_400_000;
const MINUTE = 60_000;

/** Reads the numbers of a date; milliseconds since 1970 of its first instant in UTC, undefined where no such date exists. */
type DateParser = (year: number, first: number, second: number) => number | undefined;

/** The dates of ISO 8601 that a time may follow, in extended format (with hyphens) and in basic format (without). */
const DAYS: readonly (readonly [extended: string, basic: string, read: DateParser])[] = [
  ['(\\d{4})-(\\d{2})-(\\d{2})', '(\\d{4})(\\d{2})(\\d{2})', calendarDate],
  ['(\\d{4})-W(\\d{2})-([1-7])', '(\\d{4})W(\\d{2})([1-7])', weekDate],
  ['(\\d{4})-(\\d{3})', '(\\d{4})(\\d{3})', ordinalDate],
];

/** The dates that are longer than a day. A month has no basic format: it would be taken for a date with a year of two digits. */
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
 * Reads a date or date-time of ISO 8601 in any of its formats: calendar date (basic or extended), year, month, week, day of a week, ordinal date
 * (decisions.md, section 2, `before`). The result is the first instant that it covers, in milliseconds since 1970 with the fraction of a second; no
 * zone means UTC. Undefined where it is none, or no such date exists, or its year has not four digits.
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
  // Date.UTC takes 30 February for a day of March.
  return month >= 1 && day >= 1 && new Date(at).getUTCMonth() === month - 1 ? at : undefined;
}

function ordinalDate(year: number, day: number): number | undefined {
  const at = Date.UTC(year, 0, day);
  return day >= 1 && new Date(at).getUTCFullYear() === year ? at : undefined;
}

/** Weeks begin on Monday, and belong to the year in which their Thursday lies. */
function weekDate(year: number, week: number, day: number): number | undefined {
  const inFirst = Date.UTC(year, 0, 4);
  const monday = inFirst - ((new Date(inFirst).getUTCDay() + 6) % 7) * DAY + (week - 1) * 7 * DAY;
  const isOfYear = new Date(monday + 3 * DAY).getUTCFullYear() === year;
  return week >= 1 && isOfYear ? monday + (day - 1) * DAY : undefined;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Milliseconds from the beginning of the day in UTC, which may lie before it; 0 where no time is given; undefined where there is no such time. */
function parseTime(groups: Groups): number | undefined {
  const number = (name: string): number => Number(groups[name] ?? 0);
  const [hour, minute, second] = [number('hour'), number('minute'), number('second')];
  const [zoneHour, zoneMinute] = [number('zoneHour'), number('zoneMinute')];
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) return undefined;
  const fraction = Number(`0.${groups['fraction']?.slice(1) ?? ''}`);
  const offset = (groups['sign'] === '-' ? -1 : 1) * (zoneHour * 60 + zoneMinute);
  return (hour * 60 + minute - offset) * MINUTE + (second + fraction) * 1_000;
}
