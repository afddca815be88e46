import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { RedisStore } from '../../../src/state/redis/redis-store.js';
import { programs } from '../programs.js';
import type { Program } from '../programs.js';
import { startProgram } from '../started-program.js';
import type { StartedProgram } from '../started-program.js';

/** How {@link startRedis} makes a server listen. */
export interface ListenOptions {
  /** Port; default: a free one. */
  readonly port?: number;
  readonly isTls?: boolean;
  /** Default: redis-server. */
  readonly program?: Program;
}

/** Starts a redis-server that keeps nothing on disk, with further options. */
export function startRedis(
  options: readonly string[] = [],
  { port: samePort, isTls = false, program = programs.redis }: ListenOptions = {},
): Promise<StartedProgram> {
  const common = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const listen = (port: number): readonly string[] =>
    isTls ? ['--port', '0', '--tls-port', String(port)] : ['--port', String(port)];
  return startProgram(program, (folder, port) => [...listen(port), ...common, '--dir', folder, ...options], samePort);
}

/** Executes a command as an administrator of the server. */
export async function commandRedis(port: number, command: string, ...args: readonly string[]): Promise<unknown> {
  const client = new Redis(port, '127.0.0.1');
  try {
    return await client.call(command, [...args]);
  } finally {
    client.disconnect();
  }
}

/** Stores of one test, which share a namespace of their own. */
export class RedisStores {
  /** Errors that were reported by any of the stores. */
  readonly errors: string[] = [];
  namespace: string = randomUUID();
  private readonly stores: RedisStore[] = [];

  constructor(private readonly url: () => string) {}

  /** Beginning of the keys of this test. */
  get prefix(): string {
    return `{${this.namespace}}:`;
  }

  /** Returns a store that may not be connected. By default it waits long for replies, because the machine may be busy. */
  open(commandTimeout = 10_000): RedisStore {
    const onError = (message: string): void => void this.errors.push(message);
    const store = new RedisStore({ url: this.url(), namespace: this.namespace, onError, commandTimeout });
    this.stores.push(store);
    return store;
  }

  /** Returns a store all of whose connections are made. */
  async connect(commandTimeout?: number): Promise<RedisStore> {
    const store = this.open(commandTimeout);
    const isSubscribed = new Promise<void>((resolve) => store.onChange(() => resolve()));
    await untilConnected(store);
    await isSubscribed;
    return store;
  }

  /** Closes the stores. The next test uses another namespace. */
  async clear(): Promise<void> {
    for (const store of this.stores.splice(0)) await store.close();
    this.namespace = randomUUID();
    this.errors.length = 0;
  }
}

/** Waits until a store executes commands, reports, and writes records. */
export async function untilConnected(store: RedisStore): Promise<void> {
  await expectSoon(() => store.read('any'));
  await expectSoon(() => store.lastChange('any'));
  await expectSoon(() => store.writeRecords(randomUUID(), []));
}

async function expectSoon(action: () => Promise<unknown>): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      await action();
      return;
    } catch (error) {
      if (attempts === 400) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
