import type { HeldStore } from '../hold/held.js';
import type { Pulse } from '../hold/pulse.js';
import type { Supports } from '../model/capabilities.js';
import type { Clock } from '../model/clock.js';
import type { Log } from '../model/log.js';
import type { Meter } from '../model/meter.js';
import type { Outcome } from '../model/outcome.js';
import type { Resource } from '../model/resource.js';
import type { RecordSet } from '../records/record-set.js';
import type { Front } from './front.js';
import type { KeyReader } from './key-reader.js';
import type { Limiter } from './limit.js';
import type { Memory } from './memory.js';
import type { Provenance } from './record-reader.js';
import type { Proof } from './testimony.js';

/** The instants of a held copy, in milliseconds since 1970: one object that moves on for as long as the copy is found to hold. */
export interface Lease {
  /** When the source was last asked whether the copy holds. */
  verifiedAt: number;
  /** End of its time to live. */
  staleAt: number;
  /** From here on who asks waits for what is newer. */
  waitAt: number;
  /** Whether something newer is being fetched. */
  refreshing: boolean;
}

/** The records of one source as held. */
export interface Copy {
  readonly set: RecordSet;
  /** When its drain began, in milliseconds since 1970, as all of these. */
  readonly fetchedAt: number;
  /** When the source was last asked whether it still holds, and it did; else as `fetchedAt`. */
  readonly verifiedAt: number;
  /** End of its time to live. */
  readonly staleAt: number;
  /** Newest Last-Modified that the source itself said, in milliseconds since 1970. */
  readonly lastModified?: number;
  /** When the records were first held as they are, in milliseconds since 1970. */
  readonly since: number;
  /** The newest date that earlier ones may have been shown with, in milliseconds since 1970; absent where there were none. */
  readonly floor?: number;
  /** Gateways that the source's answers went through. */
  readonly via: readonly string[];
  /** Of the held copies that it was made of: as they are at any later moment. */
  readonly leases: readonly Lease[];
}

/**
 * The instants of what is made of several copies: as old, and as soon stale, as the first of them, and changed with the last. No date
 * of the whole tells of a change of one: it may be another's, and have been shown before.
 */
export function instantsOf(
  copies: readonly Copy[],
): Pick<Copy, 'verifiedAt' | 'staleAt' | 'leases' | 'since' | 'floor'> {
  const changed = copies.some(({ floor }) => floor !== undefined);
  return {
    verifiedAt: Math.min(...copies.map(({ verifiedAt }) => verifiedAt)),
    staleAt: Math.min(...copies.map(({ staleAt }) => staleAt)),
    leases: copies.flatMap(({ leases }) => leases),
    since: Math.max(...copies.map(({ since }) => since)),
    ...(changed && { floor: Infinity }),
  };
}

/** What a source is registered with, as far as asking it goes. Times in milliseconds. */
export interface Registration {
  readonly code: string;
  readonly number: number;
  /** Base URLs of the interfaces that it speaks, without a slash at the end. At least one is there. */
  readonly bases: Readonly<Record<Resource['face'], string | undefined>>;
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
  readonly supports: Supports;
  readonly concurrency: number;
  readonly provenance: Provenance;
}

/** What is held for one question to a source. */
export interface Kept {
  readonly outcome: Outcome<Copy>;
  /** Of a copy, where its source gave what it can be verified by. */
  readonly proof?: Proof;
  /** Of a front: what it takes to reach further. */
  readonly front?: Front;
  /** Bytes that it takes, about. */
  readonly weight: number;
}

/** What the house hands to every source. */
export interface SourceHouse {
  /** Held copies of resources. */
  readonly store: HeldStore<Kept>;
  /** Single items, of which anybody can ask for any number: they give way to held copies. */
  readonly items: HeldStore<Kept>;
  /** Told when a resource of a source is no longer held as it was: what was made of that is not asked for again. */
  readonly changed: (sourceNumber: number, path: Resource['path']) => void;
  /** Of the held copies of resources. */
  readonly pulse: Pulse;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  /** This gateway's name in Via. */
  readonly name: string;
  /** Decoded bytes that one drain may fetch: what could not be held anyway need not be fetched. */
  readonly drainBytes: number;
  /** Bytes that one list of a source with more records than its drain-threshold may take in memory. */
  readonly mostOfOne: number;
  /** Bounds how many of such lists are drained at a time, for each takes as much memory before it is held; absent: any number. */
  readonly largeDrains?: Limiter;
  /** Reads PGP keys; absent: nothing is known of them but what their sources say. */
  readonly keys?: KeyReader | undefined;
  /** Chance, from 0 up to, not including, 1. */
  readonly random: () => number;
  /** What is known across restarts; absent: nothing is. */
  readonly memory?: Memory;
  /** Aborted when the process stops. */
  readonly stop: AbortSignal;
}
