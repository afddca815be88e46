import type { Publish } from '../events/event.js';
import { getErrorMessage } from '../text/get-error-message.js';
import { FairQueue } from '../workers/fair-queue.js';
import { isClosed } from '../workers/worker-thread.js';
import { searchRecords } from './ranking/search-records.js';
import type { SearchResult, SearchTask } from './ranking/search-records.js';
import type { SearchThreads } from './search-threads.js';

export interface SearchOptions {
  /** Equal for two tasks that differ in their indexes at most. */
  readonly key: string;
  /** Clients take turns. */
  readonly client: string;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
}

interface SharedSearch {
  readonly indexes: readonly SharedArrayBuffer[];
  readonly result: Promise<SearchResult | undefined>;
  readonly signals: AbortSignal[];
  /** Once at most. */
  readonly start: () => Promise<void>;
}

/** One search at a time, the clients in turn. Equal searches in equal indexes share one. */
export class SharedSearches {
  private readonly searches = new Map<string, SharedSearch>();
  private readonly turns = new FairQueue();

  constructor(
    private readonly threads: Pick<SearchThreads, 'search'> | undefined,
    private readonly publish: Publish,
  ) {}

  /** Undefined where the thread exceeds a limit or ends, or nobody waits. Never rejects. */
  search(task: SearchTask, { key, client, signal }: SearchOptions): Promise<SearchResult | undefined> {
    const indexes = task.sources.map(({ index }) => index);
    const known = this.searches.get(key);
    const shared = known !== undefined && areEqual(known.indexes, indexes) ? known : this.share(key, task, indexes);
    shared.signals.push(signal);
    // Each client has a turn for it, so that it does not wait behind other searches of another client.
    void this.turns.run(client, shared.start);
    return shared.result;
  }

  private share(key: string, task: SearchTask, indexes: SharedSearch['indexes']): SharedSearch {
    const signals: AbortSignal[] = [];
    let finish: (result: SearchResult | undefined) => void = () => undefined;
    const result = new Promise<SearchResult | undefined>((resolve) => {
      finish = resolve;
    });
    let isStarted = false;
    const start = async (): Promise<void> => {
      if (isStarted) return;
      isStarted = true;
      finish(signals.every(({ aborted }) => aborted) ? undefined : await this.searchNow(task));
      if (this.searches.get(key) === shared) this.searches.delete(key);
    };
    const shared: SharedSearch = { indexes, result, signals, start };
    this.searches.set(key, shared);
    return shared;
  }

  private async searchNow(task: SearchTask): Promise<SearchResult | undefined> {
    const { threads } = this;
    try {
      return threads === undefined || task.sources.length === 0 ? searchRecords(task) : await threads.search(task);
    } catch (error) {
      if (!isClosed(error)) this.publish({ type: 'search failed', error: getErrorMessage(error) });
      return undefined;
    }
  }
}

function areEqual(some: readonly SharedArrayBuffer[], others: readonly SharedArrayBuffer[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}
