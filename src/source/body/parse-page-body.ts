import { describeMissingProperty } from '../../model/reasons.js';
import type { Resource } from '../../model/resource.js';
import { RecordPacker } from '../../records/packed-records.js';
import type { PackedSheet } from '../../records/packed-sheet.js';
import { MAX_INLINE_BODY, requireBoundedRecords } from '../format/body-limits.js';
import { PUBLISHED_LIST_HINT, dropFutureDate } from '../dialect/envelope.js';
import { createPageParser } from '../dialect/page-parser.js';
import type { PageFormat } from '../dialect/page-parser.js';
import type { BodyContext, JoinedEntries, PageParser } from '../dialect/raw-page.js';
import type { DrainResult } from '../record/drain-result.js';
import { FindingCounter } from '../record/findings.js';
import type { FindingRule } from '../record/findings.js';
import { SourceFailure } from '../client/source-failure.js';
import type { SourcePage } from './page.js';
import { readingTime } from '../record/read-value.js';
import type { RecordReader } from '../record/record-reader.js';

export interface ExpectedBody {
  readonly recordReader: RecordReader;
  readonly format: PageFormat;
  /** Compiles expressions, and loads what reads the format, where a body is parsed on this thread. */
  readonly loadParser: () => Promise<PageParser>;
  /** Value for the request. */
  readonly accept: string;
  /** Of the second document (operation 2.8.16). */
  readonly joined?: JoinedEntries;
}

export function createExpectedBody(recordReader: RecordReader, format: PageFormat, accept: string): ExpectedBody {
  let parser: Promise<PageParser> | undefined;
  return { recordReader, format, accept, loadParser: () => (parser ??= createPageParser(format)) };
}

interface BodyReading extends Pick<ExpectedBody, 'recordReader'> {
  readonly parse: PageParser;
}

/** As far as the body determines it. A plain value that can be sent to another thread. */
export interface PackedPage extends Omit<SourcePage<never>, 'records'> {
  readonly sheets: readonly PackedSheet[];
}

/** With the time of reading, in milliseconds since 1970. */
export interface ReceivedBody {
  readonly body: Buffer;
  readonly context: BodyContext;
  readonly now: number;
}

/**
 * Throws a `SourceFailure`: `body` if it is not of the format; `schema` if it is not what was requested; `size` if a
 * body beyond `MAX_INLINE_BODY` has more values than any real one (decisions 6.14, 8.6).
 */
export function parsePageBody(received: ReceivedBody, reading: BodyReading): PackedPage {
  try {
    return readPageBody(received, reading);
  } catch (error) {
    // A small body may be nested too deep for the stack.
    if (error instanceof RangeError) throw new SourceFailure('size', 'nested too deep', { cause: error });
    throw error;
  }
}

function readPageBody({ body, context, now }: ReceivedBody, { recordReader: reader, parse }: BodyReading): PackedPage {
  const counter = new FindingCounter();
  const { records: raw, listedCount = raw.length, entries = raw, ...parsed } = parse(body, context, counter);
  const { mapEntry, document, ...stated } = parsed;
  // Entries of a document were checked before mapping.
  if (body.length > MAX_INLINE_BODY && document === undefined) requireBoundedRecords(raw);
  const facts = dropFutureDate(stated, now, counter);
  const time = readingTime(now);
  const packer = new RecordPacker(reader.resource);
  const ids: string[] = [];
  for (const entry of raw) {
    const mapped = mapEntry?.(entry);
    const row = reader.read(mapped === undefined ? entry : mapped.record, counter, time);
    if (row === undefined) continue;
    packer.add(row);
    if (mapped !== undefined && document?.ids !== undefined) ids.push(mapped.id);
  }
  const { findings, examples: findingExamples } = counter;
  return {
    sheets: packer.sheets,
    receivedCount: listedCount,
    fingerprint: fingerprintPage(entries, body.length),
    bytes: body.length,
    findings,
    ...(findingExamples && { findingExamples }),
    ...facts,
    ...(document && {
      document: {
        ...document,
        firstEntries: entries.slice(0, 3).map((entry) => fingerprintEntries([entry], body.length / entries.length)),
        ...(document.ids && { ids }),
      },
    }),
  };
}

/**
 * Throws a `SourceFailure` (`schema`) if more than half of the records of a drain, or half of those of a document,
 * cannot be read (decisions 4.27): the list is of another interface. A single page proves nothing, because the last one
 * may have only one record. The failure names the property that most records lack, which is from the resource's table
 * and may be shown to a client.
 */
export function requireReadableRecords(
  {
    findings,
    receivedCount: received,
    expressions,
  }: Pick<DrainResult<unknown>, 'findings' | 'receivedCount' | 'expressions'>,
  { path, idKind, nameProperties: [name] }: Resource,
): void {
  const countFindings = (rule: FindingRule): number => findings.get(`${rule} (record)`) ?? 0;
  const [named, identified, records] = [
    countFindings('no-name'),
    countFindings('no-id'),
    countFindings('not-a-record'),
  ];
  const unreadable = named + identified + records;
  const isDocument = expressions !== undefined && received > 1;
  if (unreadable * 2 < received || (unreadable * 2 === received && !isDocument)) return;
  if (records > Math.max(named, identified) || name === undefined) {
    throw new SourceFailure('schema', `${records} of ${received} entries of the list of ${path} are not objects`);
  }
  const counted =
    named >= identified ? { property: name, recordsWithout: named } : { property: 'id', recordsWithout: identified };
  const missing = { ...counted, recordsReceived: received };
  const isOfInterface = expressions === undefined && idKind !== 'identity';
  const hint = isOfInterface ? `; ${PUBLISHED_LIST_HINT}` : '';
  throw new SourceFailure('schema', describeMissingProperty(missing) + hint, { missing });
}

/**
 * Uses the first, middle and last record: different pages, even overlapping ones, differ in them, and hashing all costs
 * as much as parsing.
 */
function fingerprintPage(raw: readonly unknown[], bytes: number): string {
  const sample = [...new Set([0, raw.length >> 1, raw.length - 1])].map((at) => raw[at]);
  return `${raw.length} ${fingerprintEntries(sample, bytes / raw.length)}`;
}

/** `meanBytes`: of an entry. */
function fingerprintEntries(entries: readonly unknown[], meanBytes: number): string {
  try {
    return JSON.stringify(entries, meanBytes > LARGE_TEXT ? shortenText : undefined);
  } catch {
    // Too deep for JSON.stringify; such pages differ only in their number of records.
    return 'nested';
  }
}

/** Mean bytes of a record above which the fingerprint shortens texts, to so many characters: comparing takes time. */
const LARGE_TEXT = 64 * 1024;

function shortenText(_name: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > LARGE_TEXT
    ? `${value.slice(0, LARGE_TEXT)} ${value.length}`
    : value;
}
