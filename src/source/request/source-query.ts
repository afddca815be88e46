import type { SortKey } from '../../model/query.js';
import type { Resource } from '../../model/resource.js';
import { dataTeamsWithKeys } from '../../model/resources/data-teams.js';
import { feedEntries } from '../../model/resources/feed-entries.js';
import type { PushDown } from '../../plan/push-down.js';
import type { SourceParameters } from '../dialect/request-url.js';

/** What is requested from a source: a resource on the source's own interface, restricted by parameters. */
export interface SourceQuery {
  readonly resource: Resource;
  readonly parameters: SourceParameters;
  /** The source's own id of the one requested item. */
  readonly nativeId?: number;
  /** What the source is believed to evaluate correctly. Absent: nothing was pushed down, and no check is needed. */
  readonly pushDown?: PushedDownQuery;
  /**
   * Whether the list is fetched up to the memory limit of one list (`SourceServices.maxLargeListBytes`; decisions
   * 5.10). Otherwise it is fetched up to the source's `drain-threshold`.
   */
  readonly completeAtAnySize?: true;
}

/**
 * A query, or a part of one, for which the source is believed to return what Rollcall would compute itself (decisions
 * 5.11).
 */
export interface PushedDownQuery {
  /** Filters that every received record must meet. */
  readonly exact: PushDown['exact'];
  /** Whether the source counts exactly the matches of these filters. Otherwise its totals are ignored. */
  readonly hasExactTotal: boolean;
  /**
   * The first `first` records in this order are requested. Absent: all records. An empty order: only the number of
   * records.
   */
  readonly topRecords?: { readonly order: readonly SortKey[]; readonly first: number };
}

const NO_PARAMETERS: SourceParameters = Object.freeze({});

const COMPLETE_LISTS = new WeakMap<Resource, SourceQuery>();
const LARGE_COMPLETE_LISTS = new WeakMap<Resource, SourceQuery>();

/**
 * The complete list of a resource up to the source's `drain-threshold`. The same object for each call, so that its key
 * is computed only once.
 */
export function completeListQuery(resource: Resource): SourceQuery {
  return memoizeByResource(COMPLETE_LISTS, resource, () => ({ resource, parameters: NO_PARAMETERS }));
}

/**
 * The complete list of a resource with more records than the source's `drain-threshold`, up to the memory limit of one
 * list (decisions 5.10). The same object for each call.
 */
export function largeCompleteListQuery(resource: Resource): SourceQuery {
  return memoizeByResource(LARGE_COMPLETE_LISTS, resource, () => ({
    resource,
    parameters: NO_PARAMETERS,
    completeAtAnySize: true,
  }));
}

function memoizeByResource(
  cache: WeakMap<Resource, SourceQuery>,
  resource: Resource,
  make: () => SourceQuery,
): SourceQuery {
  const known = cache.get(resource);
  if (known !== undefined) return known;
  const query = Object.freeze(make());
  cache.set(resource, query);
  return query;
}

/**
 * Whether the result is a list that responses are built from: the complete list, or the result of a pushed-down query.
 */
export function isListQuery({ parameters, pushDown }: SourceQuery): boolean {
  return pushDown !== undefined || Object.keys(parameters).length === 0;
}

/** Whether the source is requested to filter: the query is pushed down and has parameters other than `sort`. */
export function isFilteredQuery({ parameters, pushDown }: SourceQuery): boolean {
  return pushDown !== undefined && Object.keys(parameters).some((name) => name !== 'sort');
}

/** All PGP keys of a source's teams, which it returns under `scope=pgp` (decisions 4.22). */
export const allKeysQuery: SourceQuery = Object.freeze({
  resource: dataTeamsWithKeys,
  parameters: Object.freeze({ scope: 'pgp' }),
  completeAtAnySize: true,
});

/** One feed of a source, by its URL (decisions 4.32). Other feeds of the source are other queries. */
export function feedQuery(url: string): SourceQuery {
  const parameters = Object.freeze({ feed: url });
  return Object.freeze({ resource: feedEntries, parameters, completeAtAnySize: true });
}
