/** A less exact date sorts before the exact dates that it covers (decisions 2.23). */
export type DatePrecision = 'year' | 'month' | 'day' | 'second';

export interface DateWithPrecision {
  /** First instant that the date covers, in milliseconds since 1970, whole seconds. */
  readonly epochMs: number;
  readonly precision: DatePrecision;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const NAMES =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const TIME_OF_DAY_PATTERN = '(?<hour>\\d{2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?:[.,]\\d+)?)?';
const ZONE = '(?<zone>z|gmt|utc|[+-]\\d{2}(?::?\\d{2})?)';

/** Forms that sources were seen to send (decisions 4.4), and close variants. */
const FORMS = [
  `(?<year>\\d{4})(?:-(?<month>\\d{2})(?:-(?<day>\\d{2}))?)?`,
  `(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})(?:t| +)${TIME_OF_DAY_PATTERN} ?${ZONE}?`,
  `(?:[a-z]{3,9}, *)?(?<day>\\d{1,2})[ -](?<name>${NAMES})[ -](?<year>\\d{4}) +${TIME_OF_DAY_PATTERN} ?${ZONE}?`,
  `(?<name>${NAMES})\\.? +(?:(?<day>\\d{1,2})(?:st|nd|rd|th)?,? +)?(?<year>\\d{4})`,
  `(?<day>\\d{1,2})(?:st|nd|rd|th)?\\.? +(?<name>${NAMES})\\.?,? +(?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`, 'i'));

/** Days that exist in every year. */
const MONTH_AND_DAY = '(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31';
const TIME_OF_DAY = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';

/** What `formatIsoDate` writes, except 29 February. */
const CANONICAL_ISO_DATE = new RegExp(
  `^[1-9]\\d{3}(?:-(?:0[1-9]|1[0-2])|-(?:${MONTH_AND_DAY})(?:T${TIME_OF_DAY}\\+00:00)?)?$`,
);

const PRECISION_BY_LENGTH: ReadonlyMap<number, DatePrecision> = new Map([
  [4, 'year'],
  [7, 'month'],
  [10, 'day'],
  [25, 'second'],
]);

/** Without parsing, for the form of `formatIsoDate`, as most dates have. Undefined proves nothing (29 February). */
export function detectIsoPrecision(text: string): DatePrecision | undefined {
  return CANONICAL_ISO_DATE.test(text) ? PRECISION_BY_LENGTH.get(text.length) : undefined;
}

/** With the spaces around them. */
const IMF_MONTHS = MONTHS.map((name) => ` ${name.charAt(0).toUpperCase()}${name.slice(1)} `);

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/**
 * Parses what `formatImfFixdate` writes, as milliseconds since 1970; undefined for any other text. Regular expressions
 * and Date.parse take twice as long: a drain of news, which has a bound (`drain` in bench/bounds.ts) and reads each
 * date at least twice, took 1.2 times as long with them.
 */
export function parseImfFixdate(text: string): number | undefined {
  if (text.length !== 29 || !text.startsWith(', ', 3) || !text.endsWith(' GMT')) return undefined;
  if (text.charAt(16) !== ' ' || text.charAt(19) !== ':' || text.charAt(22) !== ':') return undefined;
  const year = parseTwoDigits(text, 12) * 100 + parseTwoDigits(text, 14);
  const month = IMF_MONTHS.indexOf(text.slice(7, 12));
  const day = parseTwoDigits(text, 5);
  const hour = parseTwoDigits(text, 17);
  const minute = parseTwoDigits(text, 20);
  const second = parseTwoDigits(text, 23);
  // NaN fails each of these comparisons.
  if (!(year >= 1000 && month >= 0 && hour < 24 && minute < 60 && second < 60)) return undefined;
  const date = new Date(Date.UTC(year, month, day, hour, minute, second));
  const isThatDay = date.getUTCDate() === day && WEEKDAYS[date.getUTCDay()] === text.slice(0, 3);
  return isThatDay ? date.getTime() : undefined;
}

/** NaN if there are no two digits. */
function parseTwoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 0x30;
  const ones = text.charCodeAt(at + 1) - 0x30;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

/** Reads any form that sources send. Without a zone, UTC is meant. Undefined if the text is not a date. */
export function parseDate(text: string): DateWithPrecision | undefined {
  const at = parseImfFixdate(text.endsWith(' +0000') ? text.replace('+0000', 'GMT') : text);
  if (at !== undefined) return { epochMs: at, precision: 'second' };
  const iso = text.charAt(10) === ' ' ? text.replace(' ', 'T') : text;
  const precision = detectIsoPrecision(iso);
  if (precision !== undefined) return { epochMs: Date.parse(iso), precision };
  for (const form of FORMS) {
    const groups = form.exec(text)?.groups;
    if (groups !== undefined) return buildDate(groups);
  }
  return undefined;
}

type Groups = Readonly<Record<string, string | undefined>>;

function buildDate(groups: Groups): DateWithPrecision | undefined {
  const year = Number(groups['year']);
  const month = parseMonth(groups) ?? 1;
  const day = Number(groups['day'] ?? 1);
  const [hour, minute, second] = [groups['hour'], groups['minute'], groups['second']].map((part) => Number(part ?? 0));
  if (year < 1000 || hour === undefined || minute === undefined || second === undefined) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const at = Date.UTC(year, month - 1, day, hour, minute, second);
  // Date.UTC turns 30 February into a day of March.
  if (new Date(at).getUTCMonth() !== month - 1) return undefined;
  const instant = at - (parseZoneOffset(groups['zone']) ?? NaN);
  return instant >= EARLIEST && instant < END ? { epochMs: instant, precision: findPrecision(groups) } : undefined;
}

/** Instants whose year has four digits in UTC, whatever zone they were written in. Others could not be written. */
const EARLIEST = Date.UTC(1000, 0);
const END = Date.UTC(10_000, 0);

function parseMonth(groups: Groups): number | undefined {
  if (groups['month'] !== undefined) return Number(groups['month']);
  const name = groups['name'];
  return name === undefined ? undefined : MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

function findPrecision(groups: Groups): DatePrecision {
  if (groups['hour'] !== undefined) return 'second';
  if (groups['day'] !== undefined) return 'day';
  return parseMonth(groups) === undefined ? 'year' : 'month';
}

/** Milliseconds to subtract from local time; undefined beyond 23 hours or 59 minutes (RFC 3339, section 5.6). */
function parseZoneOffset(zone: string | undefined): number | undefined {
  if (zone === undefined || /^[a-z]/i.test(zone)) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

const ISO_DATE_LENGTH = { year: 4, month: 7, day: 10 } as const;

/** With the precision of the date: `1993`, `1993-05`, `1993-05-01` or a timestamp with offset (decisions 4.10). */
export function formatIsoDate({ epochMs: at, precision }: DateWithPrecision): string {
  if (precision === 'second') return formatIsoTimestamp(at);
  return new Date(at).toISOString().slice(0, ISO_DATE_LENGTH[precision]);
}

/** `2015-06-03T14:05:27+00:00`. `at` is in milliseconds since 1970. */
export function formatIsoTimestamp(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}+00:00`;
}

/** Timestamp of the data interface: `2016-06-09 13:59:39+00:00`. `at` is in milliseconds since 1970. */
export function formatSpacedTimestamp(at: number): string {
  return formatIsoTimestamp(at).replace('T', ' ');
}

/** The text has the form that `formatSpacedTimestamp` writes, and need not be rewritten. False proves nothing. */
export function isSpacedTimestamp(text: string): boolean {
  return text.charAt(10) === ' ' && detectIsoPrecision(text.replace(' ', 'T')) === 'second';
}

/** RFC 9110, section 5.6.7: `Wed, 13 May 2015 01:56:15 GMT`. `at` is in milliseconds since 1970. */
export function formatImfFixdate(at: number): string {
  return new Date(at).toUTCString();
}

const HTTP_TIME = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})';

/** RFC 9110, section 5.6.7: IMF-fixdate, and the obsolete forms of RFC 850 and of asctime. */
const HTTP_FORMS = [
  `[A-Z][a-z]{2}, (?<day>\\d{2}) (?<name>[A-Z][a-z]{2}) (?<year>\\d{4}) ${HTTP_TIME} GMT`,
  `[A-Z][a-z]{5,8}, (?<day>\\d{2})-(?<name>[A-Z][a-z]{2})-(?<short>\\d{2}) ${HTTP_TIME} GMT`,
  `[A-Z][a-z]{2} (?<name>[A-Z][a-z]{2}) (?<day>[ \\d]\\d) ${HTTP_TIME} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/**
 * Returns milliseconds since 1970, or undefined for an invalid date; the field then counts as absent (decisions 7.11).
 * `now`, in milliseconds since 1970, determines the century of a two-digit year.
 */
export function parseHttpDate(field: string, now: number): number | undefined {
  const text = field.trim();
  for (const form of HTTP_FORMS) {
    const groups = form.exec(text)?.groups;
    if (groups === undefined) continue;
    const { short, year = String(expandTwoDigitYear(Number(short), now)) } = groups;
    return buildDate({ ...groups, year })?.epochMs;
  }
  return undefined;
}

/** RFC 9110, section 5.6.7: a two-digit year that appears to be more than 50 years in the future is in the past. */
function expandTwoDigitYear(short: number, now: number): number {
  const present = new Date(now).getUTCFullYear();
  const year = present - (present % 100) + short;
  return year > present + 50 ? year - 100 : year;
}

const CERTIFICATE_DATE = new RegExp(`^(?<name>[A-Z][a-z]{2}) (?<day>[ \\d]\\d) ${HTTP_TIME} (?<year>\\d{4}) GMT$`);

/** As OpenSSL writes it: `Nov 24 12:40:00 2026 GMT`. Milliseconds since 1970; undefined for any other text. */
export function parseCertificateDate(text: string): number | undefined {
  const groups = CERTIFICATE_DATE.exec(text)?.groups;
  return groups && buildDate(groups)?.epochMs;
}

/** For libraries that take no number. `at` is in milliseconds since 1970. */
export function toDate(at: number): Date {
  return new Date(at);
}
