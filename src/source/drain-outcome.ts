import type { PartialReason, Outcome } from '../model/outcome.js';
import type { DrainResult } from './record/drain-result.js';
import type { FindingRule } from './record/findings.js';
import type { Snapshot } from './snapshot/snapshot.js';

/** What is known of a drain beside the copy that was made of it. */
export interface DrainFacts {
  readonly drainResult: Pick<DrainResult<unknown>, 'partialReason' | 'total' | 'findings'>;
  /** Whether an aggregate reported a source of its own that did not give all. */
  readonly hasIncompleteUpstream: boolean;
  /** Doubts that the operator accepts of this source. */
  readonly tolerates: readonly PartialReason[];
}

/** What was left out of a drain, or came twice, and the doubt that this is. A record without a name or an id is none, and left out for good. */
const DROPPED_RECORD_REASONS: readonly (readonly [rule: FindingRule, doubt: PartialReason])[] = [
  ['id-range', 'id-range'],
  ['not-a-record', 'unreadable'],
  ['repeated-id', 'drift'],
];

/** Doubts about a copy that was read to its end. */
const INCONSISTENT_REASONS: ReadonlySet<PartialReason> = new Set<PartialReason>(['drift', 'total']);

/** What a source contributes with a copy of it (decisions.md, section 5). */
export function classifyDrain(
  copy: Snapshot,
  { drainResult: drained, hasIncompleteUpstream: doubtful, tolerates }: DrainFacts,
): Outcome<Snapshot> {
  const { partialReason: doubt, total, findings } = drained;
  const { set, via } = copy;
  const counted = total === undefined ? {} : { total };
  const dropped = DROPPED_RECORD_REASONS.flatMap(([rule, why]) => (findings.has(`${rule} (record)`) ? [why] : []));
  const doubts = [...(doubt ? [doubt] : []), ...dropped, ...(doubtful ? ['upstream' as const] : [])];
  // No record at all where some are counted is never tolerated: it would be an empty answer that rests on nothing.
  const reason = doubts.find((one) => set.records.length === 0 || !tolerates.includes(one));
  if (reason === undefined) return { state: 'fresh', snapshot: copy };
  if (reason === 'too-large' || set.records.length === 0) return { state: 'partial', reason, via, ...counted };
  // The front of a stream is as it should be: its source counts what is no record here, and nobody knows how much of that is behind it.
  const countsMore = reason === 'total' && set.unfetchedCount > 0;
  return {
    state: INCONSISTENT_REASONS.has(reason) && !countsMore ? 'inconsistent' : 'partial',
    reason,
    snapshot: copy,
    ...counted,
  };
}
