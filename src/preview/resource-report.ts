import type { DraftRecord } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import type { DocumentMapping } from '../model/registration/document-mapping.js';
import { SourceFailure } from '../source/client/source-failure.js';
import { requireReadableRecords } from '../source/body/parse-page-body.js';
import { completeKeys } from '../source/keys/complete-key-records.js';
import { JOIN_FIELD, SELECTION_FIELD } from '../source/record/drain-result.js';
import type { DrainResult } from '../source/record/drain-result.js';
import type { SourceSettings } from '../source/source-settings.js';
import { ExtraPropertyFilter } from '../source/record/extra-property-filter.js';
import { FindingCounter, WHOLE_RECORD } from '../source/record/findings.js';
import type { FindingRule } from '../source/record/findings.js';
import { assignIds } from '../source/record/record-ids.js';
import { reportFindings } from './finding-reports.js';
import type { ExpressionReport, ReadResourceReport, RecordReport } from './preview-report.js';
import type { FirstPage, ListRecording, PreviewSession } from './preview-session.js';
import { matchRecords, readProperty, showRecord } from './read-records.js';
import type { ReadRecord } from './read-records.js';
import type { Sanitizer } from './sanitizer.js';
import { countUnused, listMentionedNames } from './unused-properties.js';

interface ReadPage {
  readonly resource: Resource;
  readonly recordings: { readonly list: ListRecording; readonly joined: ListRecording };
  readonly firstPage: FirstPage;
  /** Undefined for an interface. */
  readonly mapping: DocumentMapping | undefined;
}

/** Completes records as every snapshot does, and compares them with the entries. */
export async function buildResourceReport(session: PreviewSession, page: ReadPage): Promise<ReadResourceReport> {
  const { resource, recordings, firstPage, mapping } = page;
  const { sanitizer, options } = session;
  const { list, joined } = recordings;
  const drained = await completeRecords(session, page);
  const { records: identified } = await assignIds(resource, options.registration, drained.records);
  const records = matchRecords(list, drained.records, new Set(identified));
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
    records: reportRecords(records.slice(0, options.limit), page, sanitizer),
    expressions: mapping === undefined ? [] : reportExpressions(mapping, page, sanitizer),
    unused: listUnused(records, page, sanitizer),
    findings: reportFindings(withRepeatedIds(drained, records), list.reader.readings, sanitizer),
    entries: head(list.entries),
    ...(mapping?.join && { joinedEntries: head(joined.entries) }),
  };
}

/** As a snapshot does, before records get their ids. */
async function completeRecords(
  { options: { registration, keyReader } }: PreviewSession,
  { resource, firstPage: { drained } }: ReadPage,
): Promise<DrainResult<DraftRecord>> {
  const names = new ExtraPropertyFilter(resource, registration.provenance.registeredProperties);
  return names.filterSource(await completeKeys(drained, resource, { reader: keyReader, source: registration.code }));
}

function reportRecords(
  records: readonly ReadRecord[],
  { resource, mapping, recordings: { list } }: ReadPage,
  sanitizer: Sanitizer,
): readonly RecordReport[] {
  const positions = locateEntries(
    records.map(({ entry }) => entry),
    list.entries,
    mapping?.join?.as,
  );
  return records.map((record, at): RecordReport => {
    const { reading, entry, draft, dropped } = record;
    return {
      entry: (positions[at] ?? at) + 1,
      ...(draft && { id: sanitizer.redact(draft.id) }),
      ...(dropped && { dropped }),
      record: sanitizer.copyRecord(showRecord(record, resource)),
      ...(mapping && { mapped: sanitizer.copy(reading.raw) }),
      sent: sanitizer.copy(entry),
      findings: reading.findings.map(({ field, rule }) => ({ field: sanitizer.redact(field), rule })),
    };
  });
}

/** Among all entries of the page. With a second document they are copies with a further property. */
function locateEntries(
  some: readonly unknown[],
  all: readonly unknown[],
  added: string | undefined,
): readonly number[] {
  const isCopy = (entry: unknown, original: unknown): boolean =>
    entry === original ||
    (added !== undefined &&
      typeof original === 'object' &&
      original !== null &&
      Object.entries(original).every(([name, value]) => name === added || readProperty(entry, name) === value));
  let last = -1;
  return some.map((entry) => (last = all.findIndex((original, at) => at > last && isCopy(entry, original))));
}

/** In the order in which the expressions are evaluated. */
function reportExpressions(
  { join, only, identity, map }: DocumentMapping,
  { firstPage: { drained }, recordings: { list } }: ReadPage,
  sanitizer: Sanitizer,
): readonly ExpressionReport[] {
  const fields = { [JOIN_FIELD]: join?.key, [SELECTION_FIELD]: only, id: identity, ...map };
  return Object.entries(fields).flatMap(([property, expression]) => {
    if (expression === undefined) return [];
    const failure = drained.expressions?.failures.get(property);
    const values =
      property === SELECTION_FIELD ? list.selected.length : (drained.expressions?.valueCounts.get(property) ?? 0);
    const failures = drained.findings.get(`expression-failed ${property}`) ?? 0;
    return [
      {
        property,
        expression,
        values,
        failures,
        ...(failure !== undefined && { firstFailure: sanitizer.redact(failure) }),
      },
    ];
  });
}

/** Names that no expression mentions; of an interface, properties that were dropped. */
function listUnused(
  records: readonly ReadRecord[],
  { resource, mapping, recordings: { list } }: ReadPage,
  sanitizer: Sanitizer,
): ReadResourceReport['unused'] {
  if (mapping !== undefined) {
    const mentioned = listMentionedNames(mapping);
    const entries = list.selected.length > 0 ? list.selected : list.entries;
    return countUnused(entries, (entry) => entry, { isUsed: (name) => mentioned.has(name), sanitizer });
  }
  const shown = new Map(records.map((record) => [record, showRecord(record, resource)]));
  const read = records.filter(({ draft }) => draft !== undefined);
  const isUsed = (name: string, record: ReadRecord): boolean => shown.get(record)?.has(name) === true;
  return countUnused(read, ({ entry }) => entry, { isUsed, sanitizer });
}

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

/** Records with a repeated id are dropped, as by a snapshot. */
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
