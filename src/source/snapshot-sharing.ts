import type { RecordSet } from '../records/record-set.js';
import type { SnapshotValidators } from './drain/page-validators.js';
import type { SourceQuery } from './request/source-query.js';
import type { DoubtedCount } from './snapshot/shrink-guard.js';
import type { Snapshot } from './snapshot/snapshot.js';
import type { Outcome } from '../model/outcome.js';

/** A snapshot that is shared, with what another instance needs to use and to revalidate it (operation 2.5.4). */
export interface SharedSnapshot {
  /** With its `agreedVersion`, and dates that all instances show. */
  readonly snapshot: Omit<Snapshot, 'leases'>;
  readonly validators?: SnapshotValidators | undefined;
  /** Estimated bytes in memory. */
  readonly weight: number;
}

/** A fetched snapshot to be shared. It is dated when it is published. */
export interface SnapshotToShare {
  readonly snapshot: Omit<Snapshot, 'since' | 'floor' | 'leases'>;
  readonly validators?: SnapshotValidators | undefined;
  readonly weight: number;
  /** From this time on requests wait for a refresh, in milliseconds since 1970. */
  readonly waitAt: number;
  /** From this time on the snapshot is not served at all, in milliseconds since 1970. */
  readonly unusableAt: number;
}

/** A result of a refresh that replaces no snapshot, and may not be requested again before a time. */
export interface SharedRejection {
  /** Without records: each instance serves its own snapshot in place of a failure, if it has one. */
  readonly outcome: Outcome<never>;
  /** In milliseconds since 1970. */
  readonly retryAt: number;
  /** The number of records that is not trusted yet (decisions 6.11); undefined: there is none. */
  readonly doubt: DoubtedCount | undefined;
}

/** The cache of one instance, as the other instances see it. */
export interface SharedListHolder {
  /** Whether anything is in the cache, also a result that replaces no snapshot. */
  isUsed(): boolean;
  /** Returns the `agreedVersion` of the snapshot in the cache, also of one that is served in place of a failure. */
  version(): number | undefined;
  /** Returns what is in the cache; undefined: nothing, or nothing that may be served. */
  held(): SnapshotToShare | undefined;
  /**
   * Whether a set has all records that are needed, and is not older than what the cache has served instead. `verifiedAt` is
   * when its source was queried, at the earliest, in milliseconds since 1970.
   */
  isSufficient(set: RecordSet, verifiedAt: number): boolean;
  /** Whether a snapshot may still be served, fresh or stale. */
  mayServe(snapshot: Pick<Snapshot, 'staleAt'>): boolean;
  /** Serves a snapshot that is shared from now on. */
  adopt(shared: SharedSnapshot): void;
  /** Notes that the snapshot in the cache is no longer shared: its dates mean nothing to other instances. */
  disagree(): void;
}

/** The right of this instance to fetch a list. It is renewed until one of the methods is called, which is called once. */
export interface SharedFetch {
  /** The number of records that the instances doubt that fetched before; undefined: there is none. */
  readonly doubt: DoubtedCount | undefined;
  /**
   * Publishes the snapshot. The promise is resolved when all instances serve it, from then on; with undefined if it could
   * not be shared: the memory is unreachable, or another instance fetches the list. Never rejects.
   */
  publish(snapshot: SnapshotToShare): Promise<SharedSnapshot | undefined>;
  /** Publishes that the refresh did not give a snapshot. Never throws. */
  publishRejection(rejection: SharedRejection): void;
  /** Gives up the right without a result. Never throws. */
  release(): void;
}

/**
 * What an instance may do that needs a list: use what another one has published (`adopted`: it is in the cache now;
 * `rejected`), wait until another one has fetched it (`busy`), fetch it for all, or fetch it for itself (`unreachable`).
 */
export type SharedClaim =
  | { readonly state: 'adopted' | 'unreachable' }
  | { readonly state: 'rejected'; readonly rejection: SharedRejection }
  | { readonly state: 'busy'; readonly change: Promise<void> }
  | { readonly state: 'granted'; readonly fetch: SharedFetch };

/** One list, or part of one, that several instances share. */
export interface SharedList {
  /**
   * Claims the list. A newer snapshot of another instance is adopted first. `isRequested`: an operator requests a fetch,
   * although an earlier result may still count. Waits 50 ms for the memory at most, and longer only to read records. Never
   * rejects.
   */
  claim(options?: { readonly isRequested?: boolean }): Promise<SharedClaim>;
  /** Returns the number of records that other instances doubt; undefined: none is known. Never rejects. */
  readDoubt(): Promise<DoubtedCount | undefined>;
  /** Compares a snapshot that was put into the cache from elsewhere with the shared one. The newer of them replaces the other. */
  compare(): void;
}

/** The snapshots of one source that several instances share. */
export interface SnapshotSharing {
  /** Registers the cache of a query. */
  share(query: SourceQuery, holder: SharedListHolder): SharedList;
  /**
   * Registers the cache of a pushed-down query or a single news item, for one refresh. Its result is shared without dates,
   * and no other instance replaces it while it is fresh.
   */
  shareResult(query: SourceQuery, holder: SharedListHolder): SharedList;
  /**
   * Removes the shared entries of the source, and makes all other instances drop it. Returns false if the memory does not
   * answer, so that they keep it. Never rejects.
   */
  forget(): Promise<boolean>;
  /** Calls a function when another instance removed the source. */
  onForget(listener: () => void): void;
}
