import type { Clock } from '../../../../src/model/clock.js';
import { LEASE_MS, MAX_VALUE_BYTES } from '../../../../src/lists/store/redis/shared-lists-script.js';
import { RedisError } from '../../../../src/lists/store/redis/redis-connection.js';
import { ReplyReader } from '../../../../src/lists/store/redis/reply-reader.js';
import type { RedisArgument } from '../../../../src/lists/store/redis/redis-client.js';
import type { ScriptConnection } from '../../../../src/lists/store/redis/shared-store.js';

interface Entry {
  /** Bytes as characters. */
  readonly fields: Map<string, string>;
  expiresAt: number;
}

/** Does in this process what the script of shared lists does in Redis. */
export class MemoryRedis {
  isAvailable = true;
  /** Called after each command, with its name, before the reply. */
  afterCommand: (command: string) => Promise<void> = () => Promise.resolve();
  readonly executed: string[] = [];
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly clock: Clock) {}

  /** As the store that it is passed to connects. */
  readonly connect = (): ScriptConnection => {
    let isClosed = false;
    return {
      execute: async (command, ...args) => {
        if (!this.isAvailable || isClosed) throw new RedisError('Redis is not connected');
        this.executed.push(command);
        const reply = this.run(command, args);
        await this.afterCommand(command);
        return new ReplyReader(reply.map((item) => Buffer.from(item, 'latin1')));
      },
      close: () => {
        isClosed = true;
      },
    };
  };

  /** The only key whose name begins so. */
  key(beginning: string): string {
    const [key, another] = [...this.entries.keys()].filter((one) => one.startsWith(beginning));
    if (key === undefined || another !== undefined) throw new Error(`not one key begins with ${beginning}`);
    return key;
  }

  field(key: string, field: string): Buffer {
    return Buffer.from(this.entries.get(key)?.fields.get(field) ?? '', 'latin1');
  }

  /** As a program that can write to Redis. */
  write(key: string, field: string, value: Buffer | string): void {
    this.get(key)?.fields.set(field, toText(value));
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }

  private get(key: string): Entry | undefined {
    const entry = this.entries.get(key);
    if (entry !== undefined && entry.expiresAt > this.clock.now()) return entry;
    this.entries.delete(key);
    return undefined;
  }

  private set(key: string, duration: number, fields: Readonly<Record<string, string>>): void {
    const entry = this.get(key) ?? { fields: new Map<string, string>(), expiresAt: 0 };
    for (const [name, value] of Object.entries(fields)) entry.fields.set(name, value);
    entry.expiresAt = this.clock.now() + duration;
    this.entries.set(key, entry);
  }

  private run(command: string, args: readonly RedisArgument[]): readonly string[] {
    const values = args.map(toText);
    const [first = '', second = '', third = ''] = values;
    if (command === 'poll') return values.map((source) => this.epochOf(source) ?? '');
    if (command === 'forget') this.set(`epoch:${first}`, Infinity, { value: second });
    if (command === 'writeChunk') this.set(`records:${first}`, 60_000, { [second]: third });
    if (command === 'readChunk') {
      const chunk = this.get(`records:${first}`)?.fields.get(second);
      return chunk === undefined ? [] : [chunk];
    }
    if (['poll', 'forget', 'writeChunk'].includes(command)) return [];
    if (command === 'claim' && this.epochOf(first) === undefined)
      this.set(`epoch:${first}`, Infinity, { value: third });
    const list = `${this.epochOf(first) ?? ''}:${second}`;
    const keys = { copy: `copy:${list}`, rejected: `rejected:${list}`, lease: `lease:${list}` };
    if (command === 'claim') return [this.epochOf(first) ?? '', ...this.claim(keys, third, values.slice(3))];
    const holder = this.get(keys.lease)?.fields.get('value');
    if (command === 'isHeld') return [holder === undefined ? 'free' : 'held'];
    return holder === third ? this.runWithLease(command, keys, values.slice(3)) : ['lost'];
  }

  private epochOf(source: string): string | undefined {
    return this.get(`epoch:${source}`)?.fields.get('value');
  }

  private claim(keys: ListKeys, token: string, [after, now, ignoresRejected]: readonly string[]): readonly string[] {
    const copy = this.get(keys.copy)?.fields;
    const rejection = ignoresRejected === '1' ? undefined : this.get(keys.rejected)?.fields.get('value');
    const isNewer = copy !== undefined && Number(copy.get('verifiedAt')) > Number(after);
    const isUsable = Number(copy?.get('staleAt')) > Number(now) || Number(after) < 0 || rejection !== undefined;
    const head = copy?.get('head') ?? '';
    if (isNewer && isUsable) return ['found', head.length > MAX_VALUE_BYTES ? '' : head];
    if (rejection !== undefined) return ['rejected', rejection];
    if (this.get(keys.lease) !== undefined) return ['busy'];
    this.set(keys.lease, LEASE_MS, { value: token });
    return ['granted'];
  }

  private runWithLease(command: string, keys: ListKeys, args: readonly string[]): readonly string[] {
    if (command === 'renew') {
      this.set(keys.lease, LEASE_MS, {});
      return [];
    }
    if (command === 'reject') this.set(keys.rejected, Number(args[0]), { value: args[1] ?? '' });
    if (command === 'publish') {
      const [verifiedAt = '', staleAt = '', id = '', duration, kept, head = ''] = args;
      if (this.get(`records:${id}`) === undefined) return ['incomplete'];
      const replaced = this.get(keys.copy)?.fields.get('records');
      this.set(keys.copy, Number(duration), { verifiedAt, staleAt, records: id, head });
      this.set(`records:${id}`, Number(kept), {});
      if (replaced !== undefined && replaced !== id) this.set(`records:${replaced}`, 60_000, {});
      this.delete(keys.rejected);
    }
    this.delete(keys.lease);
    return ['published'];
  }
}

function toText(value: RedisArgument): string {
  return Buffer.isBuffer(value) ? value.toString('latin1') : String(value);
}

interface ListKeys {
  readonly copy: string;
  readonly rejected: string;
  readonly lease: string;
}
