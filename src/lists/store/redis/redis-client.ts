import { Redis } from 'ioredis';
import type { Result } from 'ioredis';
import { describeRedisError } from './redis-address.js';
import type { RedisAddress } from './redis-address.js';

export type RedisArgument = string | number | Buffer;

declare module 'ioredis' {
  // The library's way to declare what `scripts` defines.
  interface RedisCommander<Context> {
    sharedStoreBuffer(prefix: string, ...args: readonly RedisArgument[]): Result<unknown, Context>;
  }
}

export type RedisClient = Redis;

const MAX_RECONNECT_DELAY_MS = 1_000;

/** Time in which a connection must be made, and after which one that was closed here is given up, in milliseconds. */
const CONNECT_TIMEOUT_MS = 2_000;
const DISCONNECT_TIMEOUT_MS = 200;

interface RedisClientOptions {
  /** Time without a reply after which the connection is replaced, in milliseconds. */
  readonly silenceLimit: number;
  readonly onError: (message: string) => void;
  /** In Lua, with one key. */
  readonly script?: string;
}

/**
 * Connects to Redis, again and again until `disconnect` is called. A command rejects at once while there is no connection,
 * and is never sent a second time. Nothing is thrown out of band.
 */
export function connectRedis(
  address: RedisAddress,
  { silenceLimit, onError, script }: RedisClientOptions,
): RedisClient {
  const { host, port, isTls, username, password, database } = address;
  const client = new Redis({
    host,
    port,
    username,
    password,
    db: database,
    ...(isTls && { tls: {} }),
    ...(script !== undefined && { scripts: { sharedStore: { lua: script, numberOfKeys: 1 } } }),
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    socketTimeout: silenceLimit,
    // It needs a right that commands do not need. A server that reads its file refuses commands anyway.
    enableReadyCheck: false,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) =>
      Math.min(MAX_RECONNECT_DELAY_MS, 25 * 2 ** Math.min(attempt, 10)) * (0.75 + Math.random() / 4),
    // After a failover the connection may lead to a server that is a replica now; the address leads to the new primary.
    reconnectOnError: ({ message }) => message.includes('READONLY'),
  });
  client.on('error', (error) => onError(describeRedisError(error, address)));
  return client;
}
