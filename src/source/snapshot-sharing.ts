import type { RecordSet } from '../records/record-set.js';
import type { SnapshotValidators } from './drain/page-validators.js';
import type { SourceQuery } from './request/source-query.js';
import type { DoubtedCount } from './snapshot/shrink-guard.js';
import type { Snapshot } from './snapshot/snapshot.js';
import type { Outcome } from '../model/outcome.js';

/** With all that another instance needs to use and revalidate the snapshot (operation 2.5.4). */
export interface SharedSnapshot {
  /** With its `agreedVersion`, and dates that all instances show. */
  readonly snapshot: Omit<Snapshot, 'leases'>;
  readonly validators?: SnapshotValidators | undefined;
  /** Estimated bytes. */
  readonly weight: number;
}

/** Dated when it is published. */
export interface SnapshotToShare {
  readonly snapshot: Omit<Snapshot, 'since' | 'floor' | 'leases'>;
  readonly validators?: SnapshotValidators | undefined;
  readonly weight: number;
  /** When requests begin to wait for a refresh, in milliseconds since 1970. */
  readonly waitAt: number;
  /** When it is no longer served at all, in milliseconds since 1970. */
  readonly unusableAt: number;
}

/** Replaces no snapshot, and may not be requested again before a time. */
export interface SharedRejection {
  /** Without records: each instance serves its own snapshot in place of a failure, if it has one. */
  readonly outcome: Outcome<never>;
  /** In milliseconds since 1970. */
  readonly retryAt: number;
  /** The number of records not trusted yet (decisions 6.11). */
  readonly doubt: DoubtedCount | undefined;
}

export interface SharedListHolder {
  /** Also by a result that replaces no snapshot. */
  isUsed(): boolean;
  /** `agreedVersion`, also of a snapshot served in place of a failure. */
  version(): number | undefined;
  /** Undefined: nothing that may be served. */
  held(): SnapshotToShare | undefined;
  /**
   * Has all records needed, and is no older than what the cache has served. `verifiedAt`: when the source was queried,
   * at the earliest, in milliseconds since 1970.
   */
  isSufficient(set: RecordSet, verifiedAt: number): boolean;
  mayServe(snapshot: Pick<Snapshot, 'staleAt'>): boolean;
  /** Serves it from now on. */
  adopt(shared: SharedSnapshot): void;
  /** The cached snapshot is no longer shared: its dates mean nothing to other instances. */
  disagree(): void;
}

/** The right to fetch a list. It is renewed until one of the methods is called, which is called once. */
export interface SharedFetch {
  /** The number of records that earlier fetchers doubt. */
  readonly doubt: DoubtedCount | undefined;
  /**
   * Resolves when all instances serve it from then on; with undefined if the memory is unreachable, or another instance
   * fetches the list. Never rejects.
   */
  publish(snapshot: SnapshotToShare): Promise<SharedSnapshot | undefined>;
  /** The refresh gave no snapshot. Never throws. */
  publishRejection(rejection: SharedRejection): void;
  /** Without a result. Never throws. */
  release(): void;
}

/**
 * Use what another instance published (`adopted`: it is cached now; `rejected`), wait until it is fetched elsewhere
 * (`busy`), fetch it for all, or for itself (`unreachable`).
 */
export type SharedClaim =
  | { readonly state: 'adopted' | 'unreachable' }
  | { readonly state: 'rejected'; readonly rejection: SharedRejection }
  | { readonly state: 'busy'; readonly change: Promise<void> }
  | { readonly state: 'granted'; readonly fetch: SharedFetch };

export interface SharedList {
  /**
   * Adopts a newer snapshot first. `isRequested`: an operator requests a fetch, although an earlier result may still
   * count. Waits 50 ms for the memory at most, longer only to read records. Never rejects.
   */
  claim(options?: { readonly isRequested?: boolean }): Promise<SharedClaim>;
  /** The number that other instances doubt. Never rejects. */
  readDoubt(): Promise<DoubtedCount | undefined>;
  /** For a snapshot put into the cache from elsewhere: the newer one replaces the other. */
  compare(): void;
}

export interface SnapshotSharing {
  /** For the cache of a query. */
  share(query: SourceQuery, holder: SharedListHolder): SharedList;
  /** For one refresh of a pushed-down query or news item: its result is shared without dates, and kept while fresh. */
  shareResult(query: SourceQuery, holder: SharedListHolder): SharedList;
  /** In all instances. Returns false if the memory does not answer, so that the others keep it. Never rejects. */
  forget(): Promise<boolean>;
  /** Another instance removed the source. */
  onForget(listener: () => void): void;
}
