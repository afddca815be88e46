import type { FailedReload } from '../admin-state.js';
import type { ListStatus, ResourceStatus, SourceLevelStatus, SourceStatus } from '../../source/status/source-status.js';
import type { SharingStatus } from './sharing-status.js';

/** What `/sources` reports. */
export interface SourcesReport {
  /** Ordered by number. */
  readonly sources: readonly ReportedSource[];
  /** Absent where the last reload succeeded, or there was none. */
  readonly failedReload?: FailedReload;
  /** Absent without `cache.disk`, and where it can be written. */
  readonly unsavedSnapshots?: UnsavedSnapshotsStatus;
  /** Whether this instance is in agreement with the others. Absent without `cache.redis`. */
  readonly sharing?: SharingStatus;
  /** The workers whose state is not part of the report. Absent in a process that serves alone. */
  readonly missingWorkers?: readonly MissingWorker[];
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

/** A source as `/sources` reports it: the state in one process, or that in several workers (operation 3.5.5). */
export interface ReportedSource extends Omit<SourceStatus, 'levels'> {
  readonly levels: readonly ReportedLevel[];
}

/** A source at one access level. */
export interface ReportedLevel extends Omit<SourceLevelStatus, 'resources'> {
  readonly resources: readonly ReportedResource[];
}

/** A list that responses are built from. */
export interface ReportedResource extends Omit<ResourceStatus, 'keys'>, ReportedList {
  readonly keys?: ReportedList;
}

/** A list. */
export interface ReportedList extends ListStatus {
  /** The state in each worker, where the workers differ. The other properties are those of the worst. */
  readonly workers?: readonly WorkerListStatus[];
}

/** State of one list in one worker. */
export interface WorkerListStatus extends Pick<
  ListStatus,
  'state' | 'condition' | 'summary' | 'records' | 'verifiedAt'
> {
  readonly worker: number;
}

/** A worker that did not answer, and why. */
export interface MissingWorker {
  readonly worker: number;
  readonly reason: string;
}
