import { parseDate } from '../../../text/date.js';

/**
 * Hours from UTC of zone names: those of RFC 822, section 5.1, and names of legal time of Europe, Japan, Korea, eastern
 * Australia and New Zealand, each of which has one meaning only. RFC 5322, section 4.3, says why other single letters
 * than Z are not read. `BST` and `IST` mean several zones.
 */
const ZONES: ReadonlyMap<string, string> = new Map([
  ...['z', 'ut', 'utc', 'gmt', 'wet'].map((name) => [name, '+00:00'] as const),
  ['est', '-05:00'],
  ['edt', '-04:00'],
  ['cst', '-06:00'],
  ['cdt', '-05:00'],
  ['mst', '-07:00'],
  ['mdt', '-06:00'],
  ['pst', '-08:00'],
  ['pdt', '-07:00'],
  ['west', '+01:00'],
  ['cet', '+01:00'],
  ['cest', '+02:00'],
  ['eet', '+02:00'],
  ['eest', '+03:00'],
  ['jst', '+09:00'],
  ['kst', '+09:00'],
  ['aest', '+10:00'],
  ['aedt', '+11:00'],
  ['nzst', '+12:00'],
  ['nzdt', '+13:00'],
]);

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(?<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const CLOCK =
  '(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?:[.,]\\d+)?)?(?: ?(?<half>[ap])\\.?m\\.?(?![a-z]))?';
const ZONE = '(?<zone>[a-z]{1,4}|(?:gmt|utc)?[+-]\\d{1,2}(?::?\\d{2})?)';
const TIME = `${CLOCK}(?: ?${ZONE})?`;
const WEEKDAY = '(?:[\\p{L}\\p{M}]{1,15}\\.?,? )?';

const FORMS = [
  // RFC 822, also with a weekday in another language or none, a short year, and no seconds or time.
  `${WEEKDAY}(?<day>\\d{1,2})(?: |-)${MONTH}(?: |-)(?<year>\\d{4}|\\d{2}),?(?: ${TIME})?`,
  // asctime and date(1).
  `${WEEKDAY}${MONTH} (?<day>\\d{1,2}) ${TIME} (?<year>\\d{4})`,
  `${WEEKDAY}${MONTH} (?<day>\\d{1,2}),? (?<year>\\d{4}),?(?: (?:at )?${TIME})?`,
  // ISO 8601, also in its basic form, and with slashes.
  `(?<year>\\d{4})(?<mark>[-/.])(?<month>\\d{1,2})\\k<mark>(?<day>\\d{1,2})(?:(?: ?t ?| )${TIME})?`,
  `(?<year>\\d{4})(?<month>\\d{2})(?<day>\\d{2})(?:t(?<hour>\\d{2})(?<minute>\\d{2})(?<second>\\d{2})?${ZONE}?)?`,
  `(?<one>\\d{1,2})(?<mark>[-/.])(?<two>\\d{1,2})\\k<mark>(?<year>\\d{4}),?(?: ${TIME})?`,
].map((form) => new RegExp(`^${form}$`, 'iu'));

/** Maximum length of a text that is read as a date, in characters. */
const MAX_LENGTH = 100;

/**
 * Returns the date of a feed in a form that `parseDate` reads: as written if it is one, else in ISO 8601. A text that is
 * no date, or that may mean more than one (11/12/2026, zone IST), stays as it is (decisions 4.32.2).
 */
export function normalizeFeedDate(text: string): string {
  if (text.length > MAX_LENGTH || parseDate(text) !== undefined) return text;
  const plain = text
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  for (const form of FORMS) {
    const groups = form.exec(plain)?.groups;
    const iso = groups && formatIso(groups);
    if (iso !== undefined && parseDate(iso) !== undefined) return iso;
  }
  return text;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Undefined if a part is missing or ambiguous. */
function formatIso(groups: Groups): string | undefined {
  const dayAndMonth = findDayAndMonth(groups);
  const time = formatTime(groups);
  if (dayAndMonth === undefined || time === undefined) return undefined;
  return `${expandYear(groups['year'] ?? '')}-${pad(dayAndMonth.month)}-${pad(dayAndMonth.day)}${time}`;
}

function findDayAndMonth({ name, month, day, one, two }: Groups): { month: number; day: number } | undefined {
  if (one !== undefined && two !== undefined) return orderDayAndMonth(Number(one), Number(two));
  const number = name === undefined ? Number(month) : MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  return { month: number, day: Number(day) };
}

/** Day and month of two numbers, whose order differs between countries. */
function orderDayAndMonth(one: number, two: number): { month: number; day: number } | undefined {
  if (one > 12 || one === two) return { month: two, day: one };
  return two > 12 ? { month: one, day: two } : undefined;
}

/** RFC 5322, section 4.3: years of two digits from 50 on are of the 20th century. */
function expandYear(year: string): string {
  if (year.length === 4) return year;
  return `${Number(year) < 50 ? '20' : '19'}${year}`;
}

function formatTime({ hour, minute, second = '00', half, zone = 'z' }: Groups): string | undefined {
  if (hour === undefined || minute === undefined) return '';
  const offset = findOffset(zone.toLowerCase());
  const hours = half === undefined ? Number(hour) : convertHalfDay(Number(hour), half.toLowerCase());
  return offset === undefined || hours === undefined ? undefined : `T${pad(hours)}:${minute}:${second}${offset}`;
}

function convertHalfDay(hour: number, half: string): number | undefined {
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half === 'p' ? 12 : 0);
}

const OFFSET = /^(?:gmt|utc)?(?<sign>[+-])(?<hours>\d{1,2}?):?(?<minutes>\d{2})?$/;

function findOffset(zone: string): string | undefined {
  const groups = OFFSET.exec(zone)?.groups;
  if (groups === undefined) return ZONES.get(zone);
  const { sign = '', hours = '', minutes = '00' } = groups;
  return `${sign}${hours.padStart(2, '0')}:${minutes}`;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
