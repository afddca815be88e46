import { parseDate } from '../../text/date.js';
import { SourceFailure } from '../client/source-failure.js';
import type { FindingSink } from '../record/findings.js';
import type { HeaderLookup } from '../client/fetch.js';

/** A page as it came, its records still unread. */
export interface RawPage {
  readonly records: readonly unknown[];
  /** Number of matches that the source counts. */
  readonly total?: number;
  /** The limit that it says it applied. */
  readonly limit?: number;
  /** Milliseconds since 1970. */
  readonly lastModified?: number;
  /** What its envelope has beside the records, by name, as far as a person would read it; absent where it has none. */
  readonly envelope?: readonly string[];
}

/** Names of an envelope that are told. */
const MAX_ENVELOPE_NAMES = 12;

/** Reads the detail of one item, as a page of it: an envelope whose data is the item, or a list of nothing else, which may be empty; or the item itself. */
export function parseItem(json: unknown): RawPage {
  const records = readItemRecords(json);
  const lastModified = readLastModified(json);
  return { records, ...(lastModified !== undefined && { lastModified }) };
}

function readItemRecords(json: unknown): readonly unknown[] {
  if (!isObject(json)) throw new SourceFailure('schema', 'no item');
  const fault = findStatusError(json);
  if (fault !== undefined) throw new SourceFailure('schema', `an envelope whose ${fault}`);
  const { data } = json;
  if (Array.isArray(data) && data.length > 1) throw new SourceFailure('schema', 'several items');
  if (!Array.isArray(data)) return [data ?? json];
  if (data.length === 0) requireNoError(json);
  return data;
}

/**
 * Reads a page of either interface in either form: an envelope, or a bare list with its facts in headers (interfaces.md, sections 4.1
 * and 4.2). Both generations of what FIRST sends differ in nothing that is looked at here.
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
  };
}

/** Number of matches that the header counts: of a bare list, and of a 304, which has no body. */
export function readTotalCount(reply: HeaderLookup): number | undefined {
  return parseCount(reply.header('x-total-count'));
}

/** What headers tell of a page whose body does not. */
export function readPageHeaders(reply: HeaderLookup): Pick<RawPage, 'total' | 'lastModified'> {
  const total = readTotalCount(reply);
  const lastModified = parseInstant(reply.header('last-modified'));
  return { ...(total !== undefined && { total }), ...(lastModified !== undefined && { lastModified }) };
}

/** The field under which findings about the Last-Modified of a whole answer are counted. */
export const LAST_MODIFIED_FIELD = '(last-modified)';

/**
 * The facts of an answer that is read at `now` (milliseconds since 1970), without a Last-Modified that is later than that: it is counted, and no
 * evidence of when anything changed (decisions.md, section 4).
 */
export function dropFutureDate<Facts extends Pick<RawPage, 'lastModified'>>(
  facts: Facts,
  now: number,
  notes: FindingSink,
): Facts | Omit<Facts, 'lastModified'> {
  const { lastModified, ...others } = facts;
  if (lastModified === undefined || lastModified <= now) return facts;
  notes.add(LAST_MODIFIED_FIELD, 'future-date');
  return others;
}

/** When the source says that what it answers changed last, in milliseconds since 1970. */
function readLastModified(json: unknown): number | undefined {
  return isObject(json) ? parseInstant(json['last-modified']) : undefined;
}

type Envelope = Readonly<Record<string, unknown>>;

function isObject(json: unknown): json is Envelope {
  return typeof json === 'object' && json !== null;
}

function readListRecords(envelope: Envelope): readonly unknown[] {
  const fault = findStatusError(envelope);
  if (fault !== undefined) throw new SourceFailure('schema', `an envelope whose ${fault}`);
  const { data } = envelope;
  if (!Array.isArray(data))
    throw new SourceFailure('schema', 'neither a list of records nor an envelope whose data is one');
  if (data.length === 0) requireNoError(envelope);
  return data;
}

/** What stands in `status` of an answer that succeeded, as a number or as text (decisions.md, section 4). */
const SUCCESS_STATUSES: ReadonlySet<string> = new Set(['ok', '200', 'success']);

function findStatusError(envelope: Envelope): string | undefined {
  const name = ['status', 'status_code', 'status-code'].find((property) => {
    const value = envelope[property];
    return value !== undefined && value !== null && !SUCCESS_STATUSES.has(scalarText(value).toLowerCase());
  });
  return name && `${name} tells no success`;
}

/**
 * Throws where an envelope tells of an error, whatever its status says. Beside records that is a remark; beside an empty list it means that nobody
 * could be asked, and not that there is nothing.
 */
function requireNoError(envelope: Envelope): void {
  const told = ERROR_PROPERTIES.find(([property, is]) => is(envelope[property]))?.[0];
  if (told === undefined) return;
  const text = scalarText(envelope[told]).slice(0, MAX_ERROR_TEXT);
  throw new SourceFailure('schema', `an empty list and an error: ${[told, text].join(' ').trim()}`);
}

/** Characters of an error that are repeated in the log. */
const MAX_ERROR_TEXT = 200;

/** Properties that tell of an error, where they hold one: many envelopes always have them. */
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
