import type { RateLimitStore } from '../../access/request-counters.js';
import type { Config } from '../../config/config.js';
import type { Publish } from '../../events/event.js';
import { EntrySealer, MISSING_KEY_WARNING } from '../../lists/store/redis/entry-sealer.js';
import { describeRedisError, parseRedisAddress } from '../../lists/store/redis/redis-address.js';
import { connectRedis } from '../../lists/store/redis/redis-client.js';
import { SharedStore } from '../../lists/store/redis/shared-store.js';
import { systemClock } from '../../model/clock.js';

/** Instances with another version of what they exchange do not see each other's entries. */
const FORMAT_VERSION = 2;

/** Without a reply for this long, the connection for counts is replaced, in milliseconds. */
const COUNTING_SILENCE_MS = 1_000;

const MAX_START_WAIT_MS = 1_000;

export interface OpenSharedStore {
  readonly store: SharedStore;
  /** Counts for the rate limits of all instances. */
  readonly rateLimitStore: RateLimitStore;
  /** Never rejects. */
  close(): Promise<void>;
}

/** Waits up to a second for the server; without it the instance starts alone. Never rejects. */
export async function openSharedStore(
  { redis: url = '', redisKey }: Config['cache'],
  { name, publish }: { readonly name: string; readonly publish: Publish },
): Promise<OpenSharedStore> {
  if (redisKey === undefined) publish({ type: 'redis-key is missing', warning: MISSING_KEY_WARNING });
  const namespace = `rollcall:${FORMAT_VERSION}:${name}`;
  const sealer = new EntrySealer(redisKey);
  const store = new SharedStore({ url, namespace, sealer, clock: systemClock, publish });
  const address = parseRedisAddress(url);
  // A connection of its own: no other command may delay the counts. The store reports its errors.
  const client = connectRedis(address, { silenceLimit: COUNTING_SILENCE_MS, onError: () => undefined });
  await store.waitUntilReachable(MAX_START_WAIT_MS);
  return {
    store,
    rateLimitStore: {
      client,
      keyPrefix: `{${namespace}}:rate`,
      hashName: (text) => sealer.hashName(text),
      describeError: (error) => describeRedisError(error, address),
      publish,
    },
    close: () => {
      client.disconnect();
      return store.close();
    },
  };
}
