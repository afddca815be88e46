import type { Clock } from '../../../../src/model/clock.js';
import { EntrySealer } from '../../../../src/lists/store/redis/entry-sealer.js';
import { RedisError } from '../../../../src/lists/store/redis/redis-connection.js';
import { SharedStore } from '../../../../src/lists/store/redis/shared-store.js';
import type { MemoryRedis } from './memory-redis.js';

/** The part of one instance in a shared memory. */
export interface SharedInstance {
  readonly store: SharedStore;
  /** Whether this instance alone does not reach the memory. */
  isCutOff: boolean;
  /** Resolves when the instance knows whether it reaches the memory, and what the others have forgotten. */
  poll(): Promise<void>;
  close(): Promise<void>;
}

interface JoinOptions {
  readonly clock: Clock;
  /** `cache.redis-key`; default: none. */
  readonly secret?: string;
}

/** Lets an instance join a shared memory. */
export async function joinMemory(memory: MemoryRedis, { clock, secret }: JoinOptions): Promise<SharedInstance> {
  const store = new SharedStore({
    ...{ url: 'redis://127.0.0.1', namespace: 'rollcall', sealer: new EntrySealer(secret), clock },
    publish: () => undefined,
    connect: () => {
      const { execute, close } = memory.connect();
      return {
        execute: (...command) =>
          instance.isCutOff ? Promise.reject(new RedisError('Redis is not connected')) : execute(...command),
        close,
      };
    },
  });
  const instance: SharedInstance = {
    store,
    isCutOff: false,
    poll: () => store.waitUntilReachable(0),
    close: () => store.close(),
  };
  await instance.poll();
  return instance;
}
