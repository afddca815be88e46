import type { SortKey } from '../../model/query.js';
import type { Resource } from '../../model/resource.js';
import { dataTeamsWithKeys } from '../../model/resources/data-teams.js';
import type { PushDown } from '../../plan/push-down.js';
import type { SourceParameters } from '../dialect/request-url.js';

/** What is fetched: a resource in the source's own interface, narrowed by parameters. */
export interface SourceQuery {
  readonly resource: Resource;
  readonly parameters: SourceParameters;
  /** The source's own id of the one item that is wanted. */
  readonly nativeId?: number;
  /** What the source is believed to do with the parameters: absent where nothing is, and nothing is checked. */
  readonly pushDown?: PushedDownQuery;
  /** Whether it is fetched as long as it may be held of one source (`SourceServices.mostOfOne`); else only up to the source's drain-threshold. */
  readonly completeAtAnySize?: true;
}

/** A query, or part of it, that a source is believed to answer as it would be answered here (decisions.md, section 5). */
export interface PushedDownQuery {
  /** What every record that comes must meet. */
  readonly exact: PushDown['exact'];
  /** Whether the source counts what meets it; else its totals are ignored. */
  readonly hasExactTotal: boolean;
  /** Records from the start of an order that are wanted; absent: all. No order: their number alone is. */
  readonly topRecords?: { readonly order: readonly SortKey[]; readonly first: number };
}

const NO_PARAMETERS: SourceParameters = Object.freeze({});
const COMPLETE_LISTS = new WeakMap<Resource, SourceQuery>();
const LARGE_COMPLETE_LISTS = new WeakMap<Resource, SourceQuery>();

/** All of a resource, up to the source's drain-threshold: the same wish each time, so that what is asked over and over is named but once. */
export function completeListQuery(resource: Resource): SourceQuery {
  return memoizeByResource(COMPLETE_LISTS, resource, () => ({ resource, parameters: NO_PARAMETERS }));
}

/** All of a resource that has more records than the source's drain-threshold, as long as it may be held; the same wish each time. */
export function largeCompleteListQuery(resource: Resource): SourceQuery {
  return memoizeByResource(LARGE_COMPLETE_LISTS, resource, () => ({
    resource,
    parameters: NO_PARAMETERS,
    completeAtAnySize: true,
  }));
}

function memoizeByResource(
  made: WeakMap<Resource, SourceQuery>,
  resource: Resource,
  make: () => SourceQuery,
): SourceQuery {
  const known = made.get(resource);
  if (known !== undefined) return known;
  const wish = Object.freeze(make());
  made.set(resource, wish);
  return wish;
}

/** The number of records that the parameters leave, and none of the records. */
export function countQuery(resource: Resource, parameters: SourceParameters): SourceQuery {
  return { resource, parameters, pushDown: { exact: [], hasExactTotal: true, topRecords: { order: [], first: 0 } } };
}

/** Whether it is a list that answers are made of: all that the source has, or what a query was pushed down to. */
export function isListQuery({ parameters, pushDown: pushed }: SourceQuery): boolean {
  return pushed !== undefined || Object.keys(parameters).length === 0;
}

/** Whether it names some of the records only, by what a source may do with a filter. */
export function isFilteredQuery({ parameters, pushDown: pushed }: SourceQuery): boolean {
  return pushed !== undefined && Object.keys(parameters).some((name) => name !== 'sort');
}

/** All keys of a source's teams, as it gives them when it is asked for keys (decisions.md, section 4, "Scopes"). */
export const allKeysQuery: SourceQuery = Object.freeze({
  resource: dataTeamsWithKeys,
  parameters: Object.freeze({ scope: 'pgp' }),
  completeAtAnySize: true,
});
