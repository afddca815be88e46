import { createHash } from 'node:crypto';
import type { RateLimitStore } from '../../access/request-counters.js';
import { fingerprintServing } from '../../config/config-fingerprint.js';
import type { Config } from '../../config/config.js';
import type { Publish } from '../../events/event.js';
import { systemClock } from '../../model/clock.js';
import { describeRedisError, parseRedisAddress } from '../../lists/store/redis/redis-address.js';
import { connectRedis } from '../../lists/store/redis/redis-client.js';
import { RedisStore } from '../../state/redis/redis-store.js';
import { EntrySealer, MISSING_KEY_WARNING } from '../../lists/store/redis/entry-sealer.js';
import { SharedMemory } from '../../state/sharing/shared-memory.js';

/** Instances with another version of what they exchange do not see each other's entries. */
const FORMAT_VERSION = 1;

/** Without a reply for this long, the connection for counts is replaced, in milliseconds. */
const COUNTING_SILENCE_MS = 1_000;

const MAX_START_WAIT_MS = 1_000;

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
  { publish, build }: { readonly publish: Publish; readonly build: string },
  current?: OpenSharedMemory,
): Promise<OpenSharedMemory | undefined> {
  const { redis: url, redisKey } = config.cache;
  if (url === undefined) return undefined;
  const settings = JSON.stringify([url, redisKey, config.server.name]);
  if (current?.settings === settings) return current;
  if (redisKey === undefined) publish({ type: 'redis-key is missing', warning: MISSING_KEY_WARNING });
  const fingerprintOf = (one: Config): string =>
    createHash('sha256')
      .update(JSON.stringify([build, fingerprintServing(one)]))
      .digest('base64url');
  const address: MemoryAddress = {
    url,
    namespace: `rollcall:${FORMAT_VERSION}:${config.server.name ?? ''}`,
    sealer: new EntrySealer(redisKey),
  };
  const memory = createMemory(address, fingerprintOf(config), publish);
  const counting = connectRateLimits(address, publish);
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
  publish: Publish,
): SharedMemory {
  return new SharedMemory({
    store: new RedisStore({
      url,
      namespace,
      onError: (error) => {
        publish({ type: 'shared memory failed', error });
      },
    }),
    sealer,
    clock: systemClock,
    publish,
    configuration,
  });
}

/** A connection of its own: no other command may delay the counts. */
function connectRateLimits(
  { url, namespace, sealer }: MemoryAddress,
  publish: Publish,
): { readonly store: RateLimitStore; close(): void } {
  const address = parseRedisAddress(url);
  // Errors of the connection are those of the shared memory, which reports them.
  const client = connectRedis(address, { silenceLimit: COUNTING_SILENCE_MS, onError: () => undefined });
  return {
    store: {
      client,
      keyPrefix: `{${namespace}}:rate`,
      hashName: (name) => sealer.hashName(name),
      describeError: (error) => describeRedisError(error, address),
      publish,
    },
    close: () => {
      client.disconnect();
    },
  };
}
