import { withDeadline } from '../../../event-loop/deadline.js';
import { describeRedisError } from './redis-address.js';
import type { RedisAddress } from './redis-address.js';
import { connectRedis } from './redis-client.js';
import type { RedisArgument, RedisClient } from './redis-client.js';
import { ReplyReader } from './reply-reader.js';

export interface RedisConnectionOptions {
  readonly address: RedisAddress;
  readonly script: string;
  /** Before all keys. */
  readonly prefix: string;
  /** In milliseconds. */
  readonly replyTimeout: number;
  readonly onError: (message: string) => void;
  readonly onReady: () => void;
}

/** Shortest time without a reply after which a connection is replaced, in milliseconds: several commands have failed then. */
const MIN_SILENCE_LIMIT_MS = 1_000;

/** Arguments begin with the name of a command of the script. */
export type Execute = (command: string, ...args: readonly RedisArgument[]) => Promise<ReplyReader>;

/** The server did not execute a command, or not in time. */
export class RedisError extends Error {}

/** A connection that executes commands of the shared memory. Each of them settles within the reply timeout. */
export class RedisConnection {
  private readonly client: RedisClient;
  private reason = 'no connection was made yet';

  constructor(private readonly options: RedisConnectionOptions) {
    const { address, script, replyTimeout, onError, onReady } = options;
    const report = (message: string): void => {
      this.reason = message;
      onError(message);
    };
    const silenceLimit = Math.max(replyTimeout, MIN_SILENCE_LIMIT_MS);
    this.client = connectRedis(address, { silenceLimit, onError: report, script }).on('ready', () => {
      this.reason = 'the connection was closed by the server';
      onReady();
    });
  }

  async execute(command: string, ...args: readonly RedisArgument[]): Promise<ReplyReader> {
    const { address, prefix, replyTimeout } = this.options;
    if (this.client.status !== 'ready') throw new RedisError(`Redis is not connected: ${this.reason}`);
    const reply = this.client.sharedStoreBuffer(prefix, command, ...args);
    return withDeadline(reply, replyTimeout).then(
      (items) => new ReplyReader(items),
      (error: unknown) => {
        // Without the error as its cause, which contains the arguments of the command.
        throw new RedisError(`Redis: ${describeRedisError(error, address)}`);
      },
    );
  }

  close(): void {
    this.client.disconnect();
  }
}
