import type { SnapshotValidators } from './reading/page-validators.js';
import type { SourceQuery } from '../source/request/source-query.js';
import type { Snapshot } from './snapshot.js';

/** A list as it is kept outside of this process. */
export interface StoredList extends Omit<Snapshot, 'lists'> {
  readonly query: SourceQuery;
  /** For conditional requests. Absent: the source sent none. */
  readonly validators?: SnapshotValidators | undefined;
  /** Estimated bytes in memory. */
  readonly weight: number;
  /** It was read beside other sources: requests wait until it is read again, and get it only if that fails. */
  readonly isOutdated?: boolean;
}

/** The public lists of one source on disk (operation 2.5.3). */
export interface ListDisk {
  /** In the background, in place of an earlier one of the same list. Never throws. */
  save(list: StoredList): void;
  /** In the background. Never throws. */
  forget(): void;
  /** The oldest first. Never rejects: what cannot be read is left out. */
  load(): AsyncIterable<StoredList>;
}
