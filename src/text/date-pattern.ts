import { parseDate } from './date.js';

/** Longer parts come first: `DD` is not `D` twice. */
const PARTS: readonly (readonly [part: string, pattern: string])[] = [
  ['YYYY', '(?<year>[0-9]{4})'],
  ['YY', '(?<shortYear>[0-9]{2})'],
  ['MMMM', '(?<name>[A-Za-z]{3,9})'],
  ['MMM', '(?<name>[A-Za-z]{3})'],
  ['MM', '(?<month>[0-9]{2})'],
  ['M', '(?<month>[0-9]{1,2})'],
  ['DD', '(?<day>[0-9]{2})'],
  ['D', '(?<day>[0-9]{1,2})'],
  ['HH', '(?<hour>[0-9]{2})'],
  ['mm', '(?<minute>[0-9]{2})'],
  ['ss', '(?<second>[0-9]{2})'],
];

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** Earlier two-digit years are of this century. Incident response teams exist since 1988. */
const FIRST_SHORT_YEAR = 70;

/** Registrations have few patterns. */
const compiled = new Map<string, RegExp>();

/**
 * Reads a date that is written by a pattern such as `DD.MM.YYYY` or `D MMM YYYY HH:mm`, with English names of months,
 * as an ISO 8601 date as exact as the pattern (`1993`, `1993-05`, `1993-05-01`, or a time in UTC). Returns undefined if
 * the text is not of the pattern, or is no date. Throws where the pattern has no year, or a part twice.
 */
export function parseDateByPattern(text: string, pattern: string): string | undefined {
  const groups = compilePattern(pattern).exec(text.trim())?.groups;
  if (groups === undefined) return undefined;
  const { year, shortYear, name, month = monthOf(name), day, hour, minute = '00', second = '00' } = groups;
  if (name !== undefined && month === undefined) return undefined;
  const parts = [year ?? completeYear(Number(shortYear)), month, day].filter((part) => part !== undefined);
  const date = parts.map((part) => part.padStart(2, '0')).join('-');
  const isoDate = hour === undefined ? date : `${date}T${hour}:${minute}:${second}Z`;
  return parseDate(isoDate) === undefined ? undefined : isoDate;
}

function compilePattern(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  let rest = pattern;
  let source = '';
  while (rest !== '') {
    const [part, matches] = PARTS.find(([one]) => rest.startsWith(one)) ?? [rest.charAt(0), undefined];
    source += matches ?? part.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
    rest = rest.slice(part.length);
  }
  if (!/<(?:year|shortYear)>/.test(source)) throw new Error(`the date pattern ${pattern} has no year`);
  const expression = new RegExp(`^${source}$`);
  compiled.set(pattern, expression);
  return expression;
}

function completeYear(year: number): string {
  return String(year < FIRST_SHORT_YEAR ? 2000 + year : 1900 + year);
}

function monthOf(name: string | undefined): string | undefined {
  const start = name?.toLowerCase();
  const at = MONTHS.findIndex((month) => start !== undefined && start.length >= 3 && month.startsWith(start));
  return at < 0 ? undefined : String(at + 1);
}
