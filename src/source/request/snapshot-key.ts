import type { Resource } from '../../model/resource.js';
import type { SnapshotKey } from '../snapshot/snapshot.js';
import type { SourceQuery } from './source-query.js';
import { completeListQuery, isListQuery, isFilteredQuery } from './source-query.js';

/** For all snapshots of a source, and all its results that were not admitted. */
export function snapshotKeyPrefixes(code: string): { readonly prefix: string; readonly rejectedPrefix: string } {
  const prefix = `${code} `;
  return { prefix, rejectedPrefix: `${REJECTED} ${prefix}` };
}

/** No code of a source. */
const REJECTED = '!rejected';

/** For all that is requested of a resource. */
export function sourceQueryKeyPrefix(code: string, { name }: Resource): string {
  return `${code} ${name} `;
}

/**
 * Without the number of top records. The complete list has two keys, because its size check and the large list are
 * cached separately (decisions 5.10).
 */
function sourceQueryKey(code: string, query: SourceQuery): string {
  const { resource, parameters, nativeId: native, pushDown, completeAtAnySize } = query;
  const all = completeAtAnySize === true && Object.keys(parameters).length === 0 ? ' all' : '';
  const count = pushDown?.topRecords?.order.length === 0 ? ' count' : '';
  const prefix = sourceQueryKeyPrefix(code, resource);
  return `${prefix}${native ?? ''} ${JSON.stringify(parameters)}${all}${count}`;
}

/**
 * For the number of records in the shrink guard (decisions 6.11). Pushed-down queries and the large complete list share
 * the complete list's key.
 */
function listSizeKey(code: string, query: SourceQuery): string {
  const { resource, parameters, nativeId: native, pushDown } = query;
  if (pushDown !== undefined) return sourceQueryKey(code, completeListQuery(resource));
  return sourceQueryKey(code, { resource, parameters, ...(native !== undefined && { nativeId: native }) });
}

/** Increasing the generation invalidates earlier snapshots. */
export function createSnapshotKey(code: string, query: SourceQuery, generation = 0): SnapshotKey {
  const { resource, nativeId: native, pushDown, completeAtAnySize } = query;
  const key = sourceQueryKey(code, query);
  const admitted = generation === 0 ? key : `${key} ${generation}`;
  const first = pushDown?.topRecords?.first;
  const large = completeAtAnySize === true;
  const isSized = native === undefined && !isFilteredQuery(query);
  return Object.freeze({
    resource,
    admitted,
    rejected: `${REJECTED} ${admitted} ${first ?? ''}${large ? ' large' : ''}`,
    minRecords: first ?? Infinity,
    kind: native !== undefined ? 'item' : isListQuery(query) ? 'list' : 'part',
    ...(isSized && { sizeKey: listSizeKey(code, query) }),
    confirmsSize: pushDown === undefined,
    isLarge: large,
  });
}
