import type { Outcome } from '../../model/outcome.js';
import type { Snapshot } from './snapshot.js';

/** One entry of the store. */
export interface StoredOutcome<Basis> {
  readonly outcome: Outcome<Snapshot>;
  /** What the next refresh of a snapshot can start from. */
  readonly basis?: Basis;
  /** Estimated bytes of the entry. */
  readonly weight: number;
}

export interface RefreshResult<Basis> extends Omit<StoredOutcome<Basis>, 'weight'> {
  /** Absent if nothing was drained: the source confirmed the snapshot, or leads back to this gateway. */
  readonly weight?: number;
}

/** Publishes the result of a refresh to the other instances of this gateway (operation 2.5.4). One method is called, once. */
export interface RefreshPublication {
  /**
   * Publishes an admitted snapshot. The promise is resolved when all instances serve it, from then on, with its dates and
   * `agreedVersion`; with undefined if it could not be published. Never rejects. Times are in milliseconds since 1970.
   */
  publish(snapshot: Snapshot, times: { readonly waitAt: number; readonly unusableAt: number }): Promise<AgreedSnapshot>;
  /** Publishes that no snapshot was admitted. Never throws. */
  publishRejection(outcome: Outcome<Snapshot>, retryAt: number): void;
}

type AgreedSnapshot = Omit<Snapshot, 'leases'> | undefined;

/** What is restored besides a snapshot. */
export type RestoredParts<Basis> = Pick<StoredOutcome<Basis>, 'basis' | 'weight'>;

/** State of a snapshot at one moment, with the outcome that a request gets in it. */
export type SnapshotState =
  | { readonly state: 'none' | 'expired' }
  | { readonly state: 'fresh' | 'stale' | 'rejected' | 'excluded'; readonly outcome: Outcome<Snapshot> };
