import { parseDate } from '../../text/date.js';
import { SourceFailure } from '../client/source-failure.js';
import { findFeedFormat } from '../format/feed/feed-format.js';
import type { FindingSink } from '../record/findings.js';
import type { HeaderLookup } from '../client/http-client-types.js';
import type { RawPage } from './raw-page.js';

/** For the operator, about a list of another form than those of the interfaces. */
export const PUBLISHED_LIST_HINT = 'a list in a form or with names of its own is registered as document';

/** Of the properties that are named. */
const MAX_ENVELOPE_NAMES = 12;

/**
 * An envelope whose data is the item or a list of at most the item; or the item itself (decisions 2.34). Throws a
 * `SourceFailure` (`schema`) for anything else (decisions 6.14).
 */
export function parseItem(json: unknown): RawPage {
  const records = readItemRecords(json);
  return { records, ...readItemFacts(json) };
}

function readItemFacts(json: unknown): Pick<RawPage, 'lastModified' | 'access'> {
  const lastModified = readLastModified(json);
  return { ...(lastModified !== undefined && { lastModified }), ...readAccess(json) };
}

/** In lower case, where it is text. */
function readAccess(json: unknown): Pick<RawPage, 'access'> {
  const access = isObject(json) ? json['access'] : undefined;
  return typeof access === 'string' ? { access: access.trim().toLowerCase() } : {};
}

function readItemRecords(json: unknown): readonly unknown[] {
  if (!isObject(json)) throw new SourceFailure('schema', 'not an item');
  const fault = findStatusError(json);
  if (fault !== undefined) throw new SourceFailure('schema', `an envelope whose ${fault}`);
  const { data } = json;
  if (Array.isArray(data) && data.length > 1) throw new SourceFailure('schema', 'several items');
  if (!Array.isArray(data)) return [data ?? json];
  if (data.length === 0) requireNoError(json);
  return data;
}

/**
 * An envelope, or a bare list with metadata in header fields (decisions 4.3; interfaces 4.1), of either interface and
 * of both generations of FIRST's. Throws a `SourceFailure` (`schema`) for anything else.
 */
export function parsePage(json: unknown): RawPage {
  if (Array.isArray(json)) return { records: json };
  const envelope = isObject(json) ? json : {};
  const total = parseCount(envelope['total']);
  const limit = parseCount(envelope['limit']);
  const lastModified = readLastModified(json);
  return {
    records: readListRecords(envelope),
    envelope: Object.keys(envelope)
      .filter((name) => name !== 'data')
      .slice(0, MAX_ENVELOPE_NAMES),
    ...(total !== undefined && { total }),
    ...(limit !== undefined && { limit }),
    ...(lastModified !== undefined && { lastModified }),
    ...readAccess(json),
  };
}

/** Matches according to the header, for a bare list and for a 304, which has no body. */
export function readTotalCount(reply: HeaderLookup): number | undefined {
  return parseCount(reply.header('x-total-count'));
}

export function readPageHeaders(reply: HeaderLookup): Pick<RawPage, 'total' | 'lastModified'> {
  const total = readTotalCount(reply);
  const lastModified = parseInstant(reply.header('last-modified'));
  return { ...(total !== undefined && { total }), ...(lastModified !== undefined && { lastModified }) };
}

/** For findings about the Last-Modified of a whole response. */
export const LAST_MODIFIED_FIELD = '(last-modified)';

/** Removes and counts a Last-Modified after `now` (milliseconds since 1970): no evidence of change (decisions 7.8). */
export function dropFutureDate<Facts extends Pick<RawPage, 'lastModified'>>(
  facts: Facts,
  now: number,
  sink: FindingSink,
): Facts | Omit<Facts, 'lastModified'> {
  const { lastModified, ...others } = facts;
  if (lastModified === undefined || lastModified <= now) return facts;
  sink.add(LAST_MODIFIED_FIELD, 'future-date');
  return others;
}

/** In milliseconds since 1970. */
function readLastModified(json: unknown): number | undefined {
  return isObject(json) ? parseInstant(json['last-modified']) : undefined;
}

type Envelope = Readonly<Record<string, unknown>>;

export function isObject(json: unknown): json is Envelope {
  return typeof json === 'object' && json !== null;
}

function readListRecords(envelope: Envelope): readonly unknown[] {
  const fault = findStatusError(envelope);
  if (fault !== undefined) throw new SourceFailure('schema', `an envelope whose ${fault}`);
  const { data } = envelope;
  if (!Array.isArray(data))
    throw new SourceFailure(
      'schema',
      `neither a list of records nor an envelope with a list as data; ${describeKind(envelope)}`,
    );
  if (data.length === 0) requireNoError(envelope);
  return data;
}

function describeKind(json: unknown): string {
  return findFeedFormat(json) === undefined ? PUBLISHED_LIST_HINT : 'a news feed is registered as feed';
}

/** Of `status` and of the status code, in lower case. */
const SUCCESS_STATUSES: ReadonlySet<string> = new Set(['ok', '200', 'success']);

function findStatusError(envelope: Envelope): string | undefined {
  const name = ['status', 'status_code', 'status-code'].find((property) => {
    const value = envelope[property];
    return value !== undefined && value !== null && !SUCCESS_STATUSES.has(scalarText(value).toLowerCase());
  });
  return name && `${name} does not report success`;
}

/**
 * Throws if an empty list's envelope, or the document around it, reports an error, whatever its status: the list proves
 * nothing. Beside records, the same properties are ignored.
 */
export function requireNoError(envelope: Envelope): void {
  const property = ERROR_PROPERTIES.find(([name, isError]) => isError(envelope[name]))?.[0];
  if (property === undefined) return;
  const text = scalarText(envelope[property]).slice(0, MAX_ERROR_TEXT);
  throw new SourceFailure('schema', `an empty list and an error: ${[property, text].join(' ').trim()}`);
}

/** In the log, in characters. */
const MAX_ERROR_TEXT = 200;

/** With such a value; many envelopes always contain them, without an error. */
const ERROR_PROPERTIES: readonly (readonly [property: string, isError: (value: unknown) => boolean])[] = [
  ['error', isFilled],
  ['errors', isFilled],
  ['success', (value) => value === false],
  ['code', (value) => Number(scalarText(value)) >= 400],
];

function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function parseCount(value: unknown): number | undefined {
  const text = scalarText(value).trim();
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

function parseInstant(value: unknown): number | undefined {
  return typeof value === 'string' ? parseDate(value.trim())?.epochMs : undefined;
}
