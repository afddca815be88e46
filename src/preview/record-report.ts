import type { DocumentMapping } from '../model/registration/document-mapping.js';
import type { Resource } from '../model/resource.js';
import { hasContent } from '../source/dialect/document/document-parser.js';
import type { Evaluation } from './observation/document-recorder.js';
import { formatPropertyPath } from '../source/dialect/document/property-path.js';
import { listUnusedValues } from './observation/unused-properties.js';
import type { PathValue, PropertyReport, RecordReport } from './preview-report.js';
import type { ListRecording } from './preview-session.js';
import { readProperty, showRecord } from './read-records.js';
import type { ReadRecord } from './read-records.js';
import type { Sanitizer } from './sanitizer.js';

/** What the records of a page are described with. */
export interface RecordContext {
  readonly resource: Resource;
  readonly list: ListRecording;
  /** Undefined for an interface. */
  readonly mapping: DocumentMapping | undefined;
  /** Patterns of the properties that no expression has read. */
  readonly unusedPatterns: ReadonlySet<string>;
  readonly sanitizer: Sanitizer;
}

const ID = 'id';

/** Describes the record at a position among those of the page, property by property. */
export function buildRecordReport(record: ReadRecord, at: number, context: RecordContext): RecordReport {
  const { list, sanitizer, resource } = context;
  const { joined, sent } = list.document.entries;
  const shown = showRecord(record, resource);
  const position = context.mapping === undefined ? at : joined.indexOf(record.entry);
  const pair = { entry: record.entry, sent: sent[position] };
  const unused =
    context.mapping === undefined ? [] : listUnusedValues(pair, list.document.reads, context.unusedPatterns);
  return {
    entry: position + 1,
    ...(record.draft && { id: sanitizer.redact(record.draft.id) }),
    ...(record.dropped && { dropped: record.dropped }),
    record: Object.fromEntries([...shown].map(([name, value]) => [sanitizer.redact(name), sanitizer.copy(value)])),
    sent: sanitizer.copy(record.entry),
    properties: listNames(shown, record, context).map((name) =>
      describeProperty(name, shown.get(name), record, context),
    ),
    unused: unused.map((one) => sanitizer.copyPathValue(one)),
  };
}

/** Names of the properties of the record, then of those that it might have: mapped, or sent by an interface. */
function listNames(
  shown: ReadonlyMap<string, unknown>,
  { draft, reading: { raw } }: ReadRecord,
  { mapping }: RecordContext,
): readonly string[] {
  const hasId = draft !== undefined || mapping?.identity !== undefined;
  const possible =
    mapping === undefined
      ? isObject(raw)
        ? Object.keys(raw)
        : []
      : Object.keys({ ...mapping.map, ...mapping.defaults });
  return [...new Set([...(hasId ? [ID] : []), ...shown.keys(), ...possible])];
}

function describeProperty(
  name: string,
  shown: unknown,
  record: ReadRecord,
  { resource, list, mapping, sanitizer }: RecordContext,
): PropertyReport {
  const { reading, entry, draft } = record;
  const evaluation = list.document.evaluationOf(entry, name);
  const value = shown ?? (name === ID ? draft?.id : undefined);
  const from = mapping === undefined ? readFromRaw(name, reading.raw) : listReads(evaluation);
  const failure = evaluation && 'failure' in evaluation.mapped ? evaluation.mapped.failure : undefined;
  const findings = reading.findings.filter(({ field }) => field === name).map(({ rule }) => rule);
  return {
    name: sanitizer.redact(name),
    ...(value !== undefined && { value: sanitizer.copy(value) }),
    origin: findOrigin(),
    from: from.map((one) => sanitizer.copyPathValue(one)),
    ...(failure !== undefined && { failure: sanitizer.redact(failure) }),
    findings: [...new Set(findings)],
  };

  function findOrigin(): PropertyReport['origin'] {
    const isGiven = mapping === undefined ? from.length > 0 : givesValue(evaluation);
    if (isGiven)
      return name === resource.sourceNameProperty && !list.reader.provenance.isAggregate ? 'registration' : 'source';
    if (name === resource.sourceNameProperty) return 'registration';
    if (value !== undefined && Object.hasOwn(mapping?.defaults ?? {}, name)) return 'default';
    return name === ID && value !== undefined ? 'derived' : 'source';
  }
}

function givesValue(evaluation: Evaluation | undefined): boolean {
  return evaluation !== undefined && 'value' in evaluation.mapped && hasContent(evaluation.mapped.value);
}

/** Each value that an expression has read, once. */
function listReads(evaluation: Evaluation | undefined): readonly PathValue[] {
  const reads = new Map(evaluation?.reads.map(({ path, value }) => [formatPropertyPath(path), value]));
  return [...reads].map(([path, value]) => ({ path, value }));
}

function readFromRaw(name: string, raw: unknown): readonly PathValue[] {
  const value = readProperty(raw, name);
  return value === undefined ? [] : [{ path: formatPropertyPath([name]), value }];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
