import type { RedisConnection } from './redis-connection.js';

/** Bytes of a chunk of records. Redis serves no other command while it copies one. */
const CHUNK_BYTES = 256 * 1024;

/** Chunks that are on their way at a time: they take the memory, and bridge the latency. */
const CHUNKS_IN_FLIGHT = 4;

/** Writes records as chunks. Rejects where the id is in use. */
export async function writeChunks(connection: RedisConnection, id: string, parts: Iterable<Buffer>): Promise<void> {
  let count = 0;
  const replies = mapAhead(splitIntoChunks(parts), (chunk) => {
    count += 1;
    return connection.execute('writeChunk', id, count - 1, chunk);
  });
  for await (const reply of replies) if (!reply.isEmpty) throw new Error('Redis sent an unexpected reply');
  await connection.execute('completeRecords', id, count);
}

/** Reads records that were written completely. Rejects where one of the chunks is missing. */
export async function* readChunks(connection: RedisConnection, id: string): AsyncIterable<Buffer> {
  const count = (await connection.execute('countChunks', id)).integer();
  const replies = mapAhead(listPositions(count), (position) => connection.execute('readChunk', id, position));
  for await (const reply of replies) yield reply.bytes();
}

/** Calls an asynchronous function for some items ahead of the one whose result is awaited. Results keep their order. */
async function* mapAhead<T, R>(items: Iterable<T>, map: (item: T) => Promise<R>): AsyncIterable<R> {
  const ahead: Promise<R>[] = [];
  for (const item of items) {
    const result = map(item);
    // Where an earlier one rejects, nobody awaits this one.
    result.catch(() => undefined);
    ahead.push(result);
    const first = ahead.length < CHUNKS_IN_FLIGHT ? undefined : ahead.shift();
    if (first !== undefined) yield await first;
  }
  for (const result of ahead) yield await result;
}

function* listPositions(count: number): Iterable<number> {
  for (let position = 0; position < count; position += 1) yield position;
}

/** Splits large parts, and joins small ones. */
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
