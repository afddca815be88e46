import { describeMissingProperty } from '../../model/outcome.js';
import type { Resource } from '../../model/resource.js';
import { RecordPacker } from '../../records/packed-records.js';
import type { PackedSheet } from '../../records/packed-sheet.js';
import { MAX_INLINE_BODY, requireBoundedJson, requireBoundedRecords } from '../format/body-limits.js';
import { parseDocumentBody } from '../format/document-body.js';
import type { DocumentMapping } from '../../model/registration/document-mapping.js';
import { parseDocument } from '../dialect/document-page.js';
import { parseItem, parsePage, dropFutureDate } from '../dialect/envelope.js';
import type { RawPage } from '../dialect/envelope.js';
import { FindingCounter } from '../record/findings.js';
import type { FindingRule } from '../record/findings.js';
import { SourceFailure } from '../client/source-failure.js';
import type { SourcePage } from './page.js';
import { parseJson } from '../client/parse-json.js';
import { readingTime } from '../record/read-value.js';
import type { RecordReader } from '../record/record-reader.js';

/** What a body should contain. */
export interface ExpectedBody {
  readonly recordReader: RecordReader;
  /** How a published document is read; absent for a page of one of the two interfaces. */
  readonly document?: DocumentMapping | undefined;
  /** Whether the body is the detail form of one item rather than a list. */
  readonly isItem: boolean;
}

/**
 * A page as far as its body determines it, with its records packed on sheets. It is a plain value and can be sent to
 * another thread.
 */
export interface PackedPage extends Omit<SourcePage<never>, 'records'> {
  readonly sheets: readonly PackedSheet[];
}

/**
 * Reads a body as of `now` (milliseconds since 1970). Throws a `SourceFailure`: `body` if it is not JSON in UTF-8;
 * `schema` if it is not what was requested; `size` if a body larger than `MAX_INLINE_BODY` has more values than any
 * real one (decisions 6.14, 8.6).
 */
export function parsePageBody(body: Buffer, expected: ExpectedBody, now: number): PackedPage {
  return readParsedBody({ json: parseBodyText(body, expected), bytes: body.length }, expected, now);
}

function parseBodyText(body: Buffer, { document }: ExpectedBody): unknown {
  if (document !== undefined) return parseDocumentBody(body, document.format ?? 'json');
  if (body.length > MAX_INLINE_BODY) requireBoundedJson(body);
  return parseJson(body);
}

/** A parsed body with its decoded size in bytes. */
export interface ParsedBody {
  readonly json: unknown;
  readonly bytes: number;
}

/** Reads a parsed body as of `now` (milliseconds since 1970). */
export function readParsedBody({ json, bytes }: ParsedBody, expected: ExpectedBody, now: number): PackedPage {
  const { recordReader: reader } = expected;
  const counter = new FindingCounter();
  const { records: raw, ...stated } = parseRawPage(json, expected, counter);
  if (bytes > MAX_INLINE_BODY) requireBoundedRecords(raw);
  const facts = dropFutureDate(stated, now, counter);
  const time = readingTime(now);
  const packer = new RecordPacker(reader.resource);
  for (const record of raw) {
    const row = reader.read(record, counter, time);
    if (row !== undefined) packer.add(row);
  }
  const { findings } = counter;
  return {
    sheets: packer.sheets,
    receivedCount: raw.length,
    fingerprint: fingerprintPage(raw, bytes),
    bytes,
    findings,
    ...facts,
  };
}

function parseRawPage(json: unknown, { isItem: item, document }: ExpectedBody, sink: FindingCounter): RawPage {
  if (document !== undefined) return parseDocument(json, document, sink);
  return item ? parseItem(json) : parsePage(json);
}

/**
 * Throws a `SourceFailure` (`schema`) if more than half of the records of a drain cannot be read as records of the
 * resource (decisions 6.14): such a list is of another interface, not one with a few odd records. A single page proves
 * nothing, because the last page may have only one record. The failure names the property that most records lack. Its
 * name is from the table of the resource, so it may be shown to a client.
 */
export function requireReadableRecords(
  { findings, receivedCount: received }: Pick<PackedPage, 'findings' | 'receivedCount'>,
  { path, nameProperties: [name] }: Resource,
): void {
  const countFindings = (rule: FindingRule): number => findings.get(`${rule} (record)`) ?? 0;
  const [named, identified, records] = [
    countFindings('no-name'),
    countFindings('no-id'),
    countFindings('not-a-record'),
  ];
  if (named + identified + records <= received / 2) return;
  if (records > Math.max(named, identified) || name === undefined) {
    throw new SourceFailure('schema', `${records} of ${received} entries of the list of ${path} are not objects`);
  }
  const counted =
    named >= identified ? { property: name, recordsWithout: named } : { property: 'id', recordsWithout: identified };
  const missing = { ...counted, recordsReceived: received };
  throw new SourceFailure('schema', describeMissingProperty(missing), { missing });
}

/**
 * Uses the first, middle and last record only: different pages, also overlapping ones, differ in them, and hashing all
 * records costs as much as parsing them.
 */
function fingerprintPage(raw: readonly unknown[], bytes: number): string {
  const sample = [...new Set([0, raw.length >> 1, raw.length - 1])].map((at) => raw[at]);
  try {
    return `${raw.length} ${JSON.stringify(sample, bytes > raw.length * LARGE_TEXT ? shortenText : undefined)}`;
  } catch {
    // The records are nested too deep for JSON.stringify. Such pages differ in their number of records only.
    return `${raw.length} nested`;
  }
}

/**
 * Mean bytes of a record above which the fingerprint shortens texts, and the length in characters to which it does:
 * comparing megabytes takes time.
 */
const LARGE_TEXT = 64 * 1024;

function shortenText(_name: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > LARGE_TEXT
    ? `${value.slice(0, LARGE_TEXT)} ${value.length}`
    : value;
}
