import { Worker } from 'node:worker_threads';
import type { FailureReason } from '../model/outcome.js';
import type { Resource } from '../model/resource.js';
import { SourceFailure } from './failure.js';
import type { Expecting } from './page.js';
import { readBody } from './read-body.js';
import type { PackedPage, Reading } from './read-body.js';
import type { Provenance, RecordReader } from './record-reader.js';

/** What the thread is told: whose pages it will read; or a body of theirs. */
export type Order =
  | { readonly reader: number; readonly resource: Resource; readonly provenance: Provenance }
  | { readonly nth: number; readonly reader: number; readonly body: Uint8Array; readonly now: number };

/** What it answers: once, that it can be told something; then of each body its page, or why it is none. */
export type ThreadMessage =
  | 'ready'
  | { readonly nth: number; readonly page: PackedPage }
  | { readonly nth: number; readonly reason: FailureReason; readonly message: string };

/** When bodies are read beside. */
export interface BesideOptions {
  /** What the thread runs. */
  readonly thread: URL;
  /** Bytes that are to come for which it is worth starting. */
  readonly worth: number;
  /** Bytes of a body that is worth handing over. */
  readonly smallest: number;
  /** Is told what broke the thread. */
  readonly broken: (error: Error) => void;
}

/**
 * Until the thread reads as fast as this one it takes some 180 ms of CPU, in which this one reads ten megabytes: of what is less than twice that, most is read before.
 */
const WORTH = 24 * 2 ** 20;

const AS_IT_IS: BesideOptions = {
  thread: new URL('reading-thread.js', import.meta.url),
  worth: WORTH,
  smallest: 8 * 2 ** 10,
  broken: () => undefined,
};

/** Bytes of a body at most: what is larger takes more memory while it is read than the thread may have. */
const LARGEST = 2 ** 20;

/** Bytes of all bodies that it has at a time: enough that it is busy while this thread does something else, and so few that neither waits for the other. */
const LINE = 2 * 2 ** 20;

/** Milliseconds without a body after which it ends, for it takes memory. */
const IDLE = 2_000;

/** Milliseconds for which a thread that broke is not begun anew: what broke it may come again at once. */
const PEACE = 60_000;

/** Its memory in MB: a body of a megabyte takes some twenty while it is read. Among new objects there is room for what a page leaves behind. */
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 24 };

/** A body, and how it is read. */
interface Body {
  readonly body: Buffer;
  readonly as: Reading;
  /** The moment as of which it is read, in milliseconds since 1970: the same whichever thread reads it. */
  readonly now: number;
}

/** A body that it has. */
interface Given extends Body {
  readonly resolve: (page: PackedPage | Promise<PackedPage>) => void;
  readonly reject: (failure: SourceFailure) => void;
}

/**
 * A thread that reads pages while many come, so that the one that answers has time for others. It is there as long as it is needed; what it is not given, and
 * what it has when it ends, is read here.
 */
export class Beside {
  private readonly options: BesideOptions;
  private worker: Worker | undefined;
  private ready = false;
  private readonly given = new Map<number, Given>();
  /** The number by which the thread knows each reader that was sent to it. */
  private readonly readers = new Map<RecordReader, number>();
  private bodies = 0;
  private line = 0;
  /** Bytes that are to come of drains under way. */
  private expected = 0;
  /** When it broke, by the clock of `performance`. */
  private broke = -Infinity;
  private idle: NodeJS.Timeout | undefined;

  constructor(options: Partial<BesideOptions> = {}) {
    this.options = { ...AS_IT_IS, ...options };
  }

  /** Reads a body as `readBody` does. */
  read(body: Buffer, as: Reading, now: number): Promise<PackedPage> {
    const { length } = body;
    const worker = this.isWorth ? this.started() : undefined;
    const fits = length >= this.options.smallest && length <= LARGEST && this.line + length <= LINE;
    const handsOver = worker !== undefined && this.ready && fits && !as.item;
    return handsOver ? this.handOver(worker, { body, as, now }) : readBody(body, as, now);
  }

  /** Does a work that is to bring about so many bytes: it is for what is expected altogether that the thread is started. */
  readonly expecting: Expecting = async (bytes, work) => {
    this.expected += bytes;
    try {
      return await work();
    } finally {
      this.expected -= bytes;
    }
  };

  /** Whether its thread is there, and can be handed what comes. */
  get isReady(): boolean {
    return this.ready;
  }

  /** Ends the thread until bodies come again. */
  async close(): Promise<void> {
    const { worker } = this;
    this.gone();
    await worker?.terminate();
  }

  private handOver(worker: Worker, { body, as, now }: Body): Promise<PackedPage> {
    const nth = (this.bodies += 1);
    this.line += body.length;
    // A copy, for what is handed over is gone here, with all else that stands in the same piece of memory.
    const own = new Uint8Array(body);
    const reader = this.readerOf(worker, as.reader);
    worker.postMessage({ nth, reader, body: own, now } satisfies Order, [own.buffer]);
    return new Promise((resolve, reject) => {
      this.given.set(nth, { body, as, now, resolve, reject });
    });
  }

  private readerOf(worker: Worker, reader: RecordReader): number {
    const known = this.readers.get(reader);
    if (known !== undefined) return known;
    const nth = this.readers.size;
    this.readers.set(reader, nth);
    const { resource, provenance } = reader;
    worker.postMessage({ reader: nth, resource, provenance } satisfies Order);
    return nth;
  }

  private get isWorth(): boolean {
    if (this.worker !== undefined) return true;
    return this.expected >= this.options.worth && performance.now() - this.broke >= PEACE;
  }

  private started(): Worker {
    // On a busy machine the thread may take longer to start than it may be idle.
    this.idle ??= setTimeout(() => (this.ready ? void this.close() : this.idle?.refresh()), IDLE).unref();
    this.idle.refresh();
    if (this.worker !== undefined) return this.worker;
    const worker = new Worker(this.options.thread, { resourceLimits: LIMITS });
    worker.unref();
    this.worker = worker;
    worker.on('message', (message: ThreadMessage) => {
      if (this.worker === worker) this.receive(message);
    });
    // That ends it.
    worker.on('error', (error: Error) => {
      this.broke = performance.now();
      this.options.broken(error);
    });
    worker.once('exit', () => {
      if (this.worker === worker) this.gone();
    });
    return worker;
  }

  private receive(message: ThreadMessage): void {
    if (message === 'ready') {
      this.ready = true;
      return;
    }
    const given = this.given.get(message.nth);
    this.given.delete(message.nth);
    this.line -= given?.body.length ?? 0;
    if ('page' in message) given?.resolve(message.page);
    else given?.reject(new SourceFailure(message.reason, message.message));
  }

  private gone(): void {
    clearTimeout(this.idle);
    this.idle = this.worker = undefined;
    this.ready = false;
    this.line = 0;
    this.readers.clear();
    const left = [...this.given.values()];
    this.given.clear();
    for (const { body, as, now, resolve } of left) resolve(readBody(body, as, now));
  }
}
