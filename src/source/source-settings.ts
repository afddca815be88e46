import type { PublishOfSource } from '../events/event.js';
import type { AccessLevel } from '../model/access-level.js';
import type { ExpiringStore } from '../cache/expiring-store.js';
import type { ChangeCounter } from '../cache/change-counter.js';
import type { SourceCapabilities } from '../model/registration/capability.js';
import type { Clock } from '../model/clock.js';
import type { ReplacedRecords } from '../records/record-set.js';
import type { PartialReason } from '../model/reasons.js';
import type { Resource } from '../model/resource.js';
import type { Dialect } from './dialect/dialect.js';
import type { SnapshotSharing } from './snapshot-sharing.js';
import type { SnapshotPersistence } from './snapshot-persistence.js';
import type { KeyReader } from './keys/key-reader.js';
import type { Limiter } from './client/concurrency-limit.js';
import type { Provenance } from './record/record-reader.js';
import type { SnapshotHistoryStore } from './snapshot/history-store.js';
import type { StoredOutcome } from './snapshot/stored-outcome.js';
import type { SnapshotValidators } from './drain/page-validators.js';

/** As far as requests need it (operation 2.8). Times are in milliseconds. */
export interface SourceSettings {
  readonly code: string;
  readonly number: number;
  /** Of the queries that are answered (decisions 7.16). */
  readonly access: AccessLevel;
  /** Of requests to the source: `members` if it has members credentials (decisions 8.3). */
  readonly upstreamAccess: AccessLevel;
  /** Directory teams show the PGP keys of data teams at this access level (decisions 8.2). */
  readonly showsDerivedKeys: boolean;
  /** Undefined for an interface not served. A published document serves the one that it maps (operation 2.8.16). */
  readonly dialects: Readonly<Record<Resource['interfaceName'], Dialect | undefined>>;
  /** By paths. */
  readonly resources: readonly Resource['path'][];
  readonly ttl: number;
  readonly staleWhileRevalidate: number;
  readonly staleIfError: number;
  readonly confirmShrink: number;
  /** A response without this source is an error (decisions 6.5). */
  readonly required: boolean;
  /** Countries of the teams; empty or absent: no limit (decisions 5.2). */
  readonly coverage?: { readonly countries: readonly string[] };
  /** Leave the source `fresh`; the findings are counted all the same (decisions 6.10). */
  readonly tolerates: readonly PartialReason[];
  /** Public records carry all PGP keys, so `scope=pgp` is not drained (decisions 4.22). */
  readonly allKeysPublic?: boolean;
  readonly pageSize: number;
  /** Maximum records of one resource (decisions 5.3). */
  readonly drainThreshold: number;
  /** Filters, orders and totals that the source evaluates exactly as Rollcall would (decisions 5.11). */
  readonly supports: SourceCapabilities;
  readonly concurrency: number;
  readonly provenance: Provenance;
}

export interface RefreshBasis {
  /** For conditional requests (decisions 7.4). */
  readonly validators?: SnapshotValidators;
}

export type StoredSnapshot = StoredOutcome<RefreshBasis>;

export interface SourceServices {
  readonly store: ExpiringStore<StoredSnapshot>;
  /** For single items and pushed-down queries: any number can be requested, so they are evicted before lists. */
  readonly unboundedStore: ExpiringStore<StoredSnapshot>;
  /** Drops results built from old records. Without `replaced` the records are forgotten, never to be shown again. */
  readonly onChange: (sourceNumber: number, path: Resource['path'], replaced?: ReplacedRecords) => void;
  /** Of the snapshots of lists. */
  readonly changeCounter: ChangeCounter;
  readonly clock: Clock;
  readonly publish: PublishOfSource;
  /** `server.name`, in `Via` (decisions 5.22). */
  readonly gatewayName: string;
  /** Decoded bytes; more would not fit into the cache (decisions 5.8). */
  readonly maxDrainBytes: number;
  /** In memory, for one list of a source beyond its `drain-threshold` (decisions 5.10). */
  readonly maxLargeListBytes: number;
  /** For such lists: each takes its full memory before it is cached. Absent: no limit. */
  readonly largeDrainLimiter?: Limiter;
  /** Absent: nothing is derived from a key (decisions 4.24). */
  readonly keyReader?: KeyReader | undefined;
  /** At least 0 and below 1. */
  readonly random: () => number;
  /** Across restarts (decisions 7.9). Absent: a restart forgets the history. */
  readonly historyStore?: SnapshotHistoryStore;
  /** Absent: a restart forgets the snapshots. */
  readonly persistence?: SnapshotPersistence | undefined;
  /** With other instances. Absent: each has its own. */
  readonly sharing?: SnapshotSharing | undefined;
  /** When the process stops. */
  readonly stop: AbortSignal;
}
