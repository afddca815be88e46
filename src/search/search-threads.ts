import { MessageChannel } from 'node:worker_threads';
import { iterateTimeSliced } from '../event-loop/time-slicing.js';
import { WorkerThread } from '../workers/worker-thread.js';
import type { BuiltIndex, IndexTask, RecordChunk } from './index/index-thread.js';
import type { SearchResult, SearchTask } from './ranking/search-records.js';

/** Modules that the threads run. */
export interface SearchThreadModules {
  readonly index: URL;
  readonly search: URL;
}

const MODULES: SearchThreadModules = {
  index: new URL('index/index-thread.js', import.meta.url),
  search: new URL('search-thread.js', import.meta.url),
};

/** Limits of the heaps of the threads in MiB. What they share and what they sort is outside of the heap. */
const MEMORY = { index: 1_024, search: 256 };

/** Milliseconds for building one index, and for one search. */
const TIMEOUT = { index: 120_000, search: 10_000 };

/**
 * Builds indexes and searches in two worker threads: a search does not wait for the index of another source. The threads
 * start with their first task, and end when they are idle.
 */
export class SearchThreads {
  private readonly indexer: WorkerThread<IndexTask, BuiltIndex>;
  private readonly searcher: WorkerThread<SearchTask, SearchResult>;

  constructor(modules: SearchThreadModules = MODULES) {
    this.indexer = new WorkerThread({ module: modules.index, memory: MEMORY.index, timeout: TIMEOUT.index });
    this.searcher = new WorkerThread({
      module: modules.search,
      memory: MEMORY.search,
      timeout: TIMEOUT.search,
    });
  }

  /**
   * Builds the index of a list of records. Each chunk is produced when the thread requests it, in slices of the event loop.
   * Rejects where the thread exceeds a limit or cannot be started.
   */
  async buildIndex(chunks: Iterable<RecordChunk>): Promise<BuiltIndex> {
    const { port1, port2 } = new MessageChannel();
    const remaining = iterateTimeSliced(chunks);
    const failures: unknown[] = [];
    port1.on('message', () => {
      void remaining
        .next()
        .catch((error: unknown) => {
          failures.push(error);
          return { value: undefined };
        })
        .then(({ value = END }) => {
          port1.postMessage(value);
        });
    });
    try {
      const built = await this.indexer.run({ chunks: port2 }, { transfer: [port2] });
      if (failures.length > 0) throw new Error('the records could not be read', { cause: failures[0] });
      return built;
    } finally {
      port1.close();
    }
  }

  /** Searches. Rejects where the thread exceeds a limit or cannot be started, or the signal is aborted. */
  search(task: SearchTask, signal?: AbortSignal): Promise<SearchResult> {
    return this.searcher.run(task, { signal });
  }

  /** Ends the work in progress. */
  close(): void {
    this.indexer.close();
    this.searcher.close();
  }
}

const END: RecordChunk = { ids: [], texts: [], longIds: [] };
