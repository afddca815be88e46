import { createHash } from 'node:crypto';
import type { RateLimitStore } from '../../access/request-counters.js';
import { fingerprintServing } from '../../config/config-fingerprint.js';
import type { Config } from '../../config/config.js';
import { systemClock } from '../../model/clock.js';
import type { Log } from '../../model/log.js';
import { describeRedisError, parseRedisAddress } from '../../state/redis/redis-address.js';
import { connectRedis } from '../../state/redis/redis-client.js';
import { RedisStore } from '../../state/redis/redis-store.js';
import { EntrySealer, MISSING_KEY_WARNING } from '../../state/sharing/entries/entry-sealer.js';
import type { DisagreementReason } from '../../state/sharing/instance-agreement.js';
import { SharedMemory } from '../../state/sharing/shared-memory.js';

/** Instances with another version of what they exchange do not see each other's entries. */
const FORMAT_VERSION = 1;

/** Without a reply for this long, the connection for counts is replaced, in milliseconds. */
const COUNTING_SILENCE_MS = 1_000;

const MAX_START_WAIT_MS = 1_000;

export interface SharedMemoryMeter {
  /** Undefined: this instance serves what the others serve (operation 3.4). */
  recordAgreement(reason: DisagreementReason | undefined): void;
  countSharedSnapshot(event: 'adopted' | 'refused'): void;
}

/** (operation 2.5.4) */
export interface OpenSharedMemory {
  readonly memory: SharedMemory;
  /** Counts for the rate limits of all instances. */
  readonly rateLimitStore: RateLimitStore;
  /** Of everything that decides which responses an instance gives, and when. */
  fingerprintOf(config: Config): string;
  readonly settings: string;
  /** Never rejects. */
  close(): Promise<void>;
}

/**
 * Keeps the memory in use if its settings are the same. Undefined without `cache.redis`. Waits up to a second for the
 * server; without it the instance starts alone. Never rejects.
 */
export async function openSharedMemory(
  config: Config,
  context: { readonly log: Log; readonly meter: SharedMemoryMeter; readonly build: string },
  current?: OpenSharedMemory,
): Promise<OpenSharedMemory | undefined> {
  const { redis: url, redisKey } = config.cache;
  if (url === undefined) return undefined;
  const settings = JSON.stringify([url, redisKey, config.server.name]);
  if (current?.settings === settings) return current;
  if (redisKey === undefined) context.log.warn({}, MISSING_KEY_WARNING);
  const { build } = context;
  const fingerprintOf = (one: Config): string =>
    createHash('sha256')
      .update(JSON.stringify([build, fingerprintServing(one)]))
      .digest('base64url');
  const address: MemoryAddress = {
    url,
    namespace: `rollcall:${FORMAT_VERSION}:${config.server.name ?? ''}`,
    sealer: new EntrySealer(redisKey),
  };
  const memory = createMemory(address, fingerprintOf(config), context);
  const counting = connectRateLimits(address, context.log);
  void memory.run();
  await memory.waitUntilReachable(MAX_START_WAIT_MS);
  return {
    memory,
    rateLimitStore: counting.store,
    fingerprintOf,
    settings,
    close: async () => {
      counting.close();
      await memory.close();
    },
  };
}

/** Where the memory is, and how its content is protected. */
interface MemoryAddress {
  readonly url: string;
  /** Before all keys: instances with the same one share their content. */
  readonly namespace: string;
  readonly sealer: EntrySealer;
}

function createMemory(
  { url, namespace, sealer }: MemoryAddress,
  configuration: string,
  { log, meter }: { readonly log: Log; readonly meter: SharedMemoryMeter },
): SharedMemory {
  return new SharedMemory({
    store: new RedisStore({
      url,
      namespace,
      onError: (error) => {
        log.warn({ error }, 'shared memory failed');
      },
    }),
    sealer,
    clock: systemClock,
    log,
    configuration,
    onAgreement: (reason) => {
      meter.recordAgreement(reason);
      if (reason === undefined) log.info({}, 'in agreement with the other instances');
      else log.warn({ reason }, 'not in agreement with the other instances: responses have no Last-Modified');
    },
    onAdopted: () => {
      meter.countSharedSnapshot('adopted');
    },
    onRefused: () => {
      meter.countSharedSnapshot('refused');
    },
  });
}

/** A connection of its own: no other command may delay the counts. */
function connectRateLimits(
  { url, namespace, sealer }: MemoryAddress,
  log: Log,
): { readonly store: RateLimitStore; close(): void } {
  const address = parseRedisAddress(url);
  // Errors of the connection are those of the shared memory, which reports them.
  const client = connectRedis(address, { silenceLimit: COUNTING_SILENCE_MS, onError: () => undefined });
  return {
    store: {
      client,
      keyPrefix: `{${namespace}}:rate`,
      hashName: (name) => sealer.hashName(name),
      onFailure: (error) => {
        log.warn({ error: describeRedisError(error, address) }, 'this instance counts requests by itself');
      },
      onRecovery: () => {
        log.info({}, 'requests are counted for all instances');
      },
    },
    close: () => {
      client.disconnect();
    },
  };
}
