import type { AccessKey } from '../model/access-level.js';
import { findSnapshot, getViaHops, isTooLarge } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import type { Query } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import { dependsOnPgpKeys, showsPgpKeys } from '../plan/pgp-key-dependency.js';
import type { SnapshotAvailability } from '../plan/source-plan.js';
import { findMatches } from '../records/query-record-set.js';
import type { RecordSet } from '../records/record-set.js';
import type { BuiltIndex } from '../search/index/index-thread.js';
import type { SearchEngine } from '../search/search-engine.js';
import type { SearchResult } from '../search/ranking/search-records.js';
import { parseSearchText } from '../search/text/search-request.js';
import { createDeadlineSignal } from '../source/client/timeout.js';
import { createSourceRequestContext } from '../source/request/source-request-context.js';
import type { SourceRequestContext } from '../source/request/source-request-context.js';
import type { Snapshot } from '../source/snapshot/snapshot.js';
import type { RecordsRequest } from '../source/source.js';
import type { FanOut } from './fan-out.js';

/** A source whose records are searched. */
export interface IndexableSource {
  readonly code: string;
  readonly sourceName: string;
  readonly aggregate: boolean;
  readonly number: number;
  getRecords(request: RecordsRequest, context: SourceRequestContext): Promise<Outcome<Snapshot>>;
}

/** A record set of a source with its index. */
interface IndexedSet<S> {
  readonly source: S;
  readonly set: RecordSet;
  readonly built: BuiltIndex;
}

/** Milliseconds that a search has at least, also where a source used up the time of the request. */
const MIN_SEARCH_TIME = 1_000;

/** One search by relevance in the complete lists of sources (decisions 2.40). */
export class IndexedSearch<S extends IndexableSource> {
  private indexed: readonly IndexedSet<S>[] = [];
  /** Whether a source is `partial`, reason `index`. */
  hasUnindexedSource = false;

  constructor(
    private readonly searchEngine: SearchEngine,
    private readonly round: FanOut<S>,
  ) {}

  /** The record sets that are searched, in the order of the numbers of their sources. */
  get sets(): readonly RecordSet[] {
    return this.indexed.map(({ set }) => set);
  }

  /**
   * Requests the complete lists of sources and, as soon as one is received, its index. A source without one is `partial`
   * from then on, without records.
   */
  async requestIndexes(selected: readonly S[], request: RecordsRequest): Promise<void> {
    const { round } = this;
    const indexed = await Promise.all(
      selected.map(async (source) => {
        await round.request(source, (context) => source.getRecords(request, context));
        return this.findIndex(source, request);
      }),
    );
    this.indexed = indexed.filter((one) => one !== undefined).sort((a, b) => a.source.number - b.source.number);
  }

  /**
   * Searches the records for at most so many milliseconds. Returns undefined where that fails; all sources are then
   * `partial`, without records. Without any hit, so are those with a record that is too long to be searched as a whole.
   */
  async search({ search, predicates, offset, limit }: Query, milliseconds: number): Promise<SearchResult | undefined> {
    const sources = this.indexed.map(async ({ set, built: { index } }) => ({
      index,
      ...(predicates.length > 0 && { allowed: (await findMatches(set, predicates)).flags }),
    }));
    const task = {
      request: parseSearchText(search?.text ?? ''),
      searchesKeys: search?.includesKeys === true,
      sources: await Promise.all(sources),
      offset,
      limit,
    };
    const signal = createDeadlineSignal(Math.max(MIN_SEARCH_TIME, milliseconds));
    const result = await untilAborted(this.searchEngine.search(task, signal), signal);
    const isUnsearched = ({ built }: IndexedSet<S>): boolean =>
      result === undefined || (result.total === 0 && built.longIds.length > 0);
    for (const { source } of this.indexed.filter(isUnsearched)) this.reportNotIndexed(source);
    return result;
  }

  /** Makes a source `partial`, without records. The gateways behind it remain known (decisions 5.22). */
  private reportNotIndexed(source: S): void {
    const outcome = this.round.outcomeOf(source)?.outcome;
    const via = outcome === undefined ? [] : getViaHops(outcome);
    this.round.replace(source, { state: 'partial', reason: 'index', ...(via.length > 0 && { via }) });
    this.hasUnindexedSource = true;
  }

  private async findIndex(source: S, request: RecordsRequest): Promise<IndexedSet<S> | undefined> {
    const { round } = this;
    const outcome = round.outcomeOf(source)?.outcome;
    if (outcome === undefined) return undefined;
    const set = findSnapshot(outcome)?.set;
    const built = await getListIndex(this.searchEngine, { source, request, outcome }, round.contextFor(source).signal);
    if (set !== undefined && built !== undefined) return { source, set, built };
    if (set !== undefined || isTooLarge(outcome)) this.reportNotIndexed(source);
    return undefined;
  }
}

/** A source whose cached lists can be indexed before the first search. */
interface CachedSource extends IndexableSource {
  availability(list: Pick<Query, 'resource'>): SnapshotAvailability;
}

/**
 * Indexes the complete lists of a source that are cached, so that the first search does not wait for that. Ends when each is
 * indexed or cannot be, or the signal is aborted. Never rejects.
 */
export async function indexCachedLists(
  source: CachedSource,
  resources: readonly Resource[],
  { searchEngine, signal }: { readonly searchEngine: SearchEngine; readonly signal: AbortSignal },
): Promise<void> {
  const isCached = (resource: Resource): boolean => ['fresh', 'stale'].includes(source.availability({ resource }));
  const indexList = async (resource: Resource): Promise<void> => {
    const request: RecordsRequest = { resource, scope: 'public' };
    const outcome = await source.getRecords(request, createSourceRequestContext(signal));
    await getListIndex(searchEngine, { source, request, outcome }, signal);
  };
  await Promise.all(resources.filter(isCached).map(indexList));
}

/** A list that was requested of a source. */
interface RequestedList {
  readonly source: IndexableSource;
  readonly request: RecordsRequest;
  readonly outcome: Outcome<Snapshot>;
}

/** Returns the index of a list; undefined where it is not complete, cannot be indexed, or the signal is aborted. */
async function getListIndex(
  searchEngine: SearchEngine,
  { source, request: { scope }, outcome }: RequestedList,
  signal: AbortSignal,
): Promise<BuiltIndex | undefined> {
  const set = findSnapshot(outcome)?.set;
  if (set === undefined || set.hasMore || (outcome.state === 'partial' && isTooLarge(outcome))) return undefined;
  const key: AccessKey = `${set.access} ${set.resource.name} ${scope} ${source.number}`;
  return untilAborted(searchEngine.getIndex(key, set), signal);
}

/**
 * Creates the request of a search: for all records of a source, with their keys where a key is searched. A private search
 * always requests the keys, because its requests must not depend on its text (decisions 8.7).
 */
export function searchRequestFor(query: Query, isPrivate: boolean): RecordsRequest {
  const { resource, scope } = query;
  const readsKeys = dependsOnPgpKeys(query);
  if (showsPgpKeys(scope)) return { resource, scope, readsKeys };
  // The records are the same in all other scopes, which show different properties of them. Directory teams have no scopes.
  const needsKeyScope = (readsKeys || isPrivate) && resource.derivedKeyProperty === undefined;
  return { resource, scope: needsKeyScope ? 'pgp' : 'public', readsKeys };
}

/** Returns a value, or undefined if the signal is aborted first. A value that is there already is returned in any case. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      resolve(undefined);
    };
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', stop);
    });
    if (signal.aborted) setImmediate(stop);
    else signal.addEventListener('abort', stop, { once: true });
  });
}
