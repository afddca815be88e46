import { getErrorMessage } from '../../text/get-error-message.js';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { DraftRecord } from '../../model/record.js';
import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import { unpackRecords } from '../../records/packed-records.js';
import type { PackedSheet } from '../../records/packed-sheet.js';
import { threadModule } from '../../workers/thread-module.js';
import { TaskAbortedError, WorkerThread } from '../../workers/worker-thread.js';
import type { BodyResult, BodyTask } from './body-parser-thread.js';
import { SourceFailure } from '../client/source-failure.js';
import type { SourcePage } from './page.js';
import type { ExpectedBody, ReceivedBody } from './parse-page-body.js';

export interface BodyParserOptions {
  /** Bytes of the largest `max-body` of all sources. Determines the memory limit of the threads. */
  readonly maxBody: number;
  /** Module that the threads run. */
  readonly module?: URL;
  /** Milliseconds for an empty body, thread start included. */
  readonly timeout?: number;
}

/** Milliseconds: `base` for thread start on an overloaded machine. 16 MiB have 30 s, four times the slowest. */
const TIMEOUT = { base: 6_000, perMebibyte: 1_500 };

/** In MiB, `factor` per MiB of a body; `base` is for the program and a million values. No accepted body needs all. */
const MEMORY = { base: 192, factor: 20 };

/** Bytes. Lists and documents of real sources are smaller; they do not wait for bodies that take half a minute. */
const MAX_SMALL_BODY = 2_097_152;

/**
 * Reads large bodies in two worker threads, because parsing megabytes blocks the event loop (decisions 8.6): one for
 * bodies of up to 2 MiB, and one for larger ones. In each, sources take turns, one body at a time. A body that takes
 * too much time or memory fails alone. Waiting bodies stay in memory; the `concurrency` of their source bounds their
 * number.
 */
export class BodyParser {
  private readonly smallBodies: WorkerThread<BodyTask, BodyResult>;
  private readonly largeBodies: WorkerThread<BodyTask, BodyResult>;
  private readonly timeout: number;

  constructor({ maxBody, module = threadModule('body-parser-thread'), timeout = TIMEOUT.base }: BodyParserOptions) {
    this.timeout = timeout;
    const createThread = (bytes: number): WorkerThread<BodyTask, BodyResult> => {
      const memory = MEMORY.base + Math.ceil((MEMORY.factor * bytes) / 2 ** 20);
      return new WorkerThread({ module, memory, timeout });
    };
    this.smallBodies = createThread(Math.min(maxBody, MAX_SMALL_BODY));
    this.largeBodies = createThread(maxBody);
  }

  /**
   * Transfers the body, which must not be used afterwards. Rejects with a `SourceFailure`: as `parsePageBody`; `size`
   * if it takes too much time or memory; `internal` without a thread.
   */
  async parse(
    { body, context, now }: ReceivedBody,
    { recordReader: reader, format }: Pick<ExpectedBody, 'recordReader' | 'format'>,
  ): Promise<SourcePage<DraftRecord>> {
    const { resource, provenance } = reader;
    const { port1: sheets, port2 } = new MessageChannel();
    // Only a whole ArrayBuffer can be transferred. A body that shares its buffer is copied.
    const isWhole = body.buffer instanceof ArrayBuffer && body.length === body.buffer.byteLength;
    const buffer = isWhole ? body.buffer : new Uint8Array(body).buffer;
    const task = { body: new Uint8Array(buffer), context, resource, provenance, format, now, sheetPort: port2 };
    const bytes = body.length;
    const timeout = this.timeout + Math.ceil((TIMEOUT.perMebibyte * bytes) / 2 ** 20);
    try {
      const owner = String(provenance.sourceNumber);
      const thread = bytes > MAX_SMALL_BODY ? this.largeBodies : this.smallBodies;
      const result = await thread.run(task, { owner, timeout, transfer: [buffer, port2] });
      if ('reason' in result) throw new SourceFailure(result.reason, result.message);
      return { ...result.page, records: await receiveRecords(sheets, result.page.document?.ids) };
    } catch (error) {
      throw toSourceFailure(error, bytes);
    } finally {
      sheets.close();
    }
  }

  /** Rejects the bodies that are being parsed or waiting. */
  close(): void {
    this.smallBodies.close();
    this.largeBodies.close();
  }
}

/** Takes the sheets with turns of the event loop between them; adds identities if these are known. */
export async function receiveRecords(port: MessagePort, ids: readonly string[] = []): Promise<DraftRecord[]> {
  const records: DraftRecord[] = [];
  await forEachTimeSliced(receiveSheets(port), (sheet) => {
    records.push(...unpackRecords([sheet], ids, records.length));
  });
  return records;
}

function* receiveSheets(port: MessagePort): Generator<PackedSheet> {
  for (let sent = receiveSheet(port); sent !== undefined; sent = receiveSheet(port)) yield sent.message;
}

/** Messages between threads are untyped; the thread's module guarantees the type. */
function receiveSheet(port: MessagePort): { message: PackedSheet } | undefined {
  return receiveMessageOnPort(port);
}

function toSourceFailure(error: unknown, bytes: number): SourceFailure {
  if (error instanceof SourceFailure) return error;
  const message = `a body of ${bytes} bytes that could not be parsed: ${getErrorMessage(error)}`;
  const isLimitExceeded = error instanceof TaskAbortedError && error.reason !== 'closed';
  return new SourceFailure(isLimitExceeded ? 'size' : 'internal', message, { cause: error });
}
