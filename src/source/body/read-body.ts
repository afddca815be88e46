import { describeMissingProperty } from '../../model/outcome.js';
import type { Resource } from '../../model/resource.js';
import { RecordPacker } from '../../records/packed-records.js';
import type { PackedSheet } from '../../records/packed-records.js';
import { requireBoundedJson, requireBoundedRecords } from './body-limits.js';
import { parseItem, parsePage, dropFutureDate } from '../dialect/envelope.js';
import { FindingCounter } from '../record/findings.js';
import type { FindingRule } from '../record/findings.js';
import { SourceFailure } from '../client/source-failure.js';
import type { SourcePage } from './page.js';
import { parseJson } from '../client/parse-json.js';
import { readingTime } from '../record/read-value.js';
import type { RecordReader } from '../record/record-reader.js';

/** Bytes of a body that is read on the thread that answers, in one go: whatever is in it, that takes less than some 20 ms. */
export const MAX_INLINE_BODY = 128 * 1024;

/** How a body is read. */
export interface ExpectedBody {
  readonly recordReader: RecordReader;
  /** Whether it is the detail of one item, and no list. */
  readonly isItem: boolean;
}

/** A page as far as its body tells, its records on sheets: a plain value, which can be handed to another thread. */
export interface PackedPage extends Omit<SourcePage<never>, 'records'> {
  readonly sheets: readonly PackedSheet[];
}

/**
 * Reads a body, as of the moment `now` (milliseconds since 1970). Throws a `SourceFailure`: for its `body` where it is no JSON in UTF-8, for its
 * `schema` where it is not what was asked for, for its `size` where a body over `MAX_INLINE_BODY` holds more values than a real one.
 */
export function readBody(body: Buffer, as: ExpectedBody, now: number): PackedPage {
  if (body.length > MAX_INLINE_BODY) requireBoundedJson(body);
  return readParsedBody({ json: parseJson(body), bytes: body.length }, as, now);
}

/** What was parsed, and the size of its body. */
export interface ParsedBody {
  readonly json: unknown;
  readonly bytes: number;
}

/** Reads what was parsed, as of the moment `now` (milliseconds since 1970). */
export function readParsedBody(
  { json, bytes }: ParsedBody,
  { recordReader: reader, isItem: item }: ExpectedBody,
  now: number,
): PackedPage {
  const { records: raw, ...stated } = item ? parseItem(json) : parsePage(json);
  if (bytes > MAX_INLINE_BODY) requireBoundedRecords(raw);
  const counter = new FindingCounter();
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

/**
 * Throws where most of all that a source sent cannot be read as the resource: that is another interface, and no list with a few
 * odd records in it. Of one page that says nothing, for a last page may hold one record only. The failure names the property that most
 * of the records lack; it is one of the resource's table, so a client may be shown it.
 */
export function requireReadableRecords(
  { findings, receivedCount: received }: Pick<PackedPage, 'findings' | 'receivedCount'>,
  { path, nameProperties: [name] }: Resource,
): void {
  const lacking = (rule: FindingRule): number => findings.get(`${rule} (record)`) ?? 0;
  const [named, identified, records] = [lacking('no-name'), lacking('no-id'), lacking('not-a-record')];
  if (named + identified + records <= received / 2) return;
  if (records > Math.max(named, identified) || name === undefined) {
    throw new SourceFailure('schema', `${records} of ${received} entries of the list of ${path} are no objects`);
  }
  const counted =
    named >= identified ? { property: name, recordsWithout: named } : { property: 'id', recordsWithout: identified };
  const missing = { ...counted, recordsReceived: received };
  throw new SourceFailure('schema', describeMissingProperty(missing), { missing });
}

/** The first, middle and last record stand for all: pages that overlap or repeat differ in them, and hashing all costs a parse. */
function fingerprintPage(raw: readonly unknown[], bytes: number): string {
  const sample = [...new Set([0, raw.length >> 1, raw.length - 1])].map((at) => raw[at]);
  try {
    return `${raw.length} ${JSON.stringify(sample, bytes > raw.length * LARGE_TEXT ? shortenText : undefined)}`;
  } catch {
    // Nested too deep for JSON.stringify: records like this are told apart by nothing.
    return `${raw.length} nested`;
  }
}

/** Bytes of a record from which on its texts are shortened before they are compared: megabytes take their time. */
const LARGE_TEXT = 64 * 1024;

function shortenText(_name: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > LARGE_TEXT
    ? `${value.slice(0, LARGE_TEXT)} ${value.length}`
    : value;
}
