import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SourceFingerprints } from '../../../config/config-fingerprint.js';
import type { Publish } from '../../../events/event.js';
import type { AccessLevel } from '../../../model/access-level.js';
import type { Clock } from '../../../model/clock.js';
import type { RecordSet } from '../../../records/record-set.js';
import type { SourceQuery } from '../../../source/request/source-query.js';
import { getErrorMessage } from '../../../text/get-error-message.js';
import type { ClaimOptions, SharedClaim, SharedLease, SharedRejection } from '../../shared-lists.js';
import type { StoredList } from '../../stored-list.js';
import type { EntrySealer } from './entry-sealer.js';
import type { ForgettableSource } from './forgettable-source.js';
import type { KnownRecords } from './known-records.js';
import type { RedisArgument } from './redis-client.js';
import { RedisError } from './redis-connection.js';
import type { Execute } from './redis-connection.js';
import type { ReplyReader } from './reply-reader.js';
import { SealedList } from './sealed-list.js';
import type { ChunkedRecords } from './sealed-list.js';
import { LEASE_MS, MAX_VALUE_BYTES } from './shared-lists-script.js';

/** In milliseconds, between two instances: a copy that was verified later is refused. */
const MAX_CLOCK_DIFFERENCE_MS = 500;

const WAIT_INTERVAL_MS = 200;
const MAX_WAITS = 5;

/** Others may still be reading, in milliseconds. */
const MIN_RECORDS_MS = 60_000;

/** Longer durations, such as Infinity, are stored as this one, in milliseconds. */
const MAX_DURATION_MS = 2 ** 40;

/** As a time: no copy is newer. */
const NEVER = Number.MAX_SAFE_INTEGER;

export interface ClaimServices {
  readonly execute: Execute;
  /** For chunks of records, which take longer. */
  readonly transfer: Execute;
  readonly sealer: EntrySealer;
  readonly clock: Clock;
  readonly publish: Publish;
  readonly noteFailure: (error: unknown) => void;
}

export interface SharedSource {
  readonly code: string;
  readonly number: number;
  readonly access: AccessLevel;
  readonly fingerprints: SourceFingerprints;
  /** Differs between credentials with which the source may give other records. */
  readonly credentials: string;
  /** Hash of everything that shapes responses: only instances with the same one share lists. */
  readonly configuration: string;
}

interface ClaimedList {
  readonly services: ClaimServices;
  readonly source: SharedSource;
  readonly forgettable: ForgettableSource;
  readonly known: KnownRecords;
  readonly query: SourceQuery;
  readonly name: string;
}

/** One claim of a list, and the lease if that is granted. */
export class ListClaim implements SharedLease {
  private readonly token = randomUUID();
  private readonly sealed: SealedList;
  private renewal: NodeJS.Timeout | undefined;

  constructor(private readonly list: ClaimedList) {
    this.sealed = new SealedList(list.services.sealer, list.name);
  }

  /** Never rejects. */
  async settle(options: ClaimOptions): Promise<SharedClaim> {
    try {
      return await this.claim(options);
    } catch (error) {
      this.list.services.noteFailure(error);
      // The reply may be lost, and the lease granted.
      this.release();
      return { state: 'unreachable' };
    }
  }

  async publish(list: StoredList, expiresAt: number): Promise<void> {
    try {
      const known = this.list.known.findChunks(this.list.name, list.set);
      if (known !== undefined && (await this.store(list, known, expiresAt)) !== 'incomplete') return;
      const chunks = await this.writeRecords(list.set);
      if ((await this.store(list, chunks, expiresAt)) === 'incomplete') throw new Error('Redis lost records');
    } catch (error) {
      this.list.services.noteFailure(error);
      this.release();
    } finally {
      clearInterval(this.renewal);
    }
  }

  reject(rejection: SharedRejection): void {
    clearInterval(this.renewal);
    const duration = this.millisecondsUntil(rejection.retryAt);
    if (duration > 0) this.attempt('reject', duration, this.sealed.sealRejection(rejection));
    else this.release();
  }

  release(): void {
    clearInterval(this.renewal);
    this.attempt('release');
  }

  /** Again without what was refused. */
  private async claim({ after, isRequested }: ClaimOptions): Promise<SharedClaim> {
    let [known, ignoresRejection] = [Math.max(-1, after), isRequested];
    for (let attempts = 0; attempts < 3; attempts += 1) {
      const now = this.list.services.clock.now();
      const reply = await this.execute('claim', known, now, ignoresRejection ? 1 : 0);
      this.list.forgettable.noteEpoch(reply.text());
      const state = reply.text();
      if (state === 'granted') return { state, lease: this.holdLease() };
      if (state === 'busy') return { state, change: this.waitForChange() };
      if (state === 'found') {
        const list = await this.readCopy(reply, after);
        if (list !== undefined) return { state, list };
        known = NEVER;
      } else {
        const rejection = await this.orRefuse(() => this.sealed.openRejection(reply.bytes()));
        if (rejection !== undefined && rejection.retryAt > now) return { state: 'rejected', rejection };
        ignoresRejection = true;
      }
    }
    throw new Error('Redis sent an unexpected reply');
  }

  private holdLease(): SharedLease {
    // A lost lease shows when the result is published.
    this.renewal = setInterval(() => this.attempt('renew'), LEASE_MS / 3).unref();
    return this;
  }

  /** Never rejects. */
  private async waitForChange(): Promise<void> {
    let isHeld = true;
    for (let waits = 0; isHeld && waits < MAX_WAITS; waits += 1) {
      await sleep(WAIT_INTERVAL_MS, undefined, { ref: false });
      isHeld = await this.execute('isHeld').then(
        (reply) => reply.text() === 'held',
        () => false,
      );
    }
  }

  /** Undefined where it cannot be used. */
  private async readCopy(reply: ReplyReader, after: number): Promise<StoredList | undefined> {
    const { forgettable, known, name, query, services, source } = this.list;
    const { forgetCount } = forgettable;
    const list = await this.orRefuse(async () => {
      const head = this.sealed.openHead(reply.bytes(), query.resource);
      const { verifiedAt } = head.list;
      if (verifiedAt <= after) throw new Error('the entry is older than it says');
      if (verifiedAt > services.clock.now() + MAX_CLOCK_DIFFERENCE_MS)
        throw new Error('the entry has a time in the future');
      const origin = { resource: query.resource, sourceNumber: source.number };
      const set = known.findSet(head.chunks) ?? (await this.sealed.openRecords(head, origin, this.readChunk));
      if (set === undefined) return undefined;
      known.add(name, set, head.chunks);
      return { ...head.list, query, set };
    });
    // Race: the source was forgotten while its records were read.
    if (list === undefined || forgettable.forgetCount !== forgetCount) return undefined;
    services.publish({ type: 'snapshot adopted', source: source.code });
    return list;
  }

  private readonly readChunk = async (id: string, position: number): Promise<Buffer | undefined> => {
    const reply = await this.list.services.transfer('readChunk', id, position);
    return reply.isEmpty ? undefined : reply.bytes();
  };

  /** Undefined, and an event, for what no instance of this gateway wrote there. */
  private async orRefuse<T>(read: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof RedisError) throw error;
      const { services, source } = this.list;
      const { code } = source;
      services.publish({ type: 'entry of the shared memory refused', source: code, error: getErrorMessage(error) });
      return undefined;
    }
  }

  private async writeRecords(set: RecordSet): Promise<ChunkedRecords> {
    const { known, name, services } = this.list;
    const id = randomUUID();
    let count = 0;
    for await (const chunk of this.sealed.sealRecords(id, set)) {
      if (chunk.length > MAX_VALUE_BYTES) throw new Error('a record is too large to be shared');
      await services.transfer('writeChunk', id, count, chunk);
      count += 1;
    }
    known.add(name, set, { id, count });
    return { id, count };
  }

  private async store(list: StoredList, chunks: ChunkedRecords, expiresAt: number): Promise<string> {
    const head = this.sealed.sealHead(list, chunks);
    if (head.length > MAX_VALUE_BYTES) throw new Error('a list is too large to be shared');
    const duration = Math.max(1, this.millisecondsUntil(expiresAt));
    const times = [list.verifiedAt, Math.min(list.staleAt, NEVER)];
    const durations = [duration, Math.max(duration, MIN_RECORDS_MS)];
    return (await this.execute('publish', ...times, chunks.id, ...durations, head)).text();
  }

  private execute(command: string, ...args: readonly RedisArgument[]): Promise<ReplyReader> {
    const { forgettable, name, services } = this.list;
    return services.execute(command, forgettable.name, name, this.token, ...args);
  }

  private attempt(command: string, ...args: readonly RedisArgument[]): void {
    this.execute(command, ...args).catch(this.list.services.noteFailure);
  }

  private millisecondsUntil(time: number): number {
    return Math.min(Math.ceil(time - this.list.services.clock.now()), MAX_DURATION_MS);
  }
}
