import type { Outcome } from '../../model/outcome.js';
import { isReasonOf } from '../../model/reasons.js';
import type { PartialReason } from '../../model/reasons.js';
import type { DrainResult } from '../../source/record/drain-result.js';
import type { FindingRule } from '../../source/record/findings.js';
import type { Snapshot } from '../snapshot.js';

/** Besides the records of the snapshot. */
interface DrainFacts {
  readonly drainResult: Pick<DrainResult<unknown>, 'partialReason' | 'total' | 'findings'>;
  /** An aggregate reported a source of its own that is neither `fresh` nor `excluded` (decisions 5.21). */
  readonly hasIncompleteUpstream: boolean;
  /** Accepted by the operator (decisions 6.10). */
  readonly tolerates: readonly PartialReason[];
}

/** Partial reasons of findings (decisions 4.17). Dropped records without name or id do not change the state. */
const DROPPED_RECORD_REASONS: readonly (readonly [rule: FindingRule, doubt: PartialReason])[] = [
  ['id-range', 'id-range'],
  ['not-a-record', 'unreadable'],
  ['repeated-id', 'drift'],
];

/** For a drain or the reading of top records (decisions 5.7, 6.1). */
export function classifyDrainResult(
  snapshot: Snapshot,
  { drainResult: drained, hasIncompleteUpstream, tolerates }: DrainFacts,
): Outcome<Snapshot> {
  const { partialReason, total, findings } = drained;
  const { set, via } = snapshot;
  const reportedTotal = total === undefined ? {} : { total };
  const dropped = DROPPED_RECORD_REASONS.flatMap(([rule, dropReason]) =>
    findings.has(`${rule} (record)`) ? [dropReason] : [],
  );
  const reasons = [
    ...([...findings.keys()].some((key) => key.startsWith('unread-pages ')) ? ['paging' as const] : []),
    ...(partialReason ? [partialReason] : []),
    ...dropped,
    ...(hasIncompleteUpstream ? ['upstream' as const] : []),
  ];
  // Without records although the source counts some: never tolerated, it would become an empty response without
  // evidence.
  const reason = reasons.find((candidate) => set.records.length === 0 || !tolerates.includes(candidate));
  if (reason === undefined) return { state: 'fresh', snapshot };
  if (reason === 'too-large' || set.records.length === 0) return { state: 'partial', reason, via, ...reportedTotal };
  // Top records themselves are consistent. Of the records that their source counts beyond them, how many would be
  // dropped is unknown (decisions 5.15).
  const countsMore = reason === 'total' && set.unfetchedCount > 0;
  if (isReasonOf('inconsistent', reason) && !countsMore)
    return { state: 'inconsistent', reason, snapshot, ...reportedTotal };
  return { state: 'partial', reason, snapshot, ...reportedTotal };
}
