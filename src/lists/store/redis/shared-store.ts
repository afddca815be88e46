import { setTimeout as sleep } from 'node:timers/promises';
import { SHARED_MEMORY_TIMEOUT_MS } from '../../../event-loop/deadline.js';
import type { Publish } from '../../../events/event.js';
import type { Clock } from '../../../model/clock.js';
import { createLimiter } from '../../../source/client/concurrency-limit.js';
import { getErrorMessage } from '../../../text/get-error-message.js';
import type { SharedLists } from '../../shared-lists.js';
import type { EntrySealer } from './entry-sealer.js';
import { ForgettableSource } from './forgettable-source.js';
import type { ClaimServices, SharedSource } from './list-claim.js';
import { parseRedisAddress } from './redis-address.js';
import { RedisConnection } from './redis-connection.js';
import { RedisLists } from './redis-lists.js';
import { SHARED_LISTS_SCRIPT } from './shared-lists-script.js';

const POLL_INTERVAL_MS = 1_000;

/** In milliseconds (operation 2.5.4). */
const CHUNK_TIMEOUT_MS = 250;

/** Chunks of all lists that are on their way: more of them would not arrive in time. */
const MAX_CHUNKS = 16;

/** Failures of single commands are not reported more often, in milliseconds. */
const REPORT_INTERVAL_MS = 60_000;

export type ScriptConnection = Pick<RedisConnection, 'execute' | 'close'>;

interface SharedStoreOptions {
  readonly url: string;
  /** Format version and name of the gateway, before all keys. */
  readonly namespace: string;
  readonly sealer: EntrySealer;
  readonly clock: Clock;
  readonly publish: Publish;
  /** Absent: to Redis. The reply timeout is in milliseconds. */
  readonly connect?: (replyTimeout: number, onReady: () => void) => ScriptConnection;
}

export interface SharedStoreStatus {
  readonly reachable: boolean;
  /** Why it is not, without the password. */
  readonly error?: string;
  /** Since when it is, or is not, in milliseconds since 1970. */
  readonly since: number;
}

/** Lists that the instances of one gateway read for one another, in Redis or Valkey (operation 2.5.4). */
export class SharedStore {
  private readonly commands: ScriptConnection;
  /** Claims must not wait for records. */
  private readonly bulk: ScriptConnection;
  private readonly services: ClaimServices;
  private readonly sources = new Map<string, ForgettableSource>();
  private readonly timer: NodeJS.Timeout;
  private polling: Promise<void> | undefined;
  private current: SharedStoreStatus;
  private reportedAt = -Infinity;
  private isOutageReported = false;
  private published: boolean | undefined;

  constructor(private readonly options: SharedStoreOptions) {
    const { sealer, clock, publish, connect = connectTo(options) } = options;
    this.current = { reachable: false, since: clock.now() };
    const limit = createLimiter(MAX_CHUNKS);
    this.commands = connect(SHARED_MEMORY_TIMEOUT_MS, () => void this.poll());
    this.bulk = connect(CHUNK_TIMEOUT_MS, () => undefined);
    this.timer = setInterval(() => void this.pollAndReport(), POLL_INTERVAL_MS).unref();
    this.services = {
      execute: (...args) => this.commands.execute(...args),
      transfer: (...args) => limit(() => this.bulk.execute(...args)),
      ...{ sealer, clock, publish },
      noteFailure: (error) => {
        this.reportOnce(error);
      },
    };
  }

  get status(): SharedStoreStatus {
    return this.current;
  }

  /** Members data is shared only where it is encrypted: undefined at members access without a key. */
  forSource(source: SharedSource): SharedLists | undefined {
    const { sealer } = this.options;
    if (source.access === 'members' && !sealer.isSealing) return undefined;
    const name = sealer.hashName(`source ${source.code}`);
    const forgettable =
      this.sources.get(name) ?? new ForgettableSource(name, (epoch) => this.commands.execute('forget', name, epoch));
    this.sources.set(name, forgettable);
    return new RedisLists(this.services, source, forgettable);
  }

  /** At most for these milliseconds. Never rejects. */
  async waitUntilReachable(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    await this.poll();
    while (!this.current.reachable && performance.now() < end) {
      await sleep(25);
      await this.poll();
    }
  }

  /** Never rejects. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    this.commands.close();
    this.bulk.close();
    await this.polling;
  }

  private async pollAndReport(): Promise<void> {
    const { reachable: wasReachable } = this.current;
    await this.poll();
    const { reachable, error = '' } = this.current;
    // One slow reply is no outage.
    if (wasReachable || reachable || this.isOutageReported) return;
    this.isOutageReported = true;
    this.options.publish({ type: 'shared memory failed', error });
  }

  /** Never rejects. */
  private poll(): Promise<void> {
    this.polling ??= this.pollOnce().finally(() => {
      this.polling = undefined;
    });
    return this.polling;
  }

  private async pollOnce(): Promise<void> {
    const sources = [...this.sources.values()];
    try {
      const reply = await this.commands.execute('poll', ...sources.map(({ name }) => name));
      for (const source of sources) source.noteEpoch(reply.text());
      this.setStatus(true);
      if (this.isOutageReported) this.options.publish({ type: 'shared memory answers again' });
      this.isOutageReported = false;
    } catch (error) {
      this.setStatus(false, getErrorMessage(error));
    }
  }

  private setStatus(reachable: boolean, error?: string): void {
    const { reachable: wasReachable, since: previous } = this.current;
    const since = reachable === wasReachable ? previous : this.options.clock.now();
    this.current = { reachable, since, ...(error !== undefined && { error }) };
    if (reachable !== this.published) this.options.publish({ type: 'shared memory checked', isReachable: reachable });
    this.published = reachable;
  }

  /** An outage is reported by the polls. */
  private reportOnce(error: unknown): void {
    const now = this.options.clock.now();
    if (!this.current.reachable || now - this.reportedAt < REPORT_INTERVAL_MS) return;
    this.reportedAt = now;
    this.options.publish({ type: 'shared memory failed', error: getErrorMessage(error) });
  }
}

function connectTo({ url, namespace }: SharedStoreOptions): NonNullable<SharedStoreOptions['connect']> {
  const address = parseRedisAddress(url);
  // Braces: in a cluster, all keys are stored together.
  const common = { address, script: SHARED_LISTS_SCRIPT, prefix: `{${namespace}}:`, onError: () => undefined };
  return (replyTimeout, onReady) => new RedisConnection({ ...common, replyTimeout, onReady });
}
