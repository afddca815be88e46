import type { SnapshotKey } from '../snapshot/snapshot.js';
import type { SourceQuery } from './source-query.js';
import { completeListQuery, isListQuery, isFilteredQuery } from './source-query.js';

/**
 * Names what is fetched of the source with this code. How far it is to reach is no part of it, save of all that the source has, which is looked at for
 * its size in one way and held in another.
 */
export function sourceQueryKey(code: string, wish: SourceQuery): string {
  const { resource, parameters, nativeId: native, pushDown: pushed, completeAtAnySize: however } = wish;
  const all = however === true && Object.keys(parameters).length === 0 ? ' all' : '';
  const count = pushed?.topRecords?.order.length === 0 ? ' count' : '';
  return `${code} ${resource.name} ${native ?? ''} ${JSON.stringify(parameters)}${all}${count}`;
}

/** The key under which the size of a wish is known: for what is pushed down, and for a large whole list, that of the whole list. */
export function listSizeKey(code: string, wish: SourceQuery): string {
  const { resource, parameters, nativeId: native, pushDown: pushed } = wish;
  if (pushed !== undefined) return sourceQueryKey(code, completeListQuery(resource));
  return sourceQueryKey(code, { resource, parameters, ...(native !== undefined && { nativeId: native }) });
}

/** The key of the snapshot of a wish; snapshots of another generation are others. */
export function createSnapshotKey(code: string, wish: SourceQuery, generation = 0): SnapshotKey {
  const { resource, nativeId: native, pushDown: pushed, completeAtAnySize: however } = wish;
  const admitted = generation === 0 ? sourceQueryKey(code, wish) : `${sourceQueryKey(code, wish)} ${generation}`;
  const first = pushed?.topRecords?.first;
  const large = however === true;
  const isSized = native === undefined && !isFilteredQuery(wish);
  return Object.freeze({
    resource,
    admitted,
    rejected: `rejected ${admitted} ${first ?? ''}${large ? ' large' : ''}`,
    minRecords: first ?? Infinity,
    kind: native !== undefined ? 'item' : isListQuery(wish) ? 'list' : 'part',
    ...(isSized && { sizeKey: listSizeKey(code, wish) }),
    confirmsSize: pushed === undefined,
    isLarge: large,
  });
}
