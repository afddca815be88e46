import { createHash } from 'node:crypto';
import { inTurns } from '../model/slices.js';
import { WorkerPool } from '../workers/pool.js';
import type { KeyFacts } from './key-thread.js';

export type { KeyFacts } from './key-thread.js';

/** How keys are read, where that is not as a server does it. */
export interface KeyReaderOptions {
  /** The module that the thread runs. */
  readonly module: URL;
  /** Milliseconds for one batch of keys, the start of the thread included. */
  readonly timeout: number;
  /** Called with the error of a batch that could not be read. */
  readonly broken: (error: Error) => void;
}

const DEFAULTS: KeyReaderOptions = {
  module: new URL('key-thread.js', import.meta.url),
  timeout: 10_000,
  broken: () => undefined,
};

/** Memory of the thread in MiB: the library takes some 30. */
const MEMORY = 96;

/** Texts that are remembered: a few megabytes. */
const MOST_KNOWN = 10_000;

/** Characters of a text that is read: a key with thousands of signatures is left alone. */
const LONGEST = 256 * 1024;

/** Texts, and characters of them, that are handed to the thread at once: some tenths of a second of work. */
const BATCH = { texts: 64, characters: 512 * 1024 };

/** Milliseconds for which no key is read after a batch failed: what broke the thread may come again at once. */
const PAUSE = 60_000;

/**
 * Reads armored OpenPGP public keys in a worker thread, each text once as long as it is remembered. Where the thread cannot start, or broke a moment ago,
 * nothing is known of keys: callers go on without.
 */
export class KeyReader {
  private readonly options: KeyReaderOptions;
  private readonly pool: WorkerPool<readonly string[], readonly (KeyFacts | null)[]>;
  /** By hash of the text, the one used longest ago first; null for what is no key. */
  private readonly known = new Map<string, KeyFacts | null>();
  /** When a batch failed, by the clock of `performance`. */
  private failedAt = -Infinity;

  constructor(options: Partial<KeyReaderOptions> = {}) {
    this.options = { ...DEFAULTS, ...options };
    const { module, timeout } = this.options;
    this.pool = new WorkerPool({ module, memory: MEMORY, timeout });
  }

  /** What these texts hold, by text; what cannot be read is left out. Never rejects. */
  async read(texts: Iterable<string>): Promise<ReadonlyMap<string, KeyFacts>> {
    const found = new Map<string, KeyFacts>();
    const unknown = new Map<string, string>();
    await inTurns(new Set(texts), (text) => {
      if (text.length > LONGEST) return;
      const hash = createHash('sha256').update(text).digest('base64');
      const facts = this.known.get(hash);
      if (facts === undefined) unknown.set(text, hash);
      else this.remember(hash, facts);
      if (facts) found.set(text, facts);
    });
    for (const batch of batchesOf([...unknown.keys()])) {
      const read = await this.batch(batch);
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

  private async batch(texts: readonly string[]): Promise<readonly (KeyFacts | null)[]> {
    if (performance.now() - this.failedAt < PAUSE) return [];
    try {
      return await this.pool.run(texts);
    } catch (error) {
      this.failedAt = performance.now();
      this.options.broken(error instanceof Error ? error : new Error(String(error)));
      return [];
    }
  }

  private remember(hash: string, facts: KeyFacts | null): void {
    this.known.delete(hash);
    this.known.set(hash, facts);
    const [oldest] = this.known.keys();
    if (this.known.size > MOST_KNOWN && oldest !== undefined) this.known.delete(oldest);
  }
}

function batchesOf(texts: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let room = { texts: 0, characters: 0 };
  for (const text of texts) {
    if (room.texts === 0 || room.characters < text.length) {
      batches.push([]);
      room = { ...BATCH };
    }
    batches.at(-1)?.push(text);
    room = { texts: room.texts - 1, characters: room.characters - text.length };
  }
  return batches;
}
