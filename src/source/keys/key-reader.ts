import { createHash } from 'node:crypto';
import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import { MAX_KEY_TEXT_LENGTH } from '../../text/repair-pgp-armor.js';
import { WorkerThread } from '../../workers/worker-thread.js';
import type { KeyFacts, KeyReadDepth, KeyReadRequest } from './key-reader-thread.js';
import { PacketCache } from './packet-cache.js';

/** Options of a `KeyReader`. */
export interface KeyReaderOptions {
  /** Module that the thread runs. */
  readonly module: URL;
  /** Milliseconds for one batch of keys, including the start of the thread. */
  readonly timeout: number;
  /** Called with the error of a batch that could not be read. */
  readonly onError: (error: Error) => void;
}

const DEFAULTS: KeyReaderOptions = {
  module: new URL('key-reader-thread.js', import.meta.url),
  timeout: 10_000,
  onError: () => undefined,
};

/** Memory limit of the thread in MiB. The library takes about 30. */
const THREAD_MEMORY = 96;

/** Maximum number of texts whose result is cached: a few megabytes. */
const MAX_CACHED_TEXTS = 10_000;

/** Maximum number of texts, and of their characters, in one batch: some tenths of a second of work. */
const BATCH_LIMITS = { texts: 64, characters: 512 * 1024 };

/** Milliseconds after a failed batch in which no key is read, because the cause may occur again at once. */
const PAUSE_AFTER_FAILURE = 60_000;

/**
 * Reads armored OpenPGP public keys in a worker thread (decisions 4.24; decision record 0016). A text is read again
 * only after its result was evicted. If the thread cannot start or failed recently, texts without a cached result are
 * left out, and callers continue without them.
 */
export class KeyReader {
  private readonly options: KeyReaderOptions;
  private readonly pool: WorkerThread<KeyReadRequest, readonly (KeyFacts | null)[]>;
  /** Results by what was read and the hash of the text, least recently used first; null for an unreadable text. */
  private readonly cache = new Map<string, KeyFacts | null>();
  private readonly packetCache = new PacketCache();
  /** Settles when no batch of packets is being read. */
  private lastPackets: Promise<unknown> = Promise.resolve();
  /** Time of the last failed batch, on the clock of `performance`. */
  private failedAt = -Infinity;

  constructor(options: Partial<KeyReaderOptions> = {}) {
    this.options = { ...DEFAULTS, ...options };
    const { module, timeout } = this.options;
    this.pool = new WorkerThread({ module, memory: THREAD_MEMORY, timeout });
  }

  /**
   * Returns the fingerprints of these texts, by text, and with `details` what the keys say about themselves. Unreadable
   * texts are left out. Never rejects.
   */
  async read(
    texts: Iterable<string>,
    depth: Exclude<KeyReadDepth, 'packets'> = 'fingerprints',
  ): Promise<ReadonlyMap<string, KeyFacts>> {
    const found = new Map<string, KeyFacts>();
    const unknown = new Map<string, string>();
    await forEachTimeSliced(new Set(texts), (text) => {
      if (text.length > MAX_KEY_TEXT_LENGTH) return;
      const key = `${depth} ${createHash('sha256').update(text).digest('base64')}`;
      const facts = this.cache.get(key);
      if (facts === undefined) unknown.set(text, key);
      else this.remember(key, facts);
      if (facts) found.set(text, facts);
    });
    for (const batch of splitIntoBatches([...unknown.keys()])) {
      const read = await this.readBatch({ texts: batch, depth });
      read?.forEach((facts, at) => {
        const text = batch[at] ?? '';
        this.remember(unknown.get(text) ?? '', facts);
        if (facts !== null) found.set(text, facts);
      });
    }
    return found;
  }

  /**
   * Returns the details and the packets of the keys in these texts, by text; unreadable texts are left out. Undefined where
   * the thread cannot read at present, so that no key is missing unnoticed. Never rejects.
   */
  async readPackets(texts: Iterable<string>): Promise<ReadonlyMap<string, KeyFacts> | undefined> {
    const found = new Map<string, KeyFacts>();
    const readable = [...new Set(texts)].filter((text) => text.length <= MAX_KEY_TEXT_LENGTH);
    for (const batch of splitIntoBatches(readable)) {
      // One batch at a time, so that callers who read the same keys at once find them in the cache.
      const reading = this.lastPackets.then(() => this.readPacketBatch(batch));
      this.lastPackets = reading;
      const read = await reading;
      if (read === undefined) return undefined;
      for (const [text, facts] of read) if (facts !== null) found.set(text, facts);
    }
    return found;
  }

  /** The facts of each text, from the cache where possible. Undefined where the thread cannot read at present. */
  private async readPacketBatch(texts: readonly string[]): Promise<ReadonlyMap<string, KeyFacts | null> | undefined> {
    const found = new Map(texts.map((text) => [text, this.packetCache.get(text)] as const));
    const unknown = texts.filter((text) => found.get(text) === undefined);
    const read = unknown.length === 0 ? [] : await this.readBatch({ texts: unknown, depth: 'packets' });
    read?.forEach((facts, at) => {
      const text = unknown[at] ?? '';
      found.set(text, facts);
      this.packetCache.put(text, facts);
    });
    return read && new Map([...found].map(([text, facts = null]) => [text, facts]));
  }

  /** Ends the reading in progress. */
  close(): void {
    this.pool.close();
  }

  /** Undefined where the thread failed now or recently. */
  private async readBatch(request: KeyReadRequest): Promise<readonly (KeyFacts | null)[] | undefined> {
    if (performance.now() - this.failedAt < PAUSE_AFTER_FAILURE) return undefined;
    try {
      return await this.pool.run(request);
    } catch (error) {
      this.failedAt = performance.now();
      this.options.onError(error instanceof Error ? error : new Error(String(error)));
      return undefined;
    }
  }

  private remember(key: string, facts: KeyFacts | null): void {
    this.cache.delete(key);
    this.cache.set(key, facts);
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
