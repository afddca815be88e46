import type { FetchFinished, SourceEvent } from '../../events/event.js';
import type { AccessLevel } from '../../model/access-level.js';
import { findSnapshot } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import type { DrainResult } from '../../source/record/drain-result.js';
import type { FindingExamples } from '../../source/record/findings.js';
import type { SourceQuery } from '../../source/request/source-query.js';
import { countListedRecords } from '../count-listed-records.js';
import type { ListId } from '../list-id.js';
import type { Snapshot } from '../snapshot.js';

type FetchResult = FetchFinished['result'];

/** A response that was read, or the confirmation of a snapshot. */
interface ReadList {
  readonly outcome: Outcome<Snapshot>;
  /** Absent: the snapshot was confirmed, or the source leads back to this gateway. */
  readonly drainResult?: Omit<DrainResult<unknown>, 'records'>;
  readonly findingExamples?: FindingExamples;
}

interface FetchFacts {
  readonly query: SourceQuery;
  /** Of the records. */
  readonly access: AccessLevel;
  /** Duration of the fetch. */
  readonly milliseconds: number;
}

export function describeReadList(
  { outcome, drainResult, findingExamples }: ReadList,
  { query, access, milliseconds }: FetchFacts,
): FetchResult {
  if (outcome.state === 'excluded') return { kind: 'excluded', milliseconds };
  if (drainResult === undefined) return { kind: 'confirmed', milliseconds };
  const { receivedCount: records, bytes, findings, expressions, partialDetail: detail } = drainResult;
  const failed = expressions === undefined || expressions.failures.size === 0 ? undefined : expressions.failures;
  // Values of members records are not shown.
  const examples = access === 'public' ? findingExamples : undefined;
  const received = { records, bytes, findings, examples, detail, failed, capabilities: listUsedCapabilities(query) };
  return { kind: 'drained', milliseconds, received };
}

/** `outcome` is served from now on; `at` is in milliseconds since 1970. */
export function createFetchEvent(
  { query: { resource, parameters }, kind }: ListId,
  { outcome, result, at }: { readonly outcome: Outcome<Snapshot>; readonly result: FetchResult; readonly at: number },
): SourceEvent & FetchFinished {
  const snapshot = findSnapshot(outcome);
  return {
    ...{ type: 'fetch finished', resource, parameters, list: kind === 'large' ? 'whole' : kind, at, outcome, result },
    records: snapshot === undefined ? 0 : countListedRecords(snapshot.set),
    ...(snapshot && { verifiedAt: snapshot.verifiedAt }),
    ...(result.kind === 'drained' && { findings: result.received.findings }),
    isAdopted: result.kind === 'adopted',
  };
}

/** The search is the filter `q`. No check contradicted them. */
function listUsedCapabilities({
  parameters,
  pushDown,
}: SourceQuery): readonly { readonly capability: string; readonly isChecked: boolean }[] {
  if (pushDown === undefined) return [];
  const { sort, ...filters } = parameters;
  const { exact, hasExactTotal, topRecords } = pushDown;
  return [
    ...Object.keys(filters).map((name) => ({
      capability: `filter ${name}`,
      isChecked: exact.some((filter) => filter.name === name),
    })),
    ...(sort === undefined ? [] : [{ capability: `sort ${sort}`, isChecked: true }]),
    // A total is compared with the number of records, where these were requested.
    ...(hasExactTotal ? [{ capability: 'total', isChecked: topRecords?.first !== 0 }] : []),
  ];
}
