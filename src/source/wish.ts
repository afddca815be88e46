import type { SortKey } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import { teamKeys } from '../model/resources/data-teams.js';
import type { Offer } from '../plan/push-down.js';
import type { Parameters } from './dialect.js';
import type { SnapshotKey } from './snapshot/snapshot.js';

/** What is fetched: a resource in the source's own interface, narrowed by parameters. */
export interface Wish {
  readonly resource: Resource;
  readonly parameters: Parameters;
  /** The source's own id of the one item that is wanted. */
  readonly native?: number;
  /** What the source is believed to do with the parameters: absent where nothing is, and nothing is checked. */
  readonly pushed?: Pushed;
  /** Whether it is fetched as long as it may be held of one source (`SourceHouse.mostOfOne`); else only up to the source's drain-threshold. */
  readonly however?: true;
}

/** A query, or part of it, that a source is believed to answer as it would be answered here (decisions.md, section 5). */
export interface Pushed {
  /** What every record that comes must meet. */
  readonly exact: Offer['exact'];
  /** Whether the source counts what meets it; else its totals are ignored. */
  readonly counted: boolean;
  /** Records from the start of an order that are wanted; absent: all. No order: their number alone is. */
  readonly front?: { readonly order: readonly SortKey[]; readonly first: number };
}

const NO_PARAMETERS: Parameters = Object.freeze({});
const WHOLES = new WeakMap<Resource, Wish>();
const LARGE_WHOLES = new WeakMap<Resource, Wish>();

/** All of a resource, up to the source's drain-threshold: the same wish each time, so that what is asked over and over is named but once. */
export function wholeOf(resource: Resource): Wish {
  return onceFor(WHOLES, resource, () => ({ resource, parameters: NO_PARAMETERS }));
}

/** All of a resource that has more records than the source's drain-threshold, as long as it may be held; the same wish each time. */
export function largeWholeOf(resource: Resource): Wish {
  return onceFor(LARGE_WHOLES, resource, () => ({ resource, parameters: NO_PARAMETERS, however: true }));
}

function onceFor(made: WeakMap<Resource, Wish>, resource: Resource, make: () => Wish): Wish {
  const known = made.get(resource);
  if (known !== undefined) return known;
  const wish = Object.freeze(make());
  made.set(resource, wish);
  return wish;
}

/** The number of records that the parameters leave, and none of the records. */
export function countOf(resource: Resource, parameters: Parameters): Wish {
  return { resource, parameters, pushed: { exact: [], counted: true, front: { order: [], first: 0 } } };
}

/**
 * Names what is fetched of the source with this code. How far it is to reach is no part of it, save of all that the source has, which is looked at for
 * its size in one way and held in another.
 */
export function keyOf(code: string, wish: Wish): string {
  const { resource, parameters, native, pushed, however } = wish;
  const all = however === true && Object.keys(parameters).length === 0 ? ' all' : '';
  const count = pushed?.front?.order.length === 0 ? ' count' : '';
  return `${code} ${resource.name} ${native ?? ''} ${JSON.stringify(parameters)}${all}${count}`;
}

/** The key under which the size of a wish is known: for what is pushed down, and for a large whole list, that of the whole list. */
export function sizeKeyOf(code: string, wish: Wish): string {
  const { resource, parameters, native, pushed } = wish;
  if (pushed !== undefined) return keyOf(code, wholeOf(resource));
  return keyOf(code, { resource, parameters, ...(native !== undefined && { native }) });
}

/** The key of the snapshot of a wish; snapshots of another generation are others. */
export function snapshotKeyOf(code: string, wish: Wish, generation = 0): SnapshotKey {
  const { resource, native, pushed, however } = wish;
  const admitted = generation === 0 ? keyOf(code, wish) : `${keyOf(code, wish)} ${generation}`;
  const first = pushed?.front?.first;
  const large = however === true;
  const isSized = native === undefined && !isFiltered(wish);
  return Object.freeze({
    resource,
    admitted,
    rejected: `rejected ${admitted} ${first ?? ''}${large ? ' large' : ''}`,
    reach: first ?? Infinity,
    kind: native !== undefined ? 'item' : isList(wish) ? 'list' : 'part',
    ...(isSized && { size: sizeKeyOf(code, wish) }),
    confirmsSize: pushed === undefined,
    large,
  });
}

/** Whether it is a list that answers are made of: all that the source has, or what a query was pushed down to. */
export function isList({ parameters, pushed }: Wish): boolean {
  return pushed !== undefined || Object.keys(parameters).length === 0;
}

/** Whether it names some of the records only, by what a source may do with a filter. */
export function isFiltered({ parameters, pushed }: Wish): boolean {
  return pushed !== undefined && Object.keys(parameters).some((name) => name !== 'sort');
}

/** All keys of a source's teams, as it gives them when it is asked for keys (decisions.md, section 4, "Scopes"). */
export const allKeys: Wish = Object.freeze({
  resource: teamKeys,
  parameters: Object.freeze({ scope: 'pgp' }),
  however: true,
});
