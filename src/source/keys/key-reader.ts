import { createHash } from 'node:crypto';
import type { Publish } from '../../events/event.js';
import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import { getErrorMessage } from '../../text/get-error-message.js';
import { MAX_KEY_TEXT_LENGTH, countArmorBlocks } from '../../text/repair-pgp-armor.js';
import { FairQueue } from '../../workers/fair-queue.js';
import { threadModule } from '../../workers/thread-module.js';
import { TaskAbortedError, WorkerThread } from '../../workers/worker-thread.js';
import { KeyFactsCache } from './key-facts-cache.js';
import type { KeyFacts, KeyReadDepth, KeyReadRequest } from './key-reader-thread.js';

export interface KeyReaderOptions {
  readonly module: URL;
  /** Milliseconds for one text, including the start of the thread. */
  readonly timeout: number;
  /** Milliseconds that a response waits for keys with their packets. */
  readonly patience: number;
  /** For texts that could not be read. */
  readonly publish: Publish;
}

const DEFAULTS: KeyReaderOptions = {
  module: threadModule('key-reader-thread'),
  timeout: 10_000,
  patience: 10_000,
  publish: () => undefined,
};

/** In MiB. The library takes about 30. */
const THREAD_MEMORY = 96;

/** Results without packets: those of some ten thousand usual keys. */
const MAX_FACTS_BYTES = 8 * 1024 * 1024;

/** Results with packets: as many. A keyring reads all keys of its page (decisions 3.17); clients may request many. */
const MAX_PACKET_BYTES = 32 * 1024 * 1024;

/** Milliseconds in which no key is read: the cause may occur again at once. */
const PAUSE_AFTER_FAILURE = 60_000;

/** Milliseconds for which a text is left out that exceeded the thread's time or memory. */
const PAUSE_OF_SLOW_TEXT = 600_000;

export interface SourceKeyText {
  readonly text: string;
  readonly source: string;
}

interface KeyReadOptions {
  /** Code of the texts' source. Absent: a person waits for them. */
  readonly source?: string;
  readonly depth?: Exclude<KeyReadDepth, 'packets'>;
}

/**
 * Reads armored OpenPGP public keys in a worker thread (decisions 4.24; decision record 0016), one text at a time;
 * sources take turns. A text is read again only after its result was evicted. One that exceeds the thread's time or
 * memory is left out alone for some minutes. If the thread cannot start or failed recently, texts without a cached
 * result are left out, and callers continue without them.
 */
export class KeyReader {
  private readonly options: KeyReaderOptions;
  private readonly thread: WorkerThread<KeyReadRequest, KeyFacts | null>;
  private readonly queue = new FairQueue();
  private readonly facts = new KeyFactsCache(MAX_FACTS_BYTES);
  private readonly packets = new KeyFactsCache(MAX_PACKET_BYTES);
  /** On the clock of `performance`. */
  private failedAt = -Infinity;

  constructor(options: Partial<KeyReaderOptions> = {}) {
    this.options = { ...DEFAULTS, ...options };
    const { module, timeout } = this.options;
    this.thread = new WorkerThread({ module, memory: THREAD_MEMORY, timeout });
  }

  /** By text, with `details` also what keys say about themselves. Omits texts without a readable key. Never rejects. */
  async read(
    texts: Iterable<string>,
    { source = '', depth = 'fingerprints' }: KeyReadOptions = {},
  ): Promise<ReadonlyMap<string, KeyFacts>> {
    const found = new Map<string, KeyFacts>();
    const reading: Promise<void>[] = [];
    await forEachTimeSliced(new Set(texts), (text) => {
      const add = (facts: KeyFacts | null | undefined): void => {
        if (facts && facts.primary.length > 0) found.set(text, facts);
      };
      reading.push(this.readText({ text, source }, depth).then(add));
    });
    await Promise.all(reading);
    return found;
  }

  /**
   * By text, without unreadable ones. `late`: not read in time; the next call may find it. Undefined where the thread
   * cannot read at present, so that no key is missing unnoticed. Never rejects.
   */
  async readPackets(texts: Iterable<SourceKeyText>): Promise<ReadonlyMap<string, KeyFacts | 'late'> | undefined> {
    const found = new Map<string, KeyFacts | 'late'>();
    const patience = AbortSignal.timeout(this.options.patience);
    const isOver = new Promise((resolve) => patience.addEventListener('abort', resolve));
    const unavailable = new Set<string>();
    const reading: Promise<void>[] = [];
    await forEachTimeSliced(texts, (one) => {
      if (found.has(one.text)) return;
      found.set(one.text, 'late');
      const add = (facts: KeyFacts | null | undefined): void => {
        if (patience.aborted) return;
        if (facts === undefined) unavailable.add(one.text);
        else if (facts === null) found.delete(one.text);
        else found.set(one.text, facts);
      };
      reading.push(this.readText(one, 'packets', patience).then(add));
    });
    await Promise.race([Promise.all(reading), isOver]);
    return unavailable.size === 0 ? found : undefined;
  }

  close(): void {
    this.thread.close();
  }

  /** Null if unreadable; undefined where the thread cannot read at present, or `signal` was aborted. */
  private async readText(
    { text, source }: SourceKeyText,
    depth: KeyReadDepth,
    signal?: AbortSignal,
  ): Promise<KeyFacts | null | undefined> {
    if (text.length > MAX_KEY_TEXT_LENGTH) return null;
    const cache = depth === 'packets' ? this.packets : this.facts;
    const hash = `${depth} ${createHash('sha256').update(text).digest('base64')}`;
    const known = cache.get(hash);
    if (known !== undefined) return known;
    return this.queue.run(source, async () => {
      // Another caller may have had the text read meanwhile.
      const knownNow = cache.get(hash);
      if (knownNow !== undefined || signal?.aborted === true) return knownNow;
      return this.readNow({ text, source }, depth, (facts, lifetime) => cache.put(hash, facts, lifetime));
    });
  }

  private async readNow(
    { text, source }: SourceKeyText,
    depth: KeyReadDepth,
    remember: (facts: KeyFacts | null, lifetime?: number) => void,
  ): Promise<KeyFacts | null | undefined> {
    if (performance.now() - this.failedAt < PAUSE_AFTER_FAILURE) return undefined;
    try {
      const facts = await this.thread.run({ text, depth });
      remember(facts);
      return facts;
    } catch (error) {
      const message = getErrorMessage(error);
      if (!(error instanceof TaskAbortedError) || error.reason === 'closed') {
        this.failedAt = performance.now();
        this.reportFailure(`${message}; no key is read for a minute`);
        return undefined;
      }
      const of = source === '' ? '' : ` of ${source}`;
      this.reportFailure(`a key${of} is left out for ten minutes: ${message}`);
      const slow = { primary: [], subkeys: [], readBlocks: 0, slowBlocks: countArmorBlocks(text).publicKeys };
      remember(slow, PAUSE_OF_SLOW_TEXT);
      return slow;
    }
  }

  private reportFailure(error: string): void {
    this.options.publish({ type: 'PGP keys could not be read', error });
  }
}
