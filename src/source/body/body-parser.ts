import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { DraftRecord } from '../../model/record.js';
import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import { unpackRecords } from '../../records/packed-records.js';
import type { PackedSheet } from '../../records/packed-records.js';
import { TaskAbortedError, WorkerPool } from '../../workers/worker-pool.js';
import type { BodyResult, BodyTask } from './body-parser-thread.js';
import { SourceFailure } from '../client/source-failure.js';
import type { SourcePage } from './page.js';
import type { ExpectedBody } from './read-body.js';

/** How bodies are parsed. */
export interface BodyParserOptions {
  /** Bytes of a body at most, the largest `max-body`: they decide how much memory the thread may take. */
  readonly maxBody: number;
  /** The module that the thread runs. */
  readonly module?: URL;
  /** Milliseconds for one body, the start of the thread included. */
  readonly timeout?: number;
}

const MODULE = new URL('body-parser-thread.js', import.meta.url);

/** Milliseconds for one body: four times what the slowest one of 16 MiB takes, and enough for it on a machine that is overloaded. */
const TIMEOUT = 30_000;

/** Memory of the thread in MiB: for its program and a million values, and for each MiB of a body. No body that `requireBoundedJson` lets through takes all of it. */
const MEMORY = { base: 192, factor: 20 };

/**
 * Parses and reads large bodies in a worker thread, one after the other: to parse megabytes blocks the event loop. A body that takes too much time or memory
 * fails alone; those of other sources wait for it as long as its time lasts. While bodies wait their bytes are held: each of them occupies one place of its source's
 * `concurrency`, so that no source has more of them.
 */
export class BodyParser {
  private readonly pool: WorkerPool<BodyTask, BodyResult>;

  constructor({ maxBody, module = MODULE, timeout = TIMEOUT }: BodyParserOptions) {
    const memory = MEMORY.base + Math.ceil((MEMORY.factor * maxBody) / 2 ** 20);
    this.pool = new WorkerPool({ module, memory, timeout });
  }

  /**
   * The page of a body, which is moved to the thread: its bytes are gone here afterwards. Rejects with a `SourceFailure`: as `readBody` does, with `size`
   * where the body takes more time or memory than it may, and with `internal` where there is no thread.
   */
  async parse(
    body: Buffer,
    { recordReader: reader, isItem: item }: ExpectedBody,
    now: number,
  ): Promise<SourcePage<DraftRecord>> {
    const { resource, provenance } = reader;
    const { port1: sheets, port2 } = new MessageChannel();
    // Only a whole piece of memory can be moved; what shares it with others is copied.
    const isWhole = body.buffer instanceof ArrayBuffer && body.length === body.buffer.byteLength;
    const own = isWhole ? body.buffer : new Uint8Array(body).buffer;
    const task = { body: new Uint8Array(own), resource, provenance, isItem: item, now, sheetPort: port2 };
    const bytes = body.length;
    try {
      const result = await this.pool.run(task, [own, port2]);
      if ('reason' in result) throw new SourceFailure(result.reason, result.message);
      return { ...result.page, records: await receiveRecords(sheets) };
    } catch (error) {
      throw toSourceFailure(error, bytes);
    } finally {
      sheets.close();
    }
  }

  /** Rejects what is being parsed and what waits. */
  close(): void {
    this.pool.close();
  }
}

/** The records of all sheets that were sent to a port, which are deserialised with turns of the event loop between them. */
export async function receiveRecords(port: MessagePort): Promise<DraftRecord[]> {
  const records: DraftRecord[] = [];
  await forEachTimeSliced(receiveSheets(port), (sheet) => {
    records.push(...unpackRecords([sheet]));
  });
  return records;
}

function* receiveSheets(port: MessagePort): Generator<PackedSheet> {
  for (let sent = receiveSheet(port); sent !== undefined; sent = receiveSheet(port)) yield sent.message;
}

/** What crosses threads has no type: the thread's module vouches for it. */
function receiveSheet(port: MessagePort): { message: PackedSheet } | undefined {
  return receiveMessageOnPort(port);
}

function toSourceFailure(error: unknown, bytes: number): SourceFailure {
  if (error instanceof SourceFailure) return error;
  const message = `a body of ${bytes} bytes that could not be parsed: ${error instanceof Error ? error.message : String(error)}`;
  const tooMuch = error instanceof TaskAbortedError && error.reason !== 'closed';
  return new SourceFailure(tooMuch ? 'size' : 'internal', message, { cause: error });
}
