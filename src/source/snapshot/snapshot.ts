import { findSnapshot, isTooLarge } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import type { FailureDetail, IncompleteReason } from '../../model/reasons.js';
import type { Resource } from '../../model/resource.js';
import type { RecordSet } from '../../records/record-set.js';
import type { ExpressionResults } from '../record/drain-result.js';

/** Milliseconds since 1970, updated in place when the source confirms it: earlier responses see the new times. */
export interface Lease {
  /** When the source was last queried. */
  verifiedAt: number;
  /** End of the time to live. */
  staleAt: number;
  /** From then on a request waits for a refresh. */
  waitAt: number;
  /** A refresh is in progress. */
  refreshing: boolean;
}

/** Decisions 1.6. Times are in milliseconds since 1970. */
export interface Snapshot {
  readonly set: RecordSet;
  /** Start of its drain. */
  readonly fetchedAt: number;
  /** Last confirmation by the source; `fetchedAt` before the first one. */
  readonly verifiedAt: number;
  /** End of the time to live. */
  readonly staleAt: number;
  /** The newest that the source itself sent. */
  readonly lastModified?: number;
  /** When the records were first served in their present form. */
  readonly since: number;
  /** The newest date with which earlier records may have been served. Absent: there were none. */
  readonly floor?: number | undefined;
  /** All instances show these records and dates by it (operation 2.5.4). Absent: the dates mean nothing to others. */
  readonly agreedVersion?: number | undefined;
  /** Gateways behind the source's responses (decisions 5.22). */
  readonly via: readonly string[];
  /** Absent unless the source is a document. */
  readonly expressions?: ExpressionResults;
  /** Values could not be read, in these or in further records of the source (`listUnreadProperties`). Absent: none. */
  readonly unreadProperties?: readonly string[];
  /** Of the snapshots that this one was built from, for their times at any later moment. */
  readonly leases: readonly Lease[];
}

/**
 * Joins unread properties and times of the parts (decisions 7.7): verified and stale with the earliest, changed with
 * the latest. `floor` is Infinity once any has changed: the whole's newest date may be another part's, and may have
 * been served before.
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

/** With what the store needs to know of the request. */
export interface SnapshotKey {
  readonly resource: Resource;
  /** Of the admitted snapshot. */
  readonly admitted: string;
  /** Of the last result not admitted. Has the requested number of records: failing at many does not rule out few. */
  readonly rejected: string;
  /** From the start of the order; Infinity: all. */
  readonly minRecords: number;
  /** `part`: some records of a resource, no response alone. `list`: the records that responses are built from. */
  readonly kind: 'item' | 'part' | 'list';
  /** In the shrink guard. Absent if the count may change at any moment. */
  readonly sizeKey?: string;
  /** This request can confirm a much smaller number; else only one for the complete list can. */
  readonly confirmsSize: boolean;
  /** The list may exceed the `drain-threshold`. Then its size is known from the size check. */
  readonly isLarge: boolean;
}

/** The source could not be queried, or its result is not trusted. */
export type FailureOutcome = Extract<Outcome<Snapshot>, { readonly state: 'failed' | 'suspended' }>;

export function isFailure(outcome: Outcome<Snapshot>): outcome is FailureOutcome {
  return outcome.state === 'failed' || outcome.state === 'suspended';
}

/** Without a snapshot, or with all records that the request needs. */
export function isSufficient(outcome: Outcome<Snapshot>, { minRecords }: SnapshotKey): boolean {
  const snapshot = isTooLarge(outcome) ? undefined : findSnapshot(outcome);
  return snapshot === undefined || hasEnoughRecords(snapshot, minRecords);
}

/** From the start of its order, or all that exist. */
export function hasEnoughRecords({ set }: Pick<Snapshot, 'set'>, minRecords: number): boolean {
  return !set.hasMore || set.records.length >= minRecords;
}

/** Undefined if it must not be served, as the report of a missing item: the item may exist by now (decisions 2.34). */
export function serveStale(
  { kind }: SnapshotKey,
  snapshot: Snapshot | undefined,
  { reason, detail }: { readonly reason: IncompleteReason; readonly detail?: FailureDetail },
): Outcome<Snapshot> | undefined {
  if (snapshot === undefined || (kind === 'item' && snapshot.set.totalCount === 0)) return undefined;
  return { state: 'stale', reason, snapshot, ...(detail && { detail }) };
}

/** With the failure's reason; the failure if the snapshot must not be served (decisions 6.12). */
export function serveStaleOrFail(
  key: SnapshotKey,
  snapshot: Snapshot | undefined,
  failure: FailureOutcome,
): Outcome<Snapshot> {
  const { state, reason, detail } = failure;
  const reasonAndDetail = state === 'suspended' ? { reason: state } : { reason, ...(detail && { detail }) };
  return serveStale(key, snapshot, reasonAndDetail) ?? failure;
}
