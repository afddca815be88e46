import type { ListStatus, ResourceStatus, SourceLevelStatus, SourceStatus } from '../../source/status/source-status.js';

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
