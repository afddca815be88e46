import type { ExpiringStore } from '../cache/expiring-store.js';
import type { ChangeCounter } from '../cache/change-counter.js';
import type { SourceCapabilities } from '../model/capability.js';
import type { Clock } from '../model/clock.js';
import type { Log } from '../model/log.js';
import type { Meter } from '../model/meter.js';
import type { Resource } from '../model/resource.js';
import type { TopRecords } from './top-n/fetch-top-records.js';
import type { KeyReader } from './keys/key-reader.js';
import type { Limiter } from './client/concurrency-limit.js';
import type { Provenance } from './record/record-reader.js';
import type { SnapshotHistoryStore } from './snapshot/history-store.js';
import type { StoredOutcome } from './snapshot/snapshot-store.js';
import type { SnapshotValidators } from './drain/page-validators.js';

/** What a source is registered with, as far as asking it goes. Times in milliseconds. */
export interface Registration {
  readonly code: string;
  readonly number: number;
  /** Base URLs of the interfaces that it speaks, without a slash at the end. At least one is there. */
  readonly baseUrls: Readonly<Record<Resource['interfaceName'], string | undefined>>;
  /** What it has, by the paths of the resources. */
  readonly resources: readonly Resource['path'][];
  readonly ttl: number;
  readonly staleWhileRevalidate: number;
  readonly staleIfError: number;
  readonly confirmShrink: number;
  readonly maxUnverified: number;
  /** Whether no answer is given without it. */
  readonly required: boolean;
  /** What else it cannot hold: teams of other countries than these; none or absent: it may hold any. */
  readonly coverage?: { readonly countries: readonly string[] };
  /** Doubts that leave an answer of this source fresh, with its findings (decisions.md, section 6, `tolerates`). */
  readonly tolerates: readonly ('total' | 'drift')[];
  /** Whether its public records carry all PGP keys: then `scope=pgp` is not drained; absent: no. */
  readonly allKeysPublic?: boolean;
  readonly pageSize: number;
  /** Records of one resource up to which it is drained (decisions.md, section 5). */
  readonly drainThreshold: number;
  /** What it is declared to do exactly as this house would. */
  readonly supports: SourceCapabilities;
  readonly concurrency: number;
  readonly provenance: Provenance;
}

/** What the refresh of a snapshot can start from. */
export interface RefreshBasis {
  /** What the source can be asked to confirm the snapshot by. */
  readonly validators?: SnapshotValidators;
  /** Of a front: what it takes to reach further. */
  readonly topRecords?: TopRecords;
}

/** What is stored of one snapshot. */
export type StoredSnapshot = StoredOutcome<RefreshBasis>;

/** What the house hands to every source. */
export interface SourceServices {
  /** Held copies of resources. */
  readonly store: ExpiringStore<StoredSnapshot>;
  /** Single items, of which anybody can ask for any number: they give way to held copies. */
  readonly items: ExpiringStore<StoredSnapshot>;
  /** Told when a resource of a source is no longer held as it was: what was made of that is not asked for again. */
  readonly onChange: (sourceNumber: number, path: Resource['path']) => void;
  /** Of the held copies of resources. */
  readonly changeCounter: ChangeCounter;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  /** This gateway's name in Via. */
  readonly gatewayName: string;
  /** Decoded bytes that one drain may fetch: what could not be held anyway need not be fetched. */
  readonly maxDrainBytes: number;
  /** Bytes that one list of a source with more records than its drain-threshold may take in memory. */
  readonly maxLargeListBytes: number;
  /** Bounds how many of such lists are drained at a time, for each takes as much memory before it is held; absent: any number. */
  readonly largeDrainLimiter?: Limiter;
  /** Reads PGP keys; absent: nothing is known of them but what their sources say. */
  readonly keyReader?: KeyReader | undefined;
  /** Chance, from 0 up to, not including, 1. */
  readonly random: () => number;
  /** What is known across restarts; absent: nothing is. */
  readonly historyStore?: SnapshotHistoryStore;
  /** Aborted when the process stops. */
  readonly stop: AbortSignal;
}
