import type { PropertyKind } from '../../model/resource.js';
import type { Scalar, PropertyValue } from '../../model/property-value.js';
import { recognizeCountry } from '../../region/country-names.js';
import {
  formatImfFixdate,
  isSpacedTimestamp,
  formatIsoDate,
  formatIsoTimestamp,
  parseDate,
  parseImfFixdate,
  formatSpacedTimestamp,
  detectIsoPrecision,
} from '../../text/date.js';
import type { DateWithPrecision } from '../../text/date.js';
import { parseUrl } from '../../text/url.js';
import type { FindingRule } from './findings.js';

/** About the value being read. */
export type ReportFinding = (rule: FindingRule) => void;

/** In each form in which dates are compared. A later date is a finding (decisions 4.4). */
export interface ReadingTime {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** As `formatIsoTimestamp` writes it. */
  readonly iso: string;
  /** As `formatSpacedTimestamp` writes it. */
  readonly spaced: string;
}

/** `at` is in milliseconds since 1970. */
export function readingTime(at: number): ReadingTime {
  return { at, iso: formatIsoTimestamp(at), spaced: formatSpacedTimestamp(at) };
}

/** Reads leniently by the property's type; undefined if empty (decisions 4.2). */
export type ReadValue = (raw: unknown, report: ReportFinding, now: ReadingTime) => PropertyValue | undefined;

export const valueReaders: Readonly<Record<PropertyKind, ReadValue>> = {
  text: readText,
  texts: readTexts,
  phones: readPhones,
  country: (raw, report) => mapTextValue(raw, report, normalizeCountry),
  countries: readCountries,
  date: (raw, report, now) => mapTextValue(raw, report, (text) => normalizeDate(text, report, now)),
  timestamp: (raw, report, now) => mapTextValue(raw, report, (text) => normalizeTimestamp(text, report, now)),
  'spaced-timestamp': (raw, report, now) =>
    mapTextValue(raw, report, (text) => normalizeSpacedTimestamp(text, report, now)),
  'http-date': (raw, report, now) => mapTextValue(raw, report, (text) => normalizeHttpDate(text, report, now)),
  url: readText,
  id: readId,
};

/** With what each is the URL of. */
const ADDRESS_URLS = { mailto: /^\s*mailto:([^?]*)/i, tel: /^\s*tel:(.*)/is } as const;

/** Takes the address or number out of each URL of this scheme. */
export function withoutScheme(read: ReadValue, scheme: keyof typeof ADDRESS_URLS): ReadValue {
  const removeScheme = (value: unknown, report: ReportFinding): unknown => {
    const address = typeof value === 'string' ? ADDRESS_URLS[scheme].exec(value)?.[1] : undefined;
    if (address === undefined) return value;
    report('address-form');
    return address;
  };
  return (raw, report, now) =>
    read(Array.isArray(raw) ? raw.map((item) => removeScheme(item, report)) : removeScheme(raw, report), report, now);
}

/** Scalars keep their type; what is neither a scalar nor a list of scalars becomes JSON text (decisions 4.13). */
export function readExtraValue(raw: unknown, report: ReportFinding): PropertyValue | undefined {
  return Array.isArray(raw) ? nonEmptyList(raw.map((item) => readScalar(item, report))) : readScalar(raw, report);
}

/** Against the site that published the links. One with a scheme, and a value that is no link, stay. */
export function createLinkResolver(
  site: string | undefined,
): (link: PropertyValue | undefined) => PropertyValue | undefined {
  if (site === undefined) return (link) => link;
  const root = webRootOf(site);
  return (link) => {
    if (typeof link !== 'string' || SCHEME.test(link)) return link;
    if (root !== undefined && link.length <= MAX_PLAIN_LINK && PLAIN_PATH.test(link)) return root + link;
    return parseUrl(link, site)?.href ?? link;
  };
}

/** Without the final slash; undefined unless `http` or `https`. */
function webRootOf(site: string): string | undefined {
  const root = parseUrl('/', site);
  return root !== undefined && /^https?:$/.test(root.protocol) ? root.href.slice(0, -1) : undefined;
}

/** URL parsing does not change it: no character needs escaping, and no segment is empty or begins with a dot. */
const PLAIN_PATH = /^(?:\/[\w~-][\w.~-]*)+\/?(?:\?[\w.~=&-]*)?$/;

/** Of a link that is matched with `PLAIN_PATH`, in characters. */
const MAX_PLAIN_LINK = 2_048;

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

export function isIntegerText(text: string): boolean {
  return /^\d+$/.test(text);
}

/** Also from text; Infinity beyond 2^53 - 1, where integers are not distinct. */
function readId(raw: unknown, report: ReportFinding): number | undefined {
  if (Number.isSafeInteger(raw) && Number(raw) > 0) return Number(raw);
  if (typeof raw === 'number' && raw > Number.MAX_SAFE_INTEGER) return Infinity;
  const text = typeof raw === 'number' ? String(raw) : readText(raw, report);
  if (text === undefined || !isIntegerText(text)) return undefined;
  return Number.isSafeInteger(Number(text)) ? Number(text) : Infinity;
}

function readText(raw: unknown, report: ReportFinding): string | undefined {
  return Array.isArray(raw) ? joinTexts(raw, report) : readItem(raw, report);
}

/** A list here is nested in another, to any depth, so it is not read recursively, which could overflow the stack. */
function readItem(raw: unknown, report: ReportFinding): string | undefined {
  if (typeof raw === 'string') return trimText(raw, report);
  const value = readScalar(raw, report);
  // The last digits may be wrong: the text could be another team's key or number.
  if (value === undefined || isUnsafeInteger(raw)) return undefined;
  if (typeof value !== 'string') report('not-text');
  return String(value);
}

/** Dropping one of several could drop the address that works. */
function joinTexts(raw: readonly unknown[], report: ReportFinding): string | undefined {
  const texts = readTextItems(raw, report);
  if (texts.length === 0) return undefined;
  report('list-for-scalar');
  return texts.join(', ');
}

function readTexts(raw: unknown, report: ReportFinding): readonly string[] | undefined {
  if (Array.isArray(raw)) return nonEmptyList(readTextItems(raw, report));
  const text = readText(raw, report);
  if (text === undefined) return undefined;
  return [text];
}

function readTextItems(raw: readonly unknown[], report: ReportFinding): readonly string[] {
  return definedItems(raw.map((item) => readItem(item, report)));
}

function readPhones(raw: unknown, report: ReportFinding): readonly string[] | undefined {
  const phones = readTexts(raw, report);
  if (phones?.some((phone) => BARE_FAX.test(phone)) !== true) return phones && nonEmptyList(phones);
  report('bare-fax');
  return nonEmptyList(phones.filter((phone) => !BARE_FAX.test(phone)));
}

const BARE_FAX = /^\(fax\)$/i;

function readCountries(raw: unknown, report: ReportFinding): readonly string[] | undefined {
  const texts = readTexts(raw, report);
  const countries = texts?.some((text) => text.includes(',')) === true ? texts.flatMap(splitCountries) : texts;
  return countries && nonEmptyList(countries.map((text) => normalizeCountry(text, report)));
}

/** If every part is a country, as in `BR, Portugal`. Other text with commas is one item. */
function splitCountries(text: string): readonly string[] {
  if (recognizeCountry(text) !== undefined) return [text];
  const parts = text.split(',').map((part) => part.trim());
  return parts.every((part) => recognizeCountry(part) !== undefined) ? parts : [text];
}

function mapTextValue(
  raw: unknown,
  report: ReportFinding,
  map: (text: string, report: ReportFinding) => string,
): string | undefined {
  const text = readText(raw, report);
  return text === undefined ? undefined : map(text, report);
}

function normalizeCountry(text: string, report: ReportFinding): string {
  const code = recognizeCountry(text);
  if (code === undefined) report('unknown-country');
  else if (code !== text) report('country-form');
  return code ?? text;
}

interface DateReading {
  readonly report: ReportFinding;
  readonly now: ReadingTime;
  readonly write: (moment: DateWithPrecision) => string;
}

function normalizeDate(text: string, report: ReportFinding, now: ReadingTime): string {
  if (detectIsoPrecision(text) === undefined) return rewriteDate(text, { report, now, write: formatIsoDate });
  return keepDate(text, text > now.iso, report);
}

function normalizeTimestamp(text: string, report: ReportFinding, now: ReadingTime): string {
  if (detectIsoPrecision(text) !== 'second')
    return rewriteDate(text, { report, now, write: ({ epochMs: at }) => formatIsoTimestamp(at) });
  return keepDate(text, text > now.iso, report);
}

function normalizeSpacedTimestamp(text: string, report: ReportFinding, now: ReadingTime): string {
  if (!isSpacedTimestamp(text))
    return rewriteDate(text, { report, now, write: ({ epochMs: at }) => formatSpacedTimestamp(at) });
  return keepDate(text, text > now.spaced, report);
}

function normalizeHttpDate(text: string, report: ReportFinding, now: ReadingTime): string {
  const at = parseImfFixdate(text);
  if (at === undefined) return rewriteDate(text, { report, now, write: (moment) => formatImfFixdate(moment.epochMs) });
  return keepDate(text, at > now.at, report);
}

/** As written. `isFuture` may compare texts: ISO texts of one form sort like their dates. */
function keepDate(text: string, isFuture: boolean, report: ReportFinding): string {
  if (isFuture) report('future-date');
  return text;
}

function rewriteDate(text: string, { report, now, write }: DateReading): string {
  const moment = parseDate(text);
  const written = moment === undefined ? text : write(moment);
  if (moment === undefined) report('unreadable-date');
  else if (written !== text) report('date-form');
  if (moment !== undefined && moment.epochMs > now.at) report('future-date');
  return written;
}

function readScalar(raw: unknown, report: ReportFinding): Scalar | undefined {
  if (typeof raw === 'string') return trimText(raw, report);
  if (typeof raw === 'number') return keepFiniteNumber(raw, report);
  if (typeof raw === 'boolean') return raw;
  return typeof raw === 'object' && raw !== null ? stringifyNested(raw, report) : undefined;
}

/**
 * JSON.parse reads 1e999 as Infinity, which JSON.stringify would write as null, and integers beyond 2^53-1 inexactly.
 */
function keepFiniteNumber(raw: number, report: ReportFinding): Scalar {
  if (isUnsafeInteger(raw)) report('number-range');
  if (Number.isFinite(raw)) return raw;
  report('not-text');
  return String(raw);
}

/** JSON.parse may have changed its last digits. */
function isUnsafeInteger(raw: unknown): boolean {
  return Number.isInteger(raw) && !Number.isSafeInteger(raw);
}

function trimText(raw: string, report: ReportFinding): string | undefined {
  if (isPrintable(raw.charCodeAt(0)) && isPrintable(raw.charCodeAt(raw.length - 1))) return raw;
  const text = raw.trim();
  if (text.length !== raw.length) report('white-space');
  return text === '' ? undefined : text;
}

/** ASCII other than space. Most texts begin and end with one and need no trimming. */
function isPrintable(unit: number): boolean {
  return unit > 0x20 && unit < 0x7f;
}

function stringifyNested(raw: object, report: ReportFinding): string | undefined {
  if (Object.keys(raw).length === 0) return undefined;
  report('nested-value');
  try {
    return JSON.stringify(raw);
  } catch {
    // JSON.stringify overflows the stack at depths that JSON.parse accepts.
    return undefined;
  }
}

function nonEmptyList<T extends Scalar>(items: readonly (T | undefined)[]): readonly T[] | undefined {
  const list = definedItems(items);
  return list.length === 0 ? undefined : list;
}

/** Filters only if necessary: the result reserves room for 16 more items, and very many lists are cached. */
function definedItems<T extends Scalar>(items: readonly (T | undefined)[]): readonly T[] {
  return items.every((item) => item !== undefined) ? items : items.filter((item) => item !== undefined);
}
