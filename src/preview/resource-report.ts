import type { DraftRecord } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import type { DocumentMapping } from '../model/registration/document-mapping.js';
import { SourceFailure } from '../source/client/source-failure.js';
import { requireReadableRecords } from '../source/body/parse-page-body.js';
import { completeKeys } from '../source/keys/complete-key-records.js';
import type { DrainResult } from '../source/record/drain-result.js';
import type { SourceSettings } from '../source/source-settings.js';
import { ExtraPropertyFilter } from '../source/record/extra-property-filter.js';
import { FindingCounter, WHOLE_RECORD } from '../source/record/findings.js';
import type { FindingRule } from '../source/record/findings.js';
import { assignIds } from '../source/record/record-ids.js';
import { listOuterValues } from './document-shape.js';
import { reportExpressions } from './expression-reports.js';
import { reportFindings } from './finding-reports.js';
import { listDroppedProperties, listUnusedProperties } from './observation/unused-properties.js';
import type { ReadResourceReport } from './preview-report.js';
import type { FirstPage, ListRecording, PreviewSession } from './preview-session.js';
import { matchRecords, showRecord } from './read-records.js';
import type { ReadRecord } from './read-records.js';
import { buildRecordReport } from './record-report.js';
import type { RecordContext } from './record-report.js';

/** The first page of one resource, and what was recorded while it was read. */
export interface ReadPage {
  readonly resource: Resource;
  readonly recordings: { readonly list: ListRecording; readonly joined: ListRecording };
  readonly firstPage: FirstPage;
  /** Undefined for an interface. */
  readonly mapping: DocumentMapping | undefined;
}

/** Builds the report of a resource: completes its records as every snapshot does, and compares them with the entries. */
export async function buildResourceReport(session: PreviewSession, page: ReadPage): Promise<ReadResourceReport> {
  const { resource, recordings, firstPage, mapping } = page;
  const { sanitizer, options } = session;
  const { list, joined } = recordings;
  const drained = await completeRecords(session, page);
  const { records: identified } = await assignIds(resource, options.registration, drained.records);
  const records = matchRecords(list, drained.records, new Set(identified));
  const { unused, beyond } = findUnused(records, page);
  const unusedPatterns = new Set(unused.map(({ path }) => path));
  const context: RecordContext = { resource, list, mapping, unusedPatterns, sanitizer };
  const head = (entries: readonly unknown[]): readonly unknown[] =>
    entries.slice(0, options.limit).map((entry) => sanitizer.copy(entry));
  return {
    isDocument: mapping !== undefined,
    received: list.entries.length,
    leftOut: list.entries.length - records.length,
    read: records.filter(({ draft }) => draft !== undefined).length,
    dropped: countDropped(records),
    ...(drained.total !== undefined && { total: drained.total }),
    problems: listProblems(page, drained, options.registration).map(sanitizer.redact),
    ...(firstPage.next && 'url' in firstPage.next && { nextPage: sanitizer.redact(firstPage.next.url.href) }),
    records: records.slice(0, options.limit).map((record, at) => buildRecordReport(record, at, context)),
    expressions: mapping === undefined ? [] : reportExpressions(mapping, list, { resource, sanitizer }),
    unused: unused.map(({ path, entries, examples }) => ({
      path: sanitizer.redact(path),
      entries,
      examples: examples.map((example) => sanitizer.copy(example)),
    })),
    unusedBeyond: beyond,
    outside: listOuterValues(list.document.document?.value ?? [], new Set(list.entries)).map((one) =>
      sanitizer.copyPathValue(one),
    ),
    findings: reportFindings(withRepeatedIds(drained, records), list.reader.readings, sanitizer),
    entries: head(list.entries),
    ...(mapping?.join && { joinedEntries: head(joined.entries) }),
  };
}

/** What a snapshot adds to the records of a drain, or removes from them, before they get their ids. */
async function completeRecords(
  { options: { registration, keyReader } }: PreviewSession,
  { resource, firstPage: { drained } }: ReadPage,
): Promise<DrainResult<DraftRecord>> {
  const names = new ExtraPropertyFilter(resource, registration.provenance.registeredProperties);
  return names.filterSource(await completeKeys(drained, resource, { reader: keyReader, source: registration.code }));
}

function findUnused(
  records: readonly ReadRecord[],
  { resource, recordings: { list }, mapping }: ReadPage,
): ReturnType<typeof listUnusedProperties> {
  if (mapping === undefined)
    return listDroppedProperties(
      records
        .filter(({ draft }) => draft !== undefined)
        .map((one) => ({ sent: one.entry, shown: showRecord(one, resource) })),
    );
  const { entries, reads } = list.document;
  const selected = new Set(entries.selected);
  const pairs = entries.joined.map((entry, at) => ({ entry, sent: entries.sent[at] }));
  return listUnusedProperties(selected.size === 0 ? pairs : pairs.filter(({ entry }) => selected.has(entry)), reads);
}

/** Counts dropped records by the rule of data quality. */
export function countDropped(records: readonly Pick<ReadRecord, 'dropped'>[]): ReadResourceReport['dropped'] {
  const counts = new Map<FindingRule, number>();
  for (const { dropped } of records) if (dropped !== undefined) counts.set(dropped, (counts.get(dropped) ?? 0) + 1);
  return [...counts].map(([rule, count]) => ({ rule, count }));
}

/** Why a server would not use this page as it is, or would not take it as the whole list. */
function listProblems(
  { resource, firstPage: { next } }: ReadPage,
  { partialReason, partialDetail, ...drained }: DrainResult<unknown>,
  { tolerates }: Pick<SourceSettings, 'tolerates'>,
): readonly string[] {
  const isTolerated = tolerates.some((reason) => reason === partialReason);
  return [
    ...listFailures(() => {
      requireReadableRecords(drained, resource);
    }),
    ...(next && 'failure' in next ? [next.failure.message] : []),
    ...(partialDetail === undefined || isTolerated ? [] : [partialDetail]),
  ];
}

/** The message of the `SourceFailure` with which a check fails, if it does. */
export function listFailures(check: () => void): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof SourceFailure) return [error.message];
    throw error;
  }
}

/** Adds the records that were dropped because another one has their id, as a snapshot does. */
function withRepeatedIds(
  { findings }: DrainResult<unknown>,
  records: readonly ReadRecord[],
): FindingCounter['findings'] {
  const counter = new FindingCounter();
  counter.addAll(findings);
  for (const { dropped, reading } of records)
    if (dropped === 'repeated-id' && reading.isKept) counter.add(WHOLE_RECORD, dropped);
  return counter.findings;
}
