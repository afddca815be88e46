import type { AccessLevel } from '../model/access-level.js';
import type { ExpiringStore } from '../cache/expiring-store.js';
import type { ChangeCounter } from '../cache/change-counter.js';
import type { SourceCapabilities } from '../model/registration/capability.js';
import type { Clock } from '../model/clock.js';
import type { Log } from '../model/log.js';
import type { SourceMeter } from '../model/meter.js';
import type { ReplacedRecords } from '../records/record-set.js';
import type { Resource } from '../model/resource.js';
import type { Dialect } from './dialect/dialect.js';
import type { SnapshotSharing } from './snapshot-sharing.js';
import type { SnapshotPersistence } from './snapshot-persistence.js';
import type { TopRecords } from './top-n/top-records.js';
import type { KeyReader } from './keys/key-reader.js';
import type { Limiter } from './client/concurrency-limit.js';
import type { Provenance } from './record/record-reader.js';
import type { SnapshotHistoryStore } from './snapshot/history-store.js';
import type { StoredOutcome } from './snapshot/stored-outcome.js';
import type { SnapshotValidators } from './drain/page-validators.js';

/** Registration of a source, as far as requests need it (operation 2.8). Times are in milliseconds. */
export interface SourceSettings {
  readonly code: string;
  readonly number: number;
  /** Access level of the queries that are answered (decisions 7.16). */
  readonly access: AccessLevel;
  /** Access level of the requests to the source: `members` if it has members credentials (decisions 8.3). */
  readonly upstreamAccess: AccessLevel;
  /** Whether directory teams show the PGP keys of data teams at this access level (decisions 8.2). */
  readonly showsDerivedKeys: boolean;
  /**
   * How each interface of the source is requested; undefined for one that it does not serve. A published document serves
   * the interface whose properties it maps (operation 2.8.16).
   */
  readonly dialects: Readonly<Record<Resource['interfaceName'], Dialect | undefined>>;
  /** The resources that the source serves, by their paths. */
  readonly resources: readonly Resource['path'][];
  readonly ttl: number;
  readonly staleWhileRevalidate: number;
  readonly staleIfError: number;
  readonly confirmShrink: number;
  /** Whether a response without this source is an error (decisions 6.5). */
  readonly required: boolean;
  /** Countries to which the teams of the source are limited; empty or absent: no limit (decisions 5.2). */
  readonly coverage?: { readonly countries: readonly string[] };
  /** Partial reasons that leave the source `fresh`; the findings are counted all the same (decisions 6.10). */
  readonly tolerates: readonly ('total' | 'drift' | 'paging')[];
  /** Whether the public records carry all PGP keys, so that `scope=pgp` is not drained (decisions 4.22). Absent: no. */
  readonly allKeysPublic?: boolean;
  readonly pageSize: number;
  /** Maximum number of records of one resource up to which it is drained (decisions 5.3). */
  readonly drainThreshold: number;
  /**
   * Declared capabilities: filters, orders and totals that the source evaluates exactly as Rollcall would (decisions
   * 5.11).
   */
  readonly supports: SourceCapabilities;
  readonly concurrency: number;
  readonly provenance: Provenance;
}

/** What the next refresh of a snapshot can start from. */
export interface RefreshBasis {
  /** Validators for conditional requests (decisions 7.4). */
  readonly validators?: SnapshotValidators;
  /** State from which the top records can be extended. */
  readonly topRecords?: TopRecords;
}

/** One entry of the snapshot store: an outcome and the basis of its next refresh. */
export type StoredSnapshot = StoredOutcome<RefreshBasis>;

/** Services and limits that all sources share. */
export interface SourceServices {
  readonly store: ExpiringStore<StoredSnapshot>;
  /**
   * Snapshots of single items and of pushed-down queries. Clients can request any number of them, so they are evicted
   * before the snapshots of lists.
   */
  readonly unboundedStore: ExpiringStore<StoredSnapshot>;
  /**
   * Called when the records of a resource of a source have changed, so that results built from the old ones can be
   * dropped. Without `replaced` they have been forgotten, and must not be shown again.
   */
  readonly onChange: (sourceNumber: number, path: Resource['path'], replaced?: ReplacedRecords) => void;
  /** Counts the changes of the snapshots of lists. */
  readonly changeCounter: ChangeCounter;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: SourceMeter;
  /** `server.name`, the name of this gateway in `Via` (decisions 5.22). */
  readonly gatewayName: string;
  /** Maximum number of decoded bytes of one drain; more would not fit into the cache (decisions 5.8). */
  readonly maxDrainBytes: number;
  /**
   * Maximum number of bytes that one list of a source with more records than its `drain-threshold` may take in memory
   * (decisions 5.10).
   */
  readonly maxLargeListBytes: number;
  /**
   * Limits how many such lists are drained at a time, because each takes its full memory before it is cached. Absent:
   * no limit.
   */
  readonly largeDrainLimiter?: Limiter;
  /** Reads PGP keys. Absent: nothing is derived from a key (decisions 4.24). */
  readonly keyReader?: KeyReader | undefined;
  /** Random number of at least 0 and below 1. */
  readonly random: () => number;
  /** Stores the history of snapshots across restarts (decisions 7.9). Absent: a restart forgets it. */
  readonly historyStore?: SnapshotHistoryStore;
  /** Keeps the snapshots of the source across restarts. Absent: a restart forgets them. */
  readonly persistence?: SnapshotPersistence | undefined;
  /** Shares the snapshots of the source with other instances. Absent: each instance has its own. */
  readonly sharing?: SnapshotSharing | undefined;
  /** Aborted when the process stops. */
  readonly stop: AbortSignal;
}
