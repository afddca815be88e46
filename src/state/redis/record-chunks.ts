import type { RedisConnection } from '../../lists/store/redis/redis-connection.js';

/** Bytes of a chunk of records. Redis serves no other command while it copies one. */
const CHUNK_BYTES = 256 * 1024;

/** Chunks of one list that are on their way at a time: they bridge the latency. */
const CHUNKS_AHEAD = 4;

/** Chunks of all lists that are on their way, or were read and not used yet: they take memory. */
const MAX_CHUNKS = 16;

/** Records in Redis, as chunks. This process holds a limited number of chunks of all lists together. */
export class RecordChunks {
  private readonly permits = new Permits(MAX_CHUNKS);

  constructor(private readonly connection: Pick<RedisConnection, 'execute'>) {}

  async write(id: string, parts: Iterable<Buffer>): Promise<void> {
    let count = 0;
    const replies = this.mapAhead(splitIntoChunks(parts), (chunk) => {
      count += 1;
      return this.connection.execute('writeChunk', id, count - 1, chunk);
    });
    for await (const reply of replies) if (!reply.isEmpty) throw new Error('Redis sent an unexpected reply');
    await this.connection.execute('completeRecords', id, count);
  }

  /** Reads records that were written completely. Rejects where one of the chunks is missing. */
  async *read(id: string): AsyncIterable<Buffer> {
    const count = (await this.connection.execute('countChunks', id)).integer();
    const replies = this.mapAhead(listPositions(count), (position) =>
      this.connection.execute('readChunk', id, position),
    );
    for await (const reply of replies) yield reply.bytes();
  }

  /**
   * Calls a function ahead of the result that is awaited; results keep their order. Race: two lists that have results
   * and wait for a permit would wait for each other. So only one without results waits.
   */
  private async *mapAhead<T, R>(items: Iterable<T>, map: (item: T) => Promise<R>): AsyncIterable<R> {
    const rest = items[Symbol.iterator]();
    const ahead: Promise<R>[] = [];
    let isDone = false;
    let held = 0;
    const release = (count: number): void => {
      for (held -= count; count > 0; count -= 1) this.permits.release();
    };
    try {
      while (!isDone || ahead.length > 0) {
        if (!isDone && (await this.mayRequest(ahead.length))) {
          held += 1;
          const next = rest.next();
          isDone = next.done === true;
          if (next.done !== true) ahead.push(startNow(map, next.value));
        } else {
          const [first] = ahead;
          if (first !== undefined) yield await first;
          void ahead.shift();
          release(1);
        }
      }
    } finally {
      // What was not used takes memory until it has arrived.
      void Promise.allSettled(ahead).then(() => {
        release(held);
      });
    }
  }

  private async mayRequest(ahead: number): Promise<boolean> {
    if (ahead > 0) return ahead < CHUNKS_AHEAD && this.permits.tryAcquire();
    await this.permits.acquire();
    return true;
  }
}

/** The result may never be awaited, because an earlier one rejects. */
function startNow<T, R>(map: (item: T) => Promise<R>, item: T): Promise<R> {
  const result = map(item);
  result.catch(() => undefined);
  return result;
}

class Permits {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  tryAcquire(): boolean {
    if (this.free === 0) return false;
    this.free -= 1;
    return true;
  }

  async acquire(): Promise<void> {
    if (!this.tryAcquire()) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  release(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free += 1;
    else next();
  }
}

function* listPositions(count: number): Iterable<number> {
  for (let position = 0; position < count; position += 1) yield position;
}

function* splitIntoChunks(parts: Iterable<Buffer>): Iterable<Buffer> {
  let pending: Buffer[] = [];
  let bytes = 0;
  for (const part of parts) {
    for (let from = 0; from < part.length;) {
      const piece = part.subarray(from, from + CHUNK_BYTES - bytes);
      pending.push(piece);
      bytes += piece.length;
      from += piece.length;
      if (bytes < CHUNK_BYTES) continue;
      yield Buffer.concat(pending);
      [pending, bytes] = [[], 0];
    }
  }
  if (bytes > 0) yield Buffer.concat(pending);
}
