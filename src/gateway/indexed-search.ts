import { findSnapshot, getViaNames, isTooLarge } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import type { Query } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import { dependsOnPgpKeys, showsPgpKeys } from '../plan/pgp-key-dependency.js';
import type { SnapshotAvailability } from '../plan/source-plan.js';
import { findMatches } from '../records/query-record-set.js';
import type { RecordSet } from '../records/record-set.js';
import type { IndexedSnapshot, SearchEngine, SearchedSnapshot } from '../search/search-engine.js';
import type { SearchResult } from '../search/ranking/search-records.js';
import { parseSearchText } from '../search/text/search-request.js';
import { createDeadlineSignal } from '../source/client/timeout.js';
import { createSourceRequestContext } from '../source/request/source-request-context.js';
import type { SourceRequestContext } from '../source/request/source-request-context.js';
import type { Snapshot } from '../lists/snapshot.js';
import type { RecordsRequest } from '../lists/source/source.js';
import type { FanOut } from './fan-out.js';

interface IndexableSource {
  readonly code: string;
  readonly sourceName: string;
  readonly aggregate: boolean;
  readonly number: number;
  getRecords(request: RecordsRequest, context: SourceRequestContext): Promise<Outcome<Snapshot>>;
}

interface IndexedSource<S> extends IndexedSnapshot {
  readonly source: S;
}

/** In milliseconds, also where a source used up the time of the request. */
const MIN_SEARCH_TIME = 1_000;

/** One search in the complete lists of sources (decisions 2.40). */
export class IndexedSearch<S extends IndexableSource> {
  private indexed: readonly IndexedSource<S>[] = [];
  /** A source is not searched in its present records: it is `partial` or `stale`, reason `index`. */
  lacksPresentRecords = false;

  constructor(
    private readonly searchEngine: SearchEngine,
    private readonly round: FanOut<S>,
  ) {}

  /** In the order of the numbers of their sources. */
  get sets(): readonly RecordSet[] {
    return this.indexed.map(({ snapshot }) => snapshot.set);
  }

  /**
   * Requests the complete lists and, as soon as one is received, its index. A source is then `stale` where an earlier
   * index answers, with the snapshot of that time, and `partial`, without records, where there is no index.
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

  /** When it is the turn of the client. Undefined where that fails; all sources are then `partial`, without records. */
  async search(query: Query, client: string, milliseconds: number): Promise<SearchResult | undefined> {
    const { search, predicates, offset, limit } = query;
    const sources = this.indexed.map(async ({ snapshot: { set }, built: { index } }) => ({
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
    const key = JSON.stringify([query.canonicalKey, search, offset, limit]);
    const result = await untilAborted(this.searchEngine.search(task, { key, client, signal }), signal);
    if (result === undefined) for (const { source } of this.indexed) this.reportNotIndexed(source);
    return result;
  }

  /** `partial`, without records. The gateways behind the source remain known (decisions 5.22). */
  private reportNotIndexed(source: S): void {
    const outcome = this.round.outcomeOf(source)?.outcome;
    const via = outcome === undefined ? [] : getViaNames(outcome);
    this.round.replace(source, { state: 'partial', reason: 'index', ...(via.length > 0 && { via }) });
    this.lacksPresentRecords = true;
  }

  private async findIndex(source: S, request: RecordsRequest): Promise<IndexedSource<S> | undefined> {
    const { round } = this;
    const outcome = round.outcomeOf(source)?.outcome;
    if (outcome === undefined) return undefined;
    const set = findSnapshot(outcome)?.set;
    const list = findSearchedList({ source, request, outcome });
    const { signal } = round.contextFor(source);
    const found = list && (await this.searchEngine.getIndex(list.key, list.searched, signal));
    if (found !== undefined && found.snapshot.set === set) return { source, ...found };
    // In place of a list that is not complete, an earlier one would promise too much.
    if (found !== undefined && isComplete(outcome)) {
      const { snapshot } = found;
      // A source that could not be asked stays one: its reason is not `index`.
      const isStale = outcome.state === 'stale';
      round.replace(source, isStale ? { ...outcome, snapshot } : { state: 'stale', reason: 'index', snapshot });
      this.lacksPresentRecords = true;
      return { source, ...found };
    }
    if (set !== undefined || isTooLarge(outcome)) this.reportNotIndexed(source);
    return undefined;
  }
}

/**
 * Indexes the complete cached lists of a source, so that the first search does not wait. Ends when each is indexed or
 * cannot be, or the signal is aborted. Never rejects.
 */
export async function indexCachedLists(
  source: IndexableSource & { availability(list: Pick<Query, 'resource'>): SnapshotAvailability },
  resources: readonly Resource[],
  { searchEngine, signal }: { readonly searchEngine: SearchEngine; readonly signal: AbortSignal },
): Promise<void> {
  const isCached = (resource: Resource): boolean => ['fresh', 'stale'].includes(source.availability({ resource }));
  const indexList = async (resource: Resource): Promise<void> => {
    const request: RecordsRequest = { resource, scope: 'public' };
    const outcome = await source.getRecords(request, createSourceRequestContext(signal));
    const list = findSearchedList({ source, request, outcome });
    if (list !== undefined) await searchEngine.buildIndex(list.key, list.searched, signal);
  };
  await Promise.all(resources.filter(isCached).map(indexList));
}

interface RequestedList {
  readonly source: IndexableSource;
  readonly request: RecordsRequest;
  readonly outcome: Outcome<Snapshot>;
}

/** Undefined where the list does not have all records. */
function findSearchedList({
  source,
  request: { scope },
  outcome,
}: RequestedList): { readonly key: string; readonly searched: SearchedSnapshot } | undefined {
  const snapshot = findSnapshot(outcome);
  if (snapshot === undefined || snapshot.set.hasMore || (outcome.state === 'partial' && isTooLarge(outcome)))
    return undefined;
  const key = `${snapshot.set.resource.name} ${scope} ${source.number}`;
  return { key, searched: { snapshot, isComplete: isComplete(outcome) } };
}

function isComplete({ state }: Outcome<Snapshot>): boolean {
  return state === 'fresh' || state === 'stale';
}

/**
 * All records of a source, with their keys where a key is searched. A private search always requests the keys, because
 * its requests must not depend on its text (decisions 8.7).
 */
export function searchRequestFor(query: Query, isPrivate: boolean): RecordsRequest {
  const { resource, scope } = query;
  const readsKeys = dependsOnPgpKeys(query);
  if (showsPgpKeys(scope)) return { resource, scope, readsKeys };
  // All other scopes have the same records with different properties. Directory teams have no scopes.
  const needsKeyScope = (readsKeys || isPrivate) && resource.derivedKeyProperty === undefined;
  return { resource, scope: needsKeyScope ? 'pgp' : 'public', readsKeys };
}

/** Undefined if the signal is aborted first. A value that is there already is returned in any case. */
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
