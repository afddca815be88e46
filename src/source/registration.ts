import type { HeldStore } from '../hold/held.js';
import type { Clock } from '../model/clock.js';
import type { Log } from '../model/log.js';
import type { Meter } from '../model/meter.js';
import type { Outcome } from '../model/outcome.js';
import type { Resource } from '../model/resource.js';
import type { RecordSet } from '../records/record-set.js';
import type { Provenance } from './record-reader.js';

/** The records of one source as held. */
export interface Copy {
  readonly set: RecordSet;
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
  readonly staleAt: number;
  /** Newest Last-Modified that the source itself said, in milliseconds since 1970. */
  readonly lastModified?: number;
  /** Gateways that the source's answers went through. */
  readonly via: readonly string[];
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
  readonly staleIfError: number;
  readonly confirmShrink: number;
  /** Whether no answer is given without it. */
  readonly required: boolean;
  readonly pageSize: number;
  readonly concurrency: number;
  readonly provenance: Provenance;
}

/** What the house hands to every source. */
export interface SourceHouse {
  readonly store: HeldStore<Outcome<Copy>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  /** This gateway's name in Via. */
  readonly name: string;
  /** Decoded bytes that one drain may fetch: what could not be held anyway need not be fetched. */
  readonly drainBytes: number;
  /** Aborted when the process stops. */
  readonly stop: AbortSignal;
}
