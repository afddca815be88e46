import type { Kind } from '../model/resource.js';
import type { Scalar, Value } from '../model/value.js';
import { countryCode } from '../region/region.js';
import {
  imfFixdate,
  isSpacedTimestamp,
  isoDate,
  isoTimestamp,
  readDate,
  readImfFixdate,
  spacedTimestamp,
  writtenPrecision,
} from '../text/date.js';
import type { Moment } from '../text/date.js';
import { readUrl } from '../text/url.js';
import type { Rule } from './findings.js';

/** Notes what was odd about the value being read. */
export type Oddity = (rule: Rule) => void;

/** The moment at which a page is read, in the forms that dates are compared in. A date later than it is a finding (decisions.md, section 4). */
export interface ReadingTime {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** As `isoTimestamp` writes it. */
  readonly iso: string;
  /** As `spacedTimestamp` writes it. */
  readonly spaced: string;
}

/** The reading time of a page that is read at `at` (milliseconds since 1970). */
export function readingTime(at: number): ReadingTime {
  return { at, iso: isoTimestamp(at), spaced: spacedTimestamp(at) };
}

/** Reads a value leniently as what its property should be; undefined where it is empty (decisions.md, section 4). */
export type ReadValue = (raw: unknown, odd: Oddity, now: ReadingTime) => Value | undefined;

/** How each kind of property is read. */
export const readers: Readonly<Record<Kind, ReadValue>> = {
  text: readText,
  texts: readTexts,
  phones: readPhones,
  country: (raw, odd) => mapText(raw, odd, country),
  countries: readCountries,
  date: (raw, odd, now) => mapText(raw, odd, (text) => date(text, odd, now)),
  timestamp: (raw, odd, now) => mapText(raw, odd, (text) => timestamp(text, odd, now)),
  'spaced-timestamp': (raw, odd, now) => mapText(raw, odd, (text) => spaced(text, odd, now)),
  'http-date': (raw, odd, now) => mapText(raw, odd, (text) => httpDate(text, odd, now)),
  url: readText,
  id: readId,
};

/** A further property: scalars keep their type; what is neither scalar nor list of scalars is kept as its JSON text. */
export function readFurther(raw: unknown, odd: Oddity): Value | undefined {
  return Array.isArray(raw) ? listOf(raw.map((item) => readScalar(item, odd))) : readScalar(raw, odd);
}

/**
 * Makes links absolute against the site that they were published on; one with a scheme of its own, or that is no link at all, stays
 * as it is.
 */
export function linker(site: string | undefined): (link: Value | undefined) => Value | undefined {
  if (site === undefined) return (link) => link;
  const root = rootOf(site);
  return (link) => {
    if (typeof link !== 'string' || SCHEME.test(link)) return link;
    if (root !== undefined && link.length <= LONGEST_PLAIN && PLAIN_PATH.test(link)) return root + link;
    return readUrl(link, site)?.href ?? link;
  };
}

/** What stands before every path of a site of the web. */
function rootOf(site: string): string | undefined {
  const root = readUrl('/', site);
  return root !== undefined && /^https?:$/.test(root.protocol) ? root.href.slice(0, -1) : undefined;
}

/** A path that a URL holds as it stands: nothing in it is escaped, and no segment is empty or begins with a dot. */
const PLAIN_PATH = /^(?:\/[\w~-][\w.~-]*)+\/?(?:\?[\w.~=&-]*)?$/;

/** Characters of a link that is looked at so. */
const LONGEST_PLAIN = 2_048;

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** An integer id, also as text; what is too large to be told from its neighbours is Infinity. */
function readId(raw: unknown, odd: Oddity): number | undefined {
  if (Number.isSafeInteger(raw) && Number(raw) > 0) return Number(raw);
  if (typeof raw === 'number' && raw > Number.MAX_SAFE_INTEGER) return Infinity;
  const text = typeof raw === 'number' ? String(raw) : readText(raw, odd);
  if (text === undefined || !/^\d+$/.test(text)) return undefined;
  return Number.isSafeInteger(Number(text)) ? Number(text) : Infinity;
}

function readText(raw: unknown, odd: Oddity): string | undefined {
  return Array.isArray(raw) ? joined(raw, odd) : readItem(raw, odd);
}

/** One value as text. A list here is a list within a list: nested, and however deep, for reading it must not overflow the stack. */
function readItem(raw: unknown, odd: Oddity): string | undefined {
  if (typeof raw === 'string') return trimmed(raw, odd);
  const value = readScalar(raw, odd);
  // As text it would be somebody else's key, or number, that looks like one that was sent.
  if (value === undefined || isAltered(raw)) return undefined;
  if (typeof value !== 'string') odd('not-text');
  return String(value);
}

/** Several values where one belongs are all kept: dropping one could drop the address that answers. */
function joined(raw: readonly unknown[], odd: Oddity): string | undefined {
  const texts = textsOf(raw, odd);
  if (texts.length === 0) return undefined;
  odd('list-for-scalar');
  return texts.join(', ');
}

function readTexts(raw: unknown, odd: Oddity): readonly string[] | undefined {
  if (Array.isArray(raw)) return listOf(textsOf(raw, odd));
  const text = readText(raw, odd);
  if (text === undefined) return undefined;
  odd('scalar-for-list');
  return [text];
}

function textsOf(raw: readonly unknown[], odd: Oddity): readonly string[] {
  return present(raw.map((item) => readItem(item, odd)));
}

function readPhones(raw: unknown, odd: Oddity): readonly string[] | undefined {
  const phones = readTexts(raw, odd);
  if (phones?.some((phone) => BARE_FAX.test(phone)) !== true) return phones && listOf(phones);
  odd('bare-fax');
  return listOf(phones.filter((phone) => !BARE_FAX.test(phone)));
}

const BARE_FAX = /^\(fax\)$/i;

function readCountries(raw: unknown, odd: Oddity): readonly string[] | undefined {
  const texts = readTexts(raw, odd);
  const codes = texts?.some((text) => text.includes(',')) === true ? texts.flatMap(splitCodes) : texts;
  return codes && listOf(codes.map((text) => country(text, odd)));
}

/** `BR, PT` in one text is two codes; any other text with a comma is left as it is. */
function splitCodes(text: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.every((part) => countryCode(part) !== undefined) ? parts : [text];
}

function mapText(raw: unknown, odd: Oddity, map: (text: string, odd: Oddity) => string): string | undefined {
  const text = readText(raw, odd);
  return text === undefined ? undefined : map(text, odd);
}

function country(text: string, odd: Oddity): string {
  const code = countryCode(text);
  if (code === undefined) odd('unknown-country');
  else if (code !== text) odd('country-form');
  return code ?? text;
}

/** What is needed to read a date: what notes findings about it, the time, and how the result is written. */
interface DateReading {
  readonly odd: Oddity;
  readonly now: ReadingTime;
  readonly write: (moment: Moment) => string;
}

function date(text: string, odd: Oddity, now: ReadingTime): string {
  if (writtenPrecision(text) === undefined) return rewritten(text, { odd, now, write: isoDate });
  return asWritten(text, text > now.iso, odd);
}

function timestamp(text: string, odd: Oddity, now: ReadingTime): string {
  if (writtenPrecision(text) !== 'second') return rewritten(text, { odd, now, write: ({ at }) => isoTimestamp(at) });
  return asWritten(text, text > now.iso, odd);
}

function spaced(text: string, odd: Oddity, now: ReadingTime): string {
  if (!isSpacedTimestamp(text)) return rewritten(text, { odd, now, write: ({ at }) => spacedTimestamp(at) });
  return asWritten(text, text > now.spaced, odd);
}

function httpDate(text: string, odd: Oddity, now: ReadingTime): string {
  const at = readImfFixdate(text);
  if (at === undefined) return rewritten(text, { odd, now, write: (moment) => imfFixdate(moment.at) });
  return asWritten(text, at > now.at, odd);
}

/** A date that stands as it is written: such texts of one form sort as their dates do. */
function asWritten(text: string, isFuture: boolean, odd: Oddity): string {
  if (isFuture) odd('future-date');
  return text;
}

function rewritten(text: string, { odd, now, write }: DateReading): string {
  const moment = readDate(text);
  const written = moment === undefined ? text : write(moment);
  if (moment === undefined) odd('unreadable-date');
  else if (written !== text) odd('date-form');
  if (moment !== undefined && moment.at > now.at) odd('future-date');
  return written;
}

function readScalar(raw: unknown, odd: Oddity): Scalar | undefined {
  if (typeof raw === 'string') return trimmed(raw, odd);
  if (typeof raw === 'number') return finite(raw, odd);
  if (typeof raw === 'boolean') return raw;
  return typeof raw === 'object' && raw !== null ? nested(raw, odd) : undefined;
}

/** JSON.parse takes 1e999 for Infinity, which JSON.stringify would write as null, and an integer beyond 2^53 for one near it. */
function finite(raw: number, odd: Oddity): Scalar {
  if (isAltered(raw)) odd('number-range');
  if (Number.isFinite(raw)) return raw;
  odd('not-text');
  return String(raw);
}

/** Whether it is an integer of which JSON.parse may have changed the last digits. */
function isAltered(raw: unknown): boolean {
  return Number.isInteger(raw) && !Number.isSafeInteger(raw);
}

function trimmed(raw: string, odd: Oddity): string | undefined {
  if (isPrinted(raw.charCodeAt(0)) && isPrinted(raw.charCodeAt(raw.length - 1))) return raw;
  const text = raw.trim();
  if (text.length !== raw.length) odd('white-space');
  return text === '' ? undefined : text;
}

/** A printed character of ASCII: most texts begin and end with one, and have nothing to trim. */
function isPrinted(unit: number): boolean {
  return unit > 0x20 && unit < 0x7f;
}

function nested(raw: object, odd: Oddity): string | undefined {
  if (Object.keys(raw).length === 0) return undefined;
  odd('nested-value');
  try {
    return JSON.stringify(raw);
  } catch {
    // JSON.parse takes nesting of any depth, JSON.stringify overflows the stack: the value is noted and dropped.
    return undefined;
  }
}

function listOf<T extends Scalar>(items: readonly (T | undefined)[]): readonly T[] | undefined {
  const list = present(items);
  return list.length === 0 ? undefined : list;
}

/** The items that are there. What `filter` gives has room for 16 more, and lists are held by the hundred thousand: so only where needed. */
function present<T extends Scalar>(items: readonly (T | undefined)[]): readonly T[] {
  return items.every((item) => item !== undefined) ? items : items.filter((item) => item !== undefined);
}
