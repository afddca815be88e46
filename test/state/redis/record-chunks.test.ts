import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { RecordChunks } from '../../../src/state/redis/record-chunks.js';
import { ReplyReader } from '../../../src/lists/store/redis/reply-reader.js';

/** More chunks are never in the memory of the process. */
const MAX_CHUNKS = 16;

/** A connection that answers each command in a later turn, and counts commands without an answer. */
class SlowConnection {
  chunksPerList = 8;
  fails = false;
  present = 0;
  most = 0;

  async execute(command: string): Promise<ReplyReader> {
    if (command === 'countChunks') return new ReplyReader([this.chunksPerList]);
    if (command === 'completeRecords') return new ReplyReader([]);
    this.present += 1;
    this.most = Math.max(this.most, this.present);
    await nextTurn();
    // A chunk that was read is in memory until it is used.
    if (command !== 'readChunk') this.present -= 1;
    if (!this.fails) return new ReplyReader(command === 'readChunk' ? [Buffer.of(1)] : []);
    this.present -= 1;
    throw new Error('no reply');
  }
}

async function readAll(chunks: RecordChunks, connection: SlowConnection): Promise<number> {
  let count = 0;
  for await (const chunk of chunks.read('any')) {
    await nextTurn();
    count += chunk.length;
    connection.present -= 1;
  }
  return count;
}

const lists = Array.from({ length: 50 }, (_, list) => list);

describe('chunks of records', () => {
  it('are limited for all lists together that are read at the same time', async () => {
    const connection = new SlowConnection();
    const chunks = new RecordChunks(connection);
    const counts = await Promise.all(lists.map(() => readAll(chunks, connection)));
    expect(new Set(counts)).toEqual(new Set([connection.chunksPerList]));
    expect(connection.most).toBe(MAX_CHUNKS);
  });

  it('are limited for all lists together that are written at the same time', async () => {
    const connection = new SlowConnection();
    const chunks = new RecordChunks(connection);
    await Promise.all(lists.map((id) => chunks.write(String(id), [Buffer.alloc(2 ** 20)])));
    expect(connection.most).toBe(MAX_CHUNKS);
  });

  it('of a list are requested several at a time', async () => {
    const connection = new SlowConnection();
    await readAll(new RecordChunks(connection), connection);
    expect(connection.most).toBe(4);
  });

  it('are read after others failed, and after readers and writers stopped', async () => {
    const connection = new SlowConnection();
    const chunks = new RecordChunks(connection);
    connection.fails = true;
    for (const result of await Promise.allSettled(lists.map(() => readAll(chunks, connection))))
      expect(result.status).toBe('rejected');
    connection.fails = false;
    for (const id of lists) for await (const chunk of chunks.read(String(id))) if (chunk.length > 0) break;
    const stopping = function* (): Iterable<Buffer> {
      yield Buffer.alloc(2 ** 20);
      throw new Error('the writer stopped');
    };
    for (const result of await Promise.allSettled(lists.map((id) => chunks.write(String(id), stopping()))))
      expect(result.status).toBe('rejected');
    expect(await readAll(chunks, connection)).toBe(connection.chunksPerList);
    connection.chunksPerList = 0;
    expect(await readAll(chunks, connection)).toBe(0);
  });
});
