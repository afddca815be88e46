import type { RateLimitStore } from '../access/request-counters.js';
import type { AccessLevel } from '../model/access-level.js';
import type { ExplorerAssets } from '../explorer/assets/explorer-assets.js';
import type { AdmissionControl } from '../http/admission-control.js';
import type { Clock } from '../model/clock.js';
import type { Log } from '../model/log.js';
import type { Meter } from '../model/meter.js';
import type { Tracer } from '../model/tracer.js';
import type { BodyParser } from '../source/body/body-parser.js';
import type { ClientObserver } from '../source/body/source-fetch-types.js';
import type { ServerCertificate } from '../source/client/transport/certificate-observer.js';
import type { Transport } from '../source/client/http-client-types.js';
import type { CircuitBreakers } from '../source/client/circuit-breaker.js';
import type { KeyReader } from '../source/keys/key-reader.js';
import type { SearchThreads } from '../search/search-threads.js';
import type { SnapshotHistoryStore } from '../source/snapshot/history-store.js';
import type { SharedMemoryView } from '../state/sharing/shared-memory-view.js';
import type { SnapshotFolder } from '../state/snapshots/snapshot-folder.js';

/** Worker threads of one access level. */
export interface LevelWorkers {
  /** Parses large bodies in a worker thread. Absent: they block the main thread. */
  readonly bodyParser?: BodyParser;
  /** Reads PGP keys in a worker thread. Absent: fingerprints are neither derived from keys nor compared with them. */
  readonly keyReader?: KeyReader;
  /** Build search indexes and search them in worker threads. Absent: both is done in the main thread. */
  readonly searchThreads?: SearchThreads;
}

/** What is passed in: transport, clock, log and stored history. */
export interface AppDependencies {
  readonly transport: Transport;
  /** Returns the certificate with which the server of an origin answered last. Absent: none is known. */
  readonly findCertificate?: (origin: string) => ServerCertificate | undefined;
  /** Worker threads of each access level: the work of one level must not delay the other. Absent: none. */
  readonly workers?: Readonly<Record<AccessLevel, LevelWorkers>>;
  readonly clock: Clock;
  readonly log: Log;
  /** Absent: nothing is counted. */
  readonly meter?: Meter;
  /** Absent: nothing is traced. */
  readonly tracer?: Tracer | undefined;
  /**
   * Stored history of snapshots (decisions 7.9). Absent: there is no history of earlier processes, and none is stored.
   */
  readonly historyStore?: SnapshotHistoryStore;
  /** Keeps snapshots across restarts (operation 2.5.3). Absent: a restart forgets them. */
  readonly snapshotFolder?: Pick<SnapshotFolder, 'forSource'> | undefined;
  /** Shares snapshots with other instances (operation 2.5.4). Absent: there are no other instances. */
  readonly sharedMemory?: Pick<SharedMemoryView, 'forSource' | 'agreement' | 'onAgreementChange'> | undefined;
  /** Version of this program, for the description of the interfaces. Absent: unknown. */
  readonly version?: string;
  /**
   * Returns scheme and authority at which this machine reaches the public port, for the commands on `/docs`. Absent: those of
   * `localhost` and the configured port.
   */
  readonly getLocalOrigin?: () => string | undefined;
  /** Returns a number from 0 up to, but not including, 1. Absent: Math.random. */
  readonly random?: () => number;
  /** Name of a gateway without `server.name` (operation 2.3.4). Absent: a random one. */
  readonly unnamedGateway?: string;
  /** Circuit breakers of an earlier configuration that remain in use, by the code of the source. Absent: none. */
  readonly continuedBreakers?: Readonly<Record<AccessLevel, ReadonlyMap<string, CircuitBreakers>>>;
  /** Admission control of an earlier configuration with the same settings. Absent: a new one is created. */
  readonly continuedAdmissionControl?: AdmissionControl | undefined;
  /**
   * Counts requests for the rate limits of all instances. An admission control that is continued goes on using its own.
   * Absent: this process counts by itself.
   */
  readonly rateLimitStore?: RateLimitStore | undefined;
  /** Script and style sheet of the pages. Absent: pages have none. */
  readonly explorerAssets?: ExplorerAssets | undefined;
  /** Creates the observer of the requests to the source of a code. Absent: requests are not observed. */
  readonly observeSource?: (source: string) => ClientObserver;
}
