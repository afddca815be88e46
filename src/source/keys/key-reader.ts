import { createHash } from 'node:crypto';
import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import { WorkerPool } from '../../workers/worker-pool.js';
import type { KeyFingerprints } from './key-reader-thread.js';

export type { KeyFingerprints } from './key-reader-thread.js';

/** How keys are read, where that is not as a server does it. */
export interface KeyReaderOptions {
  /** The module that the thread runs. */
  readonly module: URL;
  /** Milliseconds for one batch of keys, the start of the thread included. */
  readonly timeout: number;
  /** Called with the error of a batch that could not be read. */
  readonly onError: (error: Error) => void;
}

const DEFAULTS: KeyReaderOptions = {
  module: new URL('key-reader-thread.js', import.meta.url),
  timeout: 10_000,
  onError: () => undefined,
};

/** Memory of the thread in MiB: the library takes some 30. */
const THREAD_MEMORY = 96;

/** Texts that are remembered: a few megabytes. */
const MAX_CACHED_TEXTS = 10_000;

/** Characters of a text that is read: a key with thousands of signatures is left alone. */
const MAX_TEXT_LENGTH = 256 * 1024;

/** Texts, and characters of them, that are handed to the thread at once: some tenths of a second of work. */
const BATCH_LIMITS = { texts: 64, characters: 512 * 1024 };

/** Milliseconds for which no key is read after a batch failed: what broke the thread may come again at once. */
const PAUSE_AFTER_FAILURE = 60_000;

/**
 * Reads armored OpenPGP public keys in a worker thread, each text once as long as it is remembered. Where the thread cannot start, or broke a moment ago,
 * nothing is known of keys: callers go on without.
 */
export class KeyReader {
  private readonly options: KeyReaderOptions;
  private readonly pool: WorkerPool<readonly string[], readonly (KeyFingerprints | null)[]>;
  /** By hash of the text, the one used longest ago first; null for what is no key. */
  private readonly cache = new Map<string, KeyFingerprints | null>();
  /** When a batch failed, by the clock of `performance`. */
  private failedAt = -Infinity;

  constructor(options: Partial<KeyReaderOptions> = {}) {
    this.options = { ...DEFAULTS, ...options };
    const { module, timeout } = this.options;
    this.pool = new WorkerPool({ module, memory: THREAD_MEMORY, timeout });
  }

  /** What these texts hold, by text; what cannot be read is left out. Never rejects. */
  async read(texts: Iterable<string>): Promise<ReadonlyMap<string, KeyFingerprints>> {
    const found = new Map<string, KeyFingerprints>();
    const unknown = new Map<string, string>();
    await forEachTimeSliced(new Set(texts), (text) => {
      if (text.length > MAX_TEXT_LENGTH) return;
      const hash = createHash('sha256').update(text).digest('base64');
      const facts = this.cache.get(hash);
      if (facts === undefined) unknown.set(text, hash);
      else this.remember(hash, facts);
      if (facts) found.set(text, facts);
    });
    for (const batch of splitIntoBatches([...unknown.keys()])) {
      const read = await this.readBatch(batch);
      read.forEach((facts, at) => {
        const text = batch[at] ?? '';
        this.remember(unknown.get(text) ?? '', facts);
        if (facts !== null) found.set(text, facts);
      });
    }
    return found;
  }

  /** Gives up what is being read. */
  close(): void {
    this.pool.close();
  }

  private async readBatch(texts: readonly string[]): Promise<readonly (KeyFingerprints | null)[]> {
    if (performance.now() - this.failedAt < PAUSE_AFTER_FAILURE) return [];
    try {
      return await this.pool.run(texts);
    } catch (error) {
      this.failedAt = performance.now();
      this.options.onError(error instanceof Error ? error : new Error(String(error)));
      return [];
    }
  }

  private remember(hash: string, facts: KeyFingerprints | null): void {
    this.cache.delete(hash);
    this.cache.set(hash, facts);
    const [oldest] = this.cache.keys();
    if (this.cache.size > MAX_CACHED_TEXTS && oldest !== undefined) this.cache.delete(oldest);
  }
}

function splitIntoBatches(texts: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let room = { texts: 0, characters: 0 };
  for (const text of texts) {
    if (room.texts === 0 || room.characters < text.length) {
      batches.push([]);
      room = { ...BATCH_LIMITS };
    }
    batches.at(-1)?.push(text);
    room = { texts: room.texts - 1, characters: room.characters - text.length };
  }
  return batches;
}
