import type { Outcome } from '../../model/outcome.js';
import type { Snapshot } from './snapshot.js';

export interface StoredOutcome<Basis> {
  readonly outcome: Outcome<Snapshot>;
  /** For the next refresh. */
  readonly basis?: Basis;
  /** Estimated bytes. */
  readonly weight: number;
}

export interface RefreshResult<Basis> extends Omit<StoredOutcome<Basis>, 'weight'> {
  /** Absent if the source confirmed the snapshot, or leads back to this gateway. */
  readonly weight?: number;
}

/** To other instances of this gateway (operation 2.5.4). One method is called, once. */
export interface RefreshPublication {
  /**
   * Resolves when all instances serve the snapshot, from then on, with its dates and `agreedVersion`; with undefined if
   * it could not be published. Never rejects. Times are in milliseconds since 1970.
   */
  publish(snapshot: Snapshot, times: { readonly waitAt: number; readonly unusableAt: number }): Promise<AgreedSnapshot>;
  /** No snapshot was admitted. Never throws. */
  publishRejection(outcome: Outcome<Snapshot>, retryAt: number): void;
}

type AgreedSnapshot = Omit<Snapshot, 'leases'> | undefined;

export type RestoredParts<Basis> = Pick<StoredOutcome<Basis>, 'basis' | 'weight'>;

/** With the outcome that a request gets in it. */
export type SnapshotState =
  | { readonly state: 'none' | 'expired' }
  | { readonly state: 'fresh' | 'stale' | 'rejected' | 'excluded'; readonly outcome: Outcome<Snapshot> };
