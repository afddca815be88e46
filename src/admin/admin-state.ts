import type { Config } from '../config/config.js';
import type { ExplainedGateway } from '../explanation/explain-target.js';
import type { Clock } from '../model/clock.js';
import type { Log } from '../model/log.js';
import type { AgreementState } from '../state/sharing/shared-memory.js';
import type { SaveFailure } from '../state/snapshots/snapshot-folder.js';
import type { Metrics } from './metrics/metrics.js';
import type { OperatedGateway } from './sources/operated-gateway.js';

/** What the operator's endpoints report. Functions are called for each request, because a reload replaces the results. */
export interface AdminState {
  /**
   * Whether the configuration is in force, the listeners are open and the warm-up is over; false again while the
   * process stops (operation 3.3).
   */
  readonly isReady: () => boolean;
  readonly metrics: Pick<Metrics, 'contentType' | 'text' | 'recordReadiness'>;
  /** The configuration in force, and what was built from it. */
  readonly generation: () => ServedGeneration;
  /** Returns whether this instance is in agreement with the others; undefined without `cache.redis`. Absent: the same. */
  readonly agreement?: () => AgreementState | undefined;
  /** Returns why snapshots cannot be saved in `cache.disk`; undefined where they can. Absent: the same. */
  readonly saveFailure?: () => SaveFailure | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** A configuration in force, and what was built from it. A reload replaces it as a whole (operation 6.2). */
export interface ServedGeneration {
  readonly config: Config;
  /** Path of the configuration file, as it was given to the program. */
  readonly file: string;
  /** Time at which the file was read, in milliseconds since 1970. */
  readonly loadedAt: number;
  /** Number of the generation: 1 is that of the start. */
  readonly number: number;
  /** The last reload, where it failed, so that the file is not what is in force. */
  readonly failedReload?: FailedReload | undefined;
  readonly gateway: OperatedGateway & ExplainedGateway;
}

/** A reload that changed nothing, as `/config` and `/sources` report it. */
export interface FailedReload {
  /** In ISO 8601. */
  readonly at: string;
  /** As in the log. */
  readonly errors: readonly string[];
}
