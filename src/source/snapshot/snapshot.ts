import { findSnapshot, isTooLarge } from '../../model/outcome.js';
import type { FailureDetail, Outcome, StaleReason } from '../../model/outcome.js';
import type { Resource } from '../../model/resource.js';
import type { RecordSet } from '../../records/record-set.js';
import type { ExpressionResults } from '../record/drain-result.js';

/**
 * Times of a snapshot, in milliseconds since 1970. The object is updated in place when the source confirms the
 * snapshot, so responses built earlier see the new times.
 */
export interface Lease {
  /** When the source was last queried for the snapshot. */
  verifiedAt: number;
  /** End of its time to live. */
  staleAt: number;
  /** From this time on a request waits for a refresh. */
  waitAt: number;
  /** Whether a refresh is in progress. */
  refreshing: boolean;
}

/** A snapshot of the records of one source (decisions 1.6). Times are in milliseconds since 1970. */
export interface Snapshot {
  readonly set: RecordSet;
  /** When its drain began. */
  readonly fetchedAt: number;
  /** When the source last confirmed the records; equal to `fetchedAt` before the first confirmation. */
  readonly verifiedAt: number;
  /** End of its time to live. */
  readonly staleAt: number;
  /** Newest Last-Modified that the source itself sent. */
  readonly lastModified?: number;
  /** When the records were first served in their present form. */
  readonly since: number;
  /** The newest date with which earlier records may have been served. Absent: there were no earlier records. */
  readonly floor?: number | undefined;
  /**
   * Version under which all instances of this gateway serve the records with these dates (operation 2.5.4). Absent: only
   * this instance may have them, and the dates mean nothing to the others.
   */
  readonly agreedVersion?: number | undefined;
  /** Gateways that the responses of the source passed through (decisions 5.22). */
  readonly via: readonly string[];
  /** Of a document: what its expressions gave. Absent for other sources. */
  readonly expressions?: ExpressionResults;
  /**
   * Properties of the resource of which values could not be read, in these or in further records of the source
   * (`listUnreadProperties`). Absent: none.
   */
  readonly unreadProperties?: readonly string[];
  /** Leases of the snapshots that this one was built from, which show their times at any later moment. */
  readonly leases: readonly Lease[];
}

/**
 * Combines the snapshots that a set is built from: all unread properties, and the times (decisions 7.7), verified and stale
 * with the earliest of them, changed with the latest. `floor` is Infinity once any of them has changed, because the newest
 * date of the whole may be of another part and may have been served before.
 */
export function combineSnapshotFacts(
  snapshots: readonly Snapshot[],
): Pick<Snapshot, 'verifiedAt' | 'staleAt' | 'leases' | 'since' | 'floor' | 'agreedVersion' | 'unreadProperties'> {
  const unread = new Set(snapshots.flatMap(({ unreadProperties }) => unreadProperties ?? []));
  const versions = snapshots.map(({ agreedVersion }) => agreedVersion ?? NaN);
  const changed = snapshots.some(({ floor }) => floor !== undefined);
  return {
    verifiedAt: Math.min(...snapshots.map(({ verifiedAt }) => verifiedAt)),
    staleAt: Math.min(...snapshots.map(({ staleAt }) => staleAt)),
    leases: snapshots.flatMap(({ leases }) => leases),
    since: Math.max(...snapshots.map(({ since }) => since)),
    ...(changed && { floor: Infinity }),
    ...(unread.size > 0 && { unreadProperties: [...unread] }),
    agreedVersion: versions.some(Number.isNaN) ? undefined : Math.max(...versions),
  };
}

/** Key of a snapshot, with what the store needs to know of the request. */
export interface SnapshotKey {
  readonly resource: Resource;
  /** Key of the admitted snapshot. */
  readonly admitted: string;
  /**
   * Key of the last result that was not admitted. It depends on the requested number of records too, because a failure
   * to fetch many does not rule out few.
   */
  readonly rejected: string;
  /** Minimum number of records from the start of the order; Infinity: all records. */
  readonly minRecords: number;
  /**
   * `item`: one record by its id. `part`: some records of a resource, which are no response by themselves. `list`: the
   * records that responses are built from.
   */
  readonly kind: 'item' | 'part' | 'list';
  /** Key of the record count in the shrink guard. Absent if the count may change at any moment. */
  readonly sizeKey?: string;
  /** Whether this request can confirm a much smaller number of records; else only one for the complete list can. */
  readonly confirmsSize: boolean;
  /** Whether the list may be larger than the `drain-threshold`. Then its size is known from the size check. */
  readonly isLarge: boolean;
}

/** An outcome without records: the source could not be queried, or its result is not trusted. */
export type FailureOutcome = Extract<Outcome<Snapshot>, { readonly state: 'failed' | 'suspended' }>;

/** Whether an outcome is `failed` or `suspended`. */
export function isFailure(outcome: Outcome<Snapshot>): outcome is FailureOutcome {
  return outcome.state === 'failed' || outcome.state === 'suspended';
}

/**
 * Whether an outcome can be served to a request: it has no snapshot, or one with all records that the request needs.
 */
export function isSufficient(outcome: Outcome<Snapshot>, { minRecords }: SnapshotKey): boolean {
  const snapshot = isTooLarge(outcome) ? undefined : findSnapshot(outcome);
  return snapshot === undefined || hasEnoughRecords(snapshot, minRecords);
}

/** Whether a snapshot has this number of records from the start of its order, or all that exist. */
export function hasEnoughRecords({ set }: Pick<Snapshot, 'set'>, minRecords: number): boolean {
  return !set.hasMore || set.records.length >= minRecords;
}

/**
 * Returns the snapshot as a `stale` outcome; undefined if it must not be served. The report that an item is missing
 * must not: the item may exist by now (decisions 2.34).
 */
export function serveStale(
  { kind }: SnapshotKey,
  snapshot: Snapshot | undefined,
  { reason, detail }: { readonly reason: StaleReason; readonly detail?: FailureDetail },
): Outcome<Snapshot> | undefined {
  if (snapshot === undefined || (kind === 'item' && snapshot.set.totalCount === 0)) return undefined;
  return { state: 'stale', reason, snapshot, ...(detail && { detail }) };
}

/**
 * Returns the snapshot as a `stale` outcome with the reason of the failure; the failure if the snapshot must not be
 * served (decisions 6.12).
 */
export function serveStaleOrFail(
  key: SnapshotKey,
  snapshot: Snapshot | undefined,
  failure: FailureOutcome,
): Outcome<Snapshot> {
  const { state, reason, detail } = failure;
  const reasonAndDetail = state === 'suspended' ? { reason: state } : { reason, ...(detail && { detail }) };
  return serveStale(key, snapshot, reasonAndDetail) ?? failure;
}
