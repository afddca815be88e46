import type { FailedReload } from '../admin-state.js';
import type { SourceStatus } from '../../source/status/source-status.js';
import type { SharingStatus } from './sharing-status.js';

/** What `/sources` reports. */
export interface SourcesReport {
  /** Ordered by number. */
  readonly sources: readonly SourceStatus[];
  /** Absent where the last reload succeeded, or there was none. */
  readonly failedReload?: FailedReload;
  /** Absent without `cache.disk`, and where it can be written. */
  readonly unsavedSnapshots?: UnsavedSnapshotsStatus;
  /** Whether this instance is in agreement with the others. Absent without `cache.redis`. */
  readonly sharing?: SharingStatus;
}

/** Snapshots that could not be saved in `cache.disk` (operation 3.5). */
export interface UnsavedSnapshotsStatus {
  /** Since when saving fails. */
  readonly since: string;
  /** Lists whose last snapshot is not saved. */
  readonly lists: number;
  /** The last error. */
  readonly error: string;
}
