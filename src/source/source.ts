import type { HeldStore } from '../hold/held.js';
import { Shared } from '../hold/shared.js';
import type { Clock } from '../model/clock.js';
import type { Log } from '../model/log.js';
import type { Doubt, Outcome } from '../model/outcome.js';
import type { Resource } from '../model/resource.js';
import { RecordSet } from '../records/record-set.js';
import { readStates } from '../wire/source-status.js';
import { readVia, writeVia } from '../wire/via.js';
import { pageUrl } from './dialect/directory.js';
import { drain } from './drain.js';
import type { Drained } from './drain.js';
import { asFailure } from './failure.js';
import type { Fetch, JsonReply } from './fetch.js';
import { identify } from './identity.js';
import type { Page } from './page.js';
import { readRecords, requireReadable } from './read-records.js';
import type { Draft, Provenance } from './record-reader.js';

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
  /** Base URL of its directory interface, without a slash at the end. */
  readonly directory: string;
  readonly ttl: number;
  readonly pageSize: number;
  readonly concurrency: number;
  readonly provenance: Provenance;
}

/** What the house hands to every source. */
export interface SourceHouse {
  readonly store: HeldStore<Outcome<Copy>>;
  readonly clock: Clock;
  readonly log: Log;
  /** This gateway's name in Via. */
  readonly name: string;
  /** Decoded bytes that one drain may fetch: what could not be held anyway need not be fetched. */
  readonly drainBytes: number;
  /** Aborted when the process stops. */
  readonly stop: AbortSignal;
}

/** Records in memory, folded text included, are at most this many times the bytes of their JSON (measured in bench/). */
const HELD_PER_BYTE = 3;

/** Longest drain, in milliseconds: what takes longer than this is never current. */
const DRAIN_TIME = 15 * 60_000;

/** How long an outcome in doubt is kept, in milliseconds: the next look may be better (decisions.md, section 6). */
const DOUBT_TTL = 5_000;

/** One registered source: its held copy, and the drain that fills it. */
export class Source {
  private readonly drains = new Shared<Outcome<Copy>>();

  constructor(
    readonly registration: Registration,
    private readonly fetch: Fetch<JsonReply>,
    private readonly house: SourceHouse,
  ) {}

  /**
   * The source's records of a resource: the held copy within its time to live, else a drain, which all who ask meanwhile share and
   * which goes on for the next when `signal` (the asker's deadline) ends the waiting. Never rejects.
   */
  async ask(resource: Resource, signal: AbortSignal): Promise<Outcome<Copy>> {
    const key = `${this.registration.code} ${resource.name}`;
    const held = this.house.store.fresh(key, this.house.clock.now());
    if (held !== undefined) return held.value;
    const drain = this.drains.run(key, () => this.refresh(key, resource));
    return Promise.race([drain, late(signal)]);
  }

  private async refresh(key: string, resource: Resource): Promise<Outcome<Copy>> {
    const { clock, log, store } = this.house;
    const { code, ttl } = this.registration;
    const started = clock.now();
    try {
      const { outcome, drained } = await this.drain(resource, started);
      const milliseconds = clock.now() - started;
      const findings = Object.fromEntries(drained.findings);
      log.info(
        { source: code, records: drained.received, bytes: drained.bytes, milliseconds, findings },
        'source drained',
      );
      const staleAt = clock.now() + (outcome.state === 'fresh' ? ttl : Math.min(ttl, DOUBT_TTL));
      const kept = store.put(key, { value: outcome, fetchedAt: started, staleAt }, drained.bytes * HELD_PER_BYTE);
      if (!kept)
        log.warn({ source: code, bytes: drained.bytes }, 'source does not fit into cache.memory and is not held');
      return outcome;
    } catch (error) {
      const { reason, message } = asFailure(error);
      log.warn({ source: code, reason, detail: message, milliseconds: clock.now() - started }, 'source failed');
      return { state: 'failed', reason };
    }
  }

  private async drain(
    resource: Resource,
    started: number,
  ): Promise<{ outcome: Outcome<Copy>; drained: Drained<Draft> }> {
    const { pageSize, concurrency, number, code, ttl } = this.registration;
    const heard: Heard = { via: new Set(), doubtful: false };
    const signal = AbortSignal.any([this.house.stop, AbortSignal.timeout(DRAIN_TIME)]);
    const drained = await drain((offset, limit) => this.page(resource, { offset, limit }, heard, signal), {
      pageSize,
      concurrency,
      bytes: this.house.drainBytes,
    });
    requireReadable(drained, resource.path);
    const { lastModified } = drained;
    const copy: Copy = {
      set: new RecordSet(resource, number, identify(resource, code, drained.records)),
      fetchedAt: started,
      staleAt: this.house.clock.now() + ttl,
      ...(lastModified !== undefined && { lastModified }),
      via: [...heard.via],
    };
    return { outcome: this.judge(copy, drained, heard), drained };
  }

  private async page(
    resource: Resource,
    page: { offset: number; limit: number },
    heard: Heard,
    signal: AbortSignal,
  ): Promise<Page<Draft>> {
    const { directory, provenance } = this.registration;
    const url = pageUrl(directory, resource.path, page);
    const reply = await this.fetch({ url, headers: { via: writeVia([this.house.name]) } }, signal);
    for (const name of readVia(reply.header('via'))) heard.via.add(name);
    heard.doubtful ||= readStates(reply.header('source-status') ?? '').some((state) => DOUBTFUL.has(state));
    return readRecords(reply, resource, provenance);
  }

  private judge(copy: Copy, { doubt, total }: Drained<Draft>, heard: Heard): Outcome<Copy> {
    if (heard.via.has(this.house.name)) return { state: 'excluded', reason: 'loop' };
    const counted = total === undefined ? {} : { total };
    const reason: Doubt | undefined = doubt ?? (heard.doubtful ? 'upstream' : undefined);
    if (reason === undefined) return { state: 'fresh', copy };
    if (reason === 'too-large') return { state: 'partial', reason, ...counted };
    return { state: INCONSISTENT.has(reason) ? 'inconsistent' : 'partial', reason, copy, ...counted };
  }
}

/** What the replies of one drain said beside their records. */
interface Heard {
  readonly via: Set<string>;
  /** Whether an aggregate told of a source of its own that did not give all. */
  doubtful: boolean;
}

/** States of an aggregate's own sources that make its answer less than all (decisions.md, section 5). */
const DOUBTFUL: ReadonlySet<string> = new Set(['stale', 'partial', 'failed', 'suspended', 'inconsistent']);

/** Doubts about a copy that was read to its end. */
const INCONSISTENT: ReadonlySet<Doubt> = new Set<Doubt>(['drift', 'total']);

/** Fails with `timeout` when the signal is aborted. */
function late(signal: AbortSignal): Promise<Outcome<Copy>> {
  return new Promise((resolve) => {
    const give = (): void => {
      resolve({ state: 'failed', reason: 'timeout' });
    };
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });
}
