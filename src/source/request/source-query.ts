import type { SortKey } from '../../model/query.js';
import type { Resource } from '../../model/resource.js';
import { dataTeamsWithKeys } from '../../model/resources/data-teams.js';
import { feedEntries } from '../../model/resources/feed-entries.js';
import type { PushDown } from '../../plan/push-down.js';
import type { SourceParameters } from '../dialect/request-url.js';

/** A resource on the source's own interface, restricted by parameters. */
export interface SourceQuery {
  readonly resource: Resource;
  readonly parameters: SourceParameters;
  /** Of the one requested item, at the source. */
  readonly nativeId?: number;
  /** Absent: nothing was pushed down, and no check is needed. */
  readonly pushDown?: PushedDownQuery;
  /**
   * Up to one list's memory limit (`SourceServices.maxLargeListBytes`; decisions 5.10), else to the `drain-threshold`.
   */
  readonly completeAtAnySize?: true;
}

/** The source is believed to return what Rollcall would compute itself (decisions 5.11). */
export interface PushedDownQuery {
  /** Every received record must meet these filters. */
  readonly exact: PushDown['exact'];
  /** The source counts exactly these filters' matches. Otherwise its totals are ignored. */
  readonly hasExactTotal: boolean;
  /** The first `first` records in this order. Absent: all. An empty order: only the number of records. */
  readonly topRecords?: { readonly order: readonly SortKey[]; readonly first: number };
}

const NO_PARAMETERS: SourceParameters = Object.freeze({});

const COMPLETE_LISTS = new WeakMap<Resource, SourceQuery>();
const LARGE_COMPLETE_LISTS = new WeakMap<Resource, SourceQuery>();

/** Up to the `drain-threshold`. The same object for each call, so that its key is computed only once. */
export function completeListQuery(resource: Resource): SourceQuery {
  return memoizeByResource(COMPLETE_LISTS, resource, () => ({ resource, parameters: NO_PARAMETERS }));
}

/** Beyond the `drain-threshold`, up to the memory limit of one list. The same object for each call. */
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

/** Responses are built from it: the complete list, or the result of a pushed-down query. */
export function isListQuery({ parameters, pushDown }: SourceQuery): boolean {
  return pushDown !== undefined || Object.keys(parameters).length === 0;
}

/** Pushed down with parameters other than `sort`. */
export function isFilteredQuery({ parameters, pushDown }: SourceQuery): boolean {
  return pushDown !== undefined && Object.keys(parameters).some((name) => name !== 'sort');
}

/** As the source returns them under `scope=pgp` (decisions 4.22). */
export const allKeysQuery: SourceQuery = Object.freeze({
  resource: dataTeamsWithKeys,
  parameters: Object.freeze({ scope: 'pgp' }),
  completeAtAnySize: true,
});

/** Other feeds of the source are other queries (decisions 4.32). */
export function feedQuery(url: string): SourceQuery {
  const parameters = Object.freeze({ feed: url });
  return Object.freeze({ resource: feedEntries, parameters, completeAtAnySize: true });
}
