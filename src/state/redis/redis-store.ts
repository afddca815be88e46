import { randomUUID } from 'node:crypto';
import { SHARED_MEMORY_TIMEOUT_MS } from '../../event-loop/deadline.js';
import type {
  Claim,
  ClaimOptions,
  FetchLease,
  InstanceReport,
  Publication,
  PublicationResult,
  RejectedPublication,
  RejectedResult,
  SharedEntry,
  SharedState,
  SharedStore,
} from '../sharing/shared-store.js';
import { ConnectionErrors } from './connection-errors.js';
import { RecordChunks } from './record-chunks.js';
import { describeRedisError, parseRedisAddress } from '../../lists/store/redis/redis-address.js';
import type { RedisArgument } from '../../lists/store/redis/redis-client.js';
import { RedisConnection } from '../../lists/store/redis/redis-connection.js';
import type { ReplyReader } from '../../lists/store/redis/reply-reader.js';
import { SHARED_STORE_SCRIPT } from './shared-store-script.js';

/** In milliseconds (operation 2.5.4). */
const CHUNK_TIMEOUT_MS = 250;

const MAX_CHANGES_REPLIES = 1_000;

/** Larger times and durations, such as Infinity, are stored as this one. */
const MAX_MILLISECONDS = 2 ** 52;

interface RedisStoreOptions {
  readonly url: string;
  /** Format version and name of the gateway, before all keys. Stores with the same one share their content. */
  readonly namespace: string;
  readonly onError: (message: string) => void;
  /** In milliseconds; default: 50. */
  readonly commandTimeout?: number;
}

/**
 * The memory that several instances share, in Redis or Valkey. Commands reject within 50 ms. Reports, records and hints
 * have connections of their own: a report that waits for the commands of a thousand lists would arrive late, and the
 * instance would leave the agreement and fetch every list by itself.
 */
export class RedisStore implements SharedStore {
  private readonly commands: RedisConnection;
  private readonly reports: RedisConnection;
  private readonly bulk: RedisConnection;
  private readonly chunks: RecordChunks;
  private readonly subscriber: HintConnection;
  private readonly listeners: ((name: string | undefined) => void)[] = [];
  /** Lets this instance ignore its own hints. */
  private readonly sender = randomUUID();

  constructor({ url, namespace, onError, commandTimeout = SHARED_MEMORY_TIMEOUT_MS }: RedisStoreOptions) {
    // Braces: in a cluster, all keys are stored together.
    const prefix = `{${namespace}}:`;
    const address = parseRedisAddress(url);
    const errors = new ConnectionErrors(onError);
    const connect = (replyTimeout: number): HintConnection =>
      new HintConnection({ address, script: SHARED_STORE_SCRIPT, prefix, replyTimeout, ...errors.observe() });
    this.commands = connect(commandTimeout);
    this.reports = connect(commandTimeout);
    this.bulk = connect(CHUNK_TIMEOUT_MS);
    this.chunks = new RecordChunks(this.bulk);
    this.subscriber = connect(commandTimeout);
    this.subscriber.subscribe(`${prefix}hints`, (message) => {
      const [sender, name] = message?.split(' ') ?? [];
      if (sender !== this.sender) for (const listener of this.listeners) listener(name);
    });
  }

  async synchronize({ instance, configuration, known, notice }: InstanceReport): Promise<SharedState> {
    const present = known === undefined ? ['', 0] : [known.epoch.id, known.sequence];
    const args = [instance, configuration, notice, randomUUID(), ...present];
    const reply = await this.reports.execute('synchronize', ...args);
    const time = reply.integer();
    const epoch = { id: reply.text(), since: reply.integer() };
    const isMixed = reply.integer() === 1;
    return { time, epoch, isMixed, sequence: reply.integer(), changed: await this.readChanges(reply.list()) };
  }

  async claim(name: string, { epoch = '', version, duration, ignoresRejected = false }: ClaimOptions): Promise<Claim> {
    const reply = await this.commands.execute('claim', name, epoch, version, duration, toFlag(ignoresRejected));
    const state = reply.text();
    if (state === 'busy' || state === 'new-epoch') return { state };
    if (state === 'newer') return { state, entry: readEntry(reply.list()) };
    if (state === 'rejected') return { state, rejected: readRejected(reply) };
    if (state !== 'granted') throw new Error(`Redis sent an unexpected state: ${state}`);
    const lease = { name, epoch, token: reply.integer(), replacedWaitAt: reply.integer() };
    const time = reply.integer();
    const rejected = reply.list();
    return { state, lease, time, ...(!rejected.isEmpty && { rejected: readRejected(rejected) }) };
  }

  async renew({ name, token }: FetchLease, duration: number): Promise<boolean> {
    return (await this.commands.execute('renew', name, token, duration)).integer() === 1;
  }

  async release({ name, token }: FetchLease): Promise<void> {
    await this.commands.execute('release', this.sender, name, token);
  }

  async publish({ name, token, epoch }: FetchLease, publication: Publication): Promise<PublicationResult> {
    const { head, activeAt, waitAt, records, duration, isUnchanged, isFollowed, notice } = publication;
    const times = [toMilliseconds(activeAt), toMilliseconds(waitAt)];
    const kept = [records.id, toMilliseconds(records.duration), toMilliseconds(duration)];
    const flags = [toFlag(isUnchanged), toFlag(isFollowed)];
    const args = [this.sender, name, token, epoch, head, ...times, ...kept, ...flags, notice];
    const reply = await this.commands.execute('publish', ...args);
    const state = reply.text();
    if (state === 'published') return { state, version: reply.integer() };
    if (state === 'late') return { state, required: reply.integer() };
    if (state !== 'lost') throw new Error(`Redis sent an unexpected state: ${state}`);
    return { state };
  }

  async publishRejected({ name, token }: FetchLease, rejected: RejectedPublication): Promise<boolean> {
    const { result, until, duration = 0 } = rejected;
    const args = [this.sender, name, token, toMilliseconds(until), toMilliseconds(duration), result];
    return (await this.commands.execute('reject', ...args)).integer() === 1;
  }

  async read(name: string, epoch?: string): Promise<SharedEntry | undefined> {
    const reply = await this.commands.execute('read', name, ...(epoch === undefined ? [] : [epoch]));
    return reply.isEmpty ? undefined : readEntry(reply);
  }

  async readRejected(name: string): Promise<RejectedResult | undefined> {
    const reply = await this.commands.execute('readRejected', name);
    return reply.isEmpty ? undefined : readRejected(reply);
  }

  async remove(name: string): Promise<number> {
    return (await this.commands.execute('remove', this.sender, name)).integer();
  }

  async lastChange(name: string): Promise<number> {
    return (await this.reports.execute('lastChange', name)).integer();
  }

  writeRecords(id: string, chunks: Iterable<Buffer>): Promise<void> {
    return this.chunks.write(id, chunks);
  }

  readRecords(id: string): AsyncIterable<Buffer> {
    return this.chunks.read(id);
  }

  onChange(listener: (name: string | undefined) => void): void {
    this.listeners.push(listener);
  }

  close(): Promise<void> {
    for (const connection of [this.commands, this.reports, this.bulk, this.subscriber]) connection.close();
    return Promise.resolve();
  }

  /** Reads a list of names, which a long list continues in further replies. */
  private async readChanges(first: ReplyReader): Promise<readonly string[]> {
    const changed = new Set<string>();
    let reply = first;
    for (let replies = 0; replies < MAX_CHANGES_REPLIES; replies += 1) {
      const last = reply.text();
      for (const names = reply.list(); !names.isEmpty;) changed.add(names.text());
      if (last === '') return [...changed];
      reply = await this.reports.execute('changes', last);
    }
    throw new Error('Redis contains too many names of entries');
  }
}

class HintConnection extends RedisConnection {
  /**
   * Receives what others publish on a channel, in each connection that is made. The listener receives nothing where messages
   * may have been missed.
   */
  subscribe(channel: string, listener: (message?: string) => void): void {
    this.client.on('message', (_, message) => listener(message));
    this.client.on('ready', () => {
      this.client.subscribe(channel).then(
        () => listener(),
        (error: unknown) => this.options.onError(describeRedisError(error, this.options.address)),
      );
    });
  }
}

function readEntry(reply: ReplyReader): SharedEntry {
  return { version: reply.integer(), activeAt: reply.integer(), head: reply.bytes() };
}

function readRejected(reply: ReplyReader): RejectedResult {
  return { until: reply.integer(), result: reply.bytes() };
}

function toFlag(value: boolean): RedisArgument {
  return value ? 1 : 0;
}

function toMilliseconds(time: number): number {
  return Math.min(Math.ceil(time), MAX_MILLISECONDS);
}
