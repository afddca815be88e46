import type { Config } from '../config/config.js';
import type { ExplainedGateway } from '../explanation/explain-target.js';
import type { Clock } from '../model/clock.js';
import type { SaveFailure } from '../lists/store/disk/list-folder.js';
import type { SharedStoreStatus } from '../lists/store/redis/shared-store.js';
import type { Publish } from '../events/event.js';
import type { Metrics } from '../events/metrics.js';
import type { OperatedGateway } from './sources/operated-gateway.js';

/** Called for each request, because a reload replaces the results. */
export interface AdminState {
  /** Configuration in force, listeners open, warm-up over; false again while the process stops (operation 3.3). */
  readonly isReady: () => boolean;
  readonly metrics: Pick<Metrics, 'contentType' | 'text'>;
  readonly generation: () => ServedGeneration;
  /** Undefined without `cache.redis`. Absent: the same. */
  readonly sharing?: () => SharedStoreStatus | undefined;
  /** Undefined where snapshots can be saved. Absent: the same. */
  readonly saveFailure?: () => SaveFailure | undefined;
  readonly clock: Clock;
  readonly publish: Publish;
}

/** A reload replaces it as a whole (operation 6.2). */
export interface ServedGeneration {
  readonly config: Config;
  readonly file: string;
  /** When the file was read, in milliseconds since 1970. */
  readonly loadedAt: number;
  /** 1 from the start on. */
  readonly number: number;
  /** Present where the file is not what is in force. */
  readonly failedReload?: FailedReload | undefined;
  readonly gateway: OperatedGateway & ExplainedGateway;
}

export interface FailedReload {
  /** In ISO 8601. */
  readonly at: string;
  readonly errors: readonly string[];
}
