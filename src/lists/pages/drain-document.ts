import type { DraftRecord } from '../../model/record.js';
import { concatenateJoinedEntries } from '../../source/dialect/document/joined-entries.js';
import type { DrainResult } from '../../source/record/drain-result.js';
import { FindingCounter } from '../../source/record/findings.js';
import { PageReading, drain, withPagingFault } from './drain.js';
import type { ReadingLimits } from './drain.js';
import { pagesByLink } from './pages-by-link.js';
import type { ReadableList, RecordedRequests } from './pages-by-link.js';

/** Of a published document (decisions 4.27). */
interface DocumentLists {
  readonly list: ReadableList;
  /** Read first: its entries are added to those of `list`. */
  readonly joined: ReadableList | undefined;
  readonly limits: ReadingLimits;
  /** Of `list`. Absent: all pages. */
  readonly isFirstPageOnly?: boolean;
}

const NOTHING: DrainResult<never> = { records: [], receivedCount: 0, bytes: 0, findings: new Map() };

/** Rejects when a page of either list fails. */
export async function drainDocument(
  { list, joined, limits, isFirstPageOnly }: DocumentLists,
  requests: RecordedRequests,
): Promise<DrainResult<DraftRecord>> {
  if (joined === undefined)
    return withEmptyExpressions(await drain(() => pagesByLink(list, requests, isFirstPageOnly), limits));
  const reading = new PageReading<DraftRecord>(limits);
  const { kind, fault } = await reading.readAll(pagesByLink(joined, requests));
  const { pages, bytes } = reading;
  if (kind === 'too-large') return { ...NOTHING, bytes, partialReason: 'too-large' };
  const entries = concatenateJoinedEntries(pages.flatMap(({ document }) => document?.joined ?? []));
  const readable = { ...list, expected: { ...list.expected, joined: entries } };
  const drained = withPagingFault(
    await drain(() => pagesByLink(readable, requests, isFirstPageOnly), {
      ...limits,
      maxBytes: limits.maxBytes - bytes,
    }),
    fault && { ...fault, detail: `second document: ${fault.detail}` },
  );
  const partialReason = drained.partialReason ?? (kind === 'repeats' ? 'offset' : undefined);
  return withEmptyExpressions({ ...drained, bytes: drained.bytes + bytes, ...(partialReason && { partialReason }) });
}

/** Counts expressions that gave no value for any record: their properties may have other names by now. */
function withEmptyExpressions(drained: DrainResult<DraftRecord>): DrainResult<DraftRecord> {
  const { expressions, receivedCount, findings } = drained;
  if (expressions === undefined || receivedCount === 0) return drained;
  const counter = new FindingCounter();
  counter.addAll(findings);
  for (const [property, count] of expressions.valueCounts) if (count === 0) counter.add(property, 'expression-empty');
  return { ...drained, findings: counter.findings };
}
