import type { FailedReload } from '../admin-state.js';
import type { SourceStatus } from '../../lists/status/source-status.js';
import type { SharingStatus } from './sharing-status.js';

export interface SourcesReport {
  /** Ordered by number. */
  readonly sources: readonly SourceStatus[];
  /** Absent where the last reload succeeded, or there was none. */
  readonly failedReload?: FailedReload;
  /** Absent without `cache.disk`, and where it can be written. */
  readonly unsavedSnapshots?: UnsavedSnapshotsStatus;
  /** Absent without `cache.redis`. */
  readonly sharing?: SharingStatus;
}

/** In `cache.disk` (operation 3.5). */
interface UnsavedSnapshotsStatus {
  readonly since: string;
  readonly lists: number;
  readonly error: string;
}
