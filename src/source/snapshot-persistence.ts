import type { SnapshotValidators } from './drain/page-validators.js';
import type { SourceQuery } from './request/source-query.js';
import type { Snapshot } from './snapshot/snapshot.js';

/** A snapshot with what a later process needs to use and to revalidate it (operation 2.5.3). */
export interface SavedSnapshot {
  /** What was requested of the source: a complete list, or a part that several queries need. */
  readonly query: SourceQuery;
  /** Since when the records are unchanged is stored elsewhere (`SnapshotHistoryStore`). */
  readonly snapshot: Omit<Snapshot, 'since' | 'floor' | 'leases'>;
  readonly validators?: SnapshotValidators | undefined;
  /** Estimated bytes in memory. */
  readonly weight: number;
}

/** Keeps the public snapshots of one source across restarts. */
export interface SnapshotPersistence {
  /** Saves the snapshot in the background, in place of an earlier one of the same list. Never throws. */
  save(snapshot: SavedSnapshot): void;
  /** Deletes in the background what is saved of the source. Never throws. */
  forget(): void;
  /** Reads what earlier processes saved, the oldest snapshot first. Never rejects: what cannot be read is left out. */
  load(): AsyncIterable<SavedSnapshot>;
}
