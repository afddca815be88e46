import { findSnapshot, isTooLarge } from '../../model/outcome.js';
import type { FailureDetail, Outcome, StaleReason } from '../../model/outcome.js';
import type { Resource } from '../../model/resource.js';
import type { RecordSet } from '../../records/record-set.js';

/** The instants of a snapshot, in milliseconds since 1970: one object, which is updated while the source confirms the snapshot. */
export interface Lease {
  /** When the source was last asked whether the snapshot holds. */
  verifiedAt: number;
  /** End of its time to live. */
  staleAt: number;
  /** From here on a request waits for a refresh. */
  waitAt: number;
  /** Whether a refresh is under way. */
  refreshing: boolean;
}

/** A snapshot of the records of one source. Times in milliseconds since 1970. */
export interface Snapshot {
  readonly set: RecordSet;
  /** When its drain began. */
  readonly fetchedAt: number;
  /** When the source last confirmed it; before that as `fetchedAt`. */
  readonly verifiedAt: number;
  /** End of its time to live. */
  readonly staleAt: number;
  /** Newest Last-Modified that the source itself said. */
  readonly lastModified?: number;
  /** When the records were first held as they are. */
  readonly since: number;
  /** The newest date that earlier records may have been shown with; absent where there were none. */
  readonly floor?: number | undefined;
  /** Gateways that the source's answers went through. */
  readonly via: readonly string[];
  /** Of the snapshots that it was made of: their instants at any later moment. */
  readonly leases: readonly Lease[];
}

/**
 * The instants of what is made of several snapshots: as old, and as soon stale, as the first of them, and changed with the last. No date
 * of the whole proves a change of one: the date may be another's, and have been shown before.
 */
export function combineSnapshotTimes(
  copies: readonly Snapshot[],
): Pick<Snapshot, 'verifiedAt' | 'staleAt' | 'leases' | 'since' | 'floor'> {
  const changed = copies.some(({ floor }) => floor !== undefined);
  return {
    verifiedAt: Math.min(...copies.map(({ verifiedAt }) => verifiedAt)),
    staleAt: Math.min(...copies.map(({ staleAt }) => staleAt)),
    leases: copies.flatMap(({ leases }) => leases),
    since: Math.max(...copies.map(({ since }) => since)),
    ...(changed && { floor: Infinity }),
  };
}

/** Names a snapshot, with all that its store has to know of the request behind it. */
export interface SnapshotKey {
  readonly resource: Resource;
  /** Names the admitted snapshot. */
  readonly admitted: string;
  /** Names the last result that was not admitted: by the number of records wanted, too, for a failure to get many does not rule out few. */
  readonly rejected: string;
  /** Records that a snapshot must have from the start of its order; Infinity: all. */
  readonly minRecords: number;
  /** `item`: one record by its id. `part`: some records of a resource, in no answer by themselves. `list`: answers are made of it. */
  readonly kind: 'item' | 'part' | 'list';
  /** Key of the number of records that the shrink guard knows; absent where the number may change at any moment. */
  readonly sizeKey?: string;
  /** Whether a far smaller number than before is confirmed by this request; otherwise by one for the whole list. */
  readonly confirmsSize: boolean;
  /** Whether a list is fetched beyond the source's drain-threshold: then its size is known from an earlier look. */
  readonly isLarge: boolean;
}

/** An outcome without records, because the source could not be asked or is not believed. */
export type FailureOutcome = Extract<Outcome<Snapshot>, { readonly state: 'failed' | 'suspended' }>;

export function isFailure(outcome: Outcome<Snapshot>): outcome is FailureOutcome {
  return outcome.state === 'failed' || outcome.state === 'suspended';
}

/** Whether an outcome can be given to a request: it has no copy, or one with all the records that the request needs. */
export function isSufficient(outcome: Outcome<Snapshot>, { minRecords: reach }: SnapshotKey): boolean {
  const copy = isTooLarge(outcome) ? undefined : findSnapshot(outcome);
  return copy === undefined || hasEnoughRecords(copy, reach);
}

/** Whether a copy has so many records from the start of its order, or all that there are. */
export function hasEnoughRecords({ set }: Snapshot, reach: number): boolean {
  return !set.hasMore || set.records.length >= reach;
}

/**
 * A snapshot as it stands in for something better; undefined where it may not. That an item did not exist may not: it may exist now, and only
 * its source can tell (decisions.md, section 2).
 */
export function serveStale(
  { kind }: SnapshotKey,
  copy: Snapshot | undefined,
  { reason, detail }: { readonly reason: StaleReason; readonly detail?: FailureDetail },
): Outcome<Snapshot> | undefined {
  if (copy === undefined || (kind === 'item' && copy.set.totalCount === 0)) return undefined;
  return { state: 'stale', reason, snapshot: copy, ...(detail && { detail }) };
}

/** The snapshot in place of a failure, where it may stand in; else the failure. */
export function serveStaleOrFail(
  key: SnapshotKey,
  copy: Snapshot | undefined,
  failure: FailureOutcome,
): Outcome<Snapshot> {
  const { state, reason, detail } = failure;
  const why = state === 'suspended' ? { reason: state } : { reason, ...(detail && { detail }) };
  return serveStale(key, copy, why) ?? failure;
}
