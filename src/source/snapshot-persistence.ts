import type { SnapshotValidators } from './drain/page-validators.js';
import type { SourceQuery } from './request/source-query.js';
import type { Snapshot } from './snapshot/snapshot.js';

/** With all that a later process needs to use and revalidate the snapshot (operation 2.5.3). */
export interface SavedSnapshot {
  /** A complete list, or a part that several queries need. */
  readonly query: SourceQuery;
  /** `SnapshotHistoryStore` has since when the records are unchanged. */
  readonly snapshot: Omit<Snapshot, 'since' | 'floor' | 'leases'>;
  readonly validators?: SnapshotValidators | undefined;
  /** Estimated bytes. */
  readonly weight: number;
}

/** For the public snapshots of one source. */
export interface SnapshotPersistence {
  /** In the background, in place of an earlier one of the same list. Never throws. */
  save(snapshot: SavedSnapshot): void;
  /** In the background. Never throws. */
  forget(): void;
  /** The oldest snapshot first. Never rejects: what cannot be read is left out. */
  load(): AsyncIterable<SavedSnapshot>;
}
