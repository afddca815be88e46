import { missingText } from '../model/outcome.js';
import type { Resource } from '../model/resource.js';
import { Packer } from '../records/packed.js';
import type { Packed } from '../records/packed.js';
import { requireFewValues, requireModestRecords } from './body-limits.js';
import { itemIn, pageIn, withoutFutureDate } from './dialect.js';
import { FindingCounter } from './findings.js';
import type { Rule } from './findings.js';
import { SourceFailure } from './failure.js';
import type { Page } from './page.js';
import { parseJson } from './parse-json.js';
import { readingTime } from './read-value.js';
import type { RecordReader } from './record-reader.js';

/** Bytes of a body that is read on the thread that answers, in one go: whatever is in it, that takes less than some 20 ms. */
export const SMALL_BODY = 128 * 1024;

/** How a body is read. */
export interface Reading {
  readonly reader: RecordReader;
  /** Whether it is the detail of one item, and no list. */
  readonly item: boolean;
}

/** A page as far as its body tells, its records on sheets: a plain value, which can be handed to another thread. */
export interface PackedPage extends Omit<Page<never>, 'records'> {
  readonly sheets: readonly Packed[];
}

/**
 * Reads a body, as of the moment `now` (milliseconds since 1970). Throws a `SourceFailure`: for its `body` where it is no JSON in UTF-8, for its
 * `schema` where it is not what was asked for, for its `size` where a body over `SMALL_BODY` holds more values than a real one.
 */
export function readBody(body: Buffer, as: Reading, now: number): PackedPage {
  if (body.length > SMALL_BODY) requireFewValues(body);
  return readJson({ json: parseJson(body), bytes: body.length }, as, now);
}

/** What was parsed, and the size of its body. */
export interface Parsed {
  readonly json: unknown;
  readonly bytes: number;
}

/** Reads what was parsed, as of the moment `now` (milliseconds since 1970). */
export function readJson({ json, bytes }: Parsed, { reader, item }: Reading, now: number): PackedPage {
  const { records: raw, ...stated } = item ? itemIn(json) : pageIn(json);
  if (bytes > SMALL_BODY) requireModestRecords(raw);
  const counter = new FindingCounter();
  const facts = withoutFutureDate(stated, now, counter);
  const time = readingTime(now);
  const packer = new Packer(reader.resource);
  for (const record of raw) {
    const row = reader.read(record, counter, time);
    if (row !== undefined) packer.add(row);
  }
  const { findings } = counter;
  return {
    sheets: packer.sheets,
    received: raw.length,
    fingerprint: fingerprint(raw, bytes),
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
export function requireReadable(
  { findings, received }: Pick<PackedPage, 'findings' | 'received'>,
  { path, names: [name] }: Resource,
): void {
  const lacking = (rule: Rule): number => findings.get(`${rule} (record)`) ?? 0;
  const [named, identified, records] = [lacking('no-name'), lacking('no-id'), lacking('not-a-record')];
  if (named + identified + records <= received / 2) return;
  if (records > Math.max(named, identified) || name === undefined) {
    throw new SourceFailure('schema', `${records} of ${received} entries of the list of ${path} are no objects`);
  }
  const counted = named >= identified ? { property: name, records: named } : { property: 'id', records: identified };
  const missing = { ...counted, of: received };
  throw new SourceFailure('schema', missingText(missing), { missing });
}

/** The first, middle and last record stand for all: pages that overlap or repeat differ in them, and hashing all costs a parse. */
function fingerprint(raw: readonly unknown[], bytes: number): string {
  const sample = [...new Set([0, raw.length >> 1, raw.length - 1])].map((at) => raw[at]);
  try {
    return `${raw.length} ${JSON.stringify(sample, bytes > raw.length * LARGE ? shortened : undefined)}`;
  } catch {
    // Nested too deep for JSON.stringify: records like this are told apart by nothing.
    return `${raw.length} nested`;
  }
}

/** Bytes of a record from which on its texts are shortened before they are compared: megabytes take their time. */
const LARGE = 64 * 1024;

function shortened(_name: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > LARGE ? `${value.slice(0, LARGE)} ${value.length}` : value;
}
