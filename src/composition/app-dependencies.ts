import type { RateLimitStore } from '../access/request-counters.js';
import type { AccessLevel } from '../model/access-level.js';
import type { ExplorerAssets } from '../explorer/assets/explorer-assets.js';
import type { AdmissionControl } from '../http/admission-control.js';
import type { Publish } from '../events/event.js';
import type { Clock } from '../model/clock.js';
import type { Tracer } from '../model/tracer.js';
import type { BodyParser } from '../source/body/body-parser.js';
import type { ServerCertificate } from '../source/client/transport/certificate-observer.js';
import type { HttpResponse, Layer, Transport } from '../source/client/http-client-types.js';
import type { CircuitBreakers } from '../source/client/circuit-breaker.js';
import type { KeyReader } from '../source/keys/key-reader.js';
import type { SearchThreads } from '../search/search-threads.js';
import type { ListFolder } from '../lists/store/disk/list-folder.js';
import type { SharedStore } from '../lists/store/redis/shared-store.js';

export interface LevelWorkers {
  /** For large bodies. Absent: they block the main thread. */
  readonly bodyParser?: BodyParser;
  /** Absent: fingerprints are neither derived from keys nor compared with them. */
  readonly keyReader?: KeyReader;
  /** Absent: indexes are built and searched in the main thread. */
  readonly searchThreads?: SearchThreads;
}

export interface AppDependencies {
  readonly transport: Transport;
  /** The server of an origin answered with it last. Absent: none is known. */
  readonly findCertificate?: (origin: string) => ServerCertificate | undefined;
  /** By access level: the work of one level must not delay the other. Absent: none. */
  readonly workers?: Readonly<Record<AccessLevel, LevelWorkers>>;
  readonly clock: Clock;
  /** Absent: nothing is reported. */
  readonly publish?: Publish;
  /** Absent: nothing is traced. */
  readonly tracer?: Tracer | undefined;
  /** Across restarts (operation 2.5.3). Absent: a restart forgets the lists. */
  readonly listFolder?: Pick<ListFolder, 'forSource' | 'hasLostLists'> | undefined;
  /** Hash of everything that shapes responses (`Stores.configurationOf`). Absent: nothing is stored. */
  readonly configuration?: string;
  /** With other instances (operation 2.5.4). Absent: there are none. */
  readonly sharedStore?: Pick<SharedStore, 'forSource'> | undefined;
  /** For the description of the interfaces. Absent: unknown. */
  readonly version?: string;
  /**
   * Where this machine reaches the public port, for the commands on `/docs`. Absent: `localhost` and the configured
   * port.
   */
  readonly getLocalOrigin?: () => string | undefined;
  /** From 0 up to, but not including, 1. Absent: Math.random. */
  readonly random?: () => number;
  /** Without `server.name` (operation 2.3.4). Absent: a random name. */
  readonly unnamedGateway?: string;
  /** Of an earlier configuration, by the code of the source. Absent: none. */
  readonly continuedBreakers?: Readonly<Record<AccessLevel, ReadonlyMap<string, CircuitBreakers>>>;
  /** Of an earlier configuration with the same settings. Absent: a new one is created. */
  readonly continuedAdmissionControl?: AdmissionControl | undefined;
  /**
   * Counts for the rate limits of all instances; a continued admission control goes on using its own. Absent: this
   * process counts by itself.
   */
  readonly rateLimitStore?: RateLimitStore | undefined;
  /** Absent: pages have none. */
  readonly explorerAssets?: ExplorerAssets | undefined;
  /** Sees every request to a source, including retries and redirects. Absent: none are observed. */
  readonly observeSource?: (source: string) => Layer<HttpResponse>;
}
