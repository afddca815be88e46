import { MessageChannel } from 'node:worker_threads';
import { iterateTimeSliced } from '../event-loop/time-slicing.js';
import { threadModule } from '../workers/thread-module.js';
import { WorkerThread } from '../workers/worker-thread.js';
import type { BuiltIndex, IndexTask, RecordChunk } from './index/index-thread.js';
import type { SearchResult, SearchTask } from './ranking/search-records.js';

export interface SearchThreadModules {
  readonly index: URL;
  readonly search: URL;
}

const MODULES: SearchThreadModules = {
  index: threadModule('index-thread'),
  search: threadModule('search-thread'),
};

/** Limits of the heaps in MiB. What the threads share and sort is outside of the heap. */
const MEMORY = { index: 1_024, search: 256 };

/** Milliseconds for one index, and one search. */
const TIMEOUT = { index: 120_000, search: 10_000 };

/**
 * In characters: some seconds of work at most. Small lists have a thread of their own, so they do not wait for larger
 * ones.
 */
const MAX_SMALL_LIST = 2_097_152;

/**
 * One thread for the indexes of small lists, one for large ones, and one that searches. Each does one task at a time,
 * in the order of the requests. They start with their first task, and end when idle.
 */
export class SearchThreads {
  private readonly smallIndexer: WorkerThread<IndexTask, BuiltIndex>;
  private readonly largeIndexer: WorkerThread<IndexTask, BuiltIndex>;
  private readonly searcher: WorkerThread<SearchTask, SearchResult>;

  constructor(replacedModules: Partial<SearchThreadModules> = {}) {
    const modules = { ...MODULES, ...replacedModules };
    const indexer = { module: modules.index, memory: MEMORY.index, timeout: TIMEOUT.index };
    this.smallIndexer = new WorkerThread(indexer);
    this.largeIndexer = new WorkerThread(indexer);
    this.searcher = new WorkerThread({
      module: modules.search,
      memory: MEMORY.search,
      timeout: TIMEOUT.search,
    });
  }

  /**
   * `listChunks` is called when it is its turn, again where the list is large. Each chunk is produced when the thread
   * requests it, in slices of the event loop. Rejects where the thread exceeds a limit or cannot be started.
   */
  async buildIndex(listChunks: () => Iterable<RecordChunk>): Promise<BuiltIndex> {
    try {
      return await buildIn(this.smallIndexer, readSmallList(listChunks));
    } catch (error) {
      if (!(error instanceof LargeListError)) throw error;
      return await buildIn(this.largeIndexer, readList(listChunks));
    }
  }

  /** Rejects as `buildIndex` does. */
  search(task: SearchTask): Promise<SearchResult> {
    return this.searcher.run(task);
  }

  close(): void {
    for (const thread of [this.smallIndexer, this.largeIndexer, this.searcher]) thread.close();
  }
}

async function buildIn(
  thread: WorkerThread<IndexTask, BuiltIndex>,
  chunks: AsyncIterator<RecordChunk, void, undefined>,
): Promise<BuiltIndex> {
  const { port1, port2 } = new MessageChannel();
  const failures: unknown[] = [];
  port1.on('message', () => {
    void chunks
      .next()
      .catch((error: unknown) => {
        failures.push(error);
        return { value: undefined };
      })
      .then(({ value }) => {
        port1.postMessage(value ?? END);
      });
  });
  try {
    const built = await thread.run({ chunks: port2 }, { transfer: [port2] });
    if (failures[0] instanceof LargeListError) throw failures[0];
    if (failures.length > 0) throw new Error('the records could not be read', { cause: failures[0] });
    return built;
  } finally {
    port1.close();
  }
}

/** A generator, so that the list is not read before the first chunk is requested. */
async function* readList(listChunks: () => Iterable<RecordChunk>): AsyncGenerator<RecordChunk, void, undefined> {
  yield* iterateTimeSliced(listChunks());
}

class LargeListError extends Error {}

/** Throws a {@link LargeListError} for another list, before its first chunk. */
async function* readSmallList(listChunks: () => Iterable<RecordChunk>): AsyncGenerator<RecordChunk, void, undefined> {
  const chunks: RecordChunk[] = [];
  let characters = 0;
  for await (const chunk of iterateTimeSliced(listChunks())) {
    chunks.push(chunk);
    for (const texts of chunk.texts) for (const { length } of texts) characters += length;
    if (characters > MAX_SMALL_LIST) throw new LargeListError();
  }
  yield* chunks;
}

const END: RecordChunk = { ids: [], texts: [], longIds: [] };
