import type { Resource } from '../model/resource.js';
import { ID_FACTOR } from '../source/record/record-reader.js';

/** A source that may own an item. */
interface ItemOwnerCandidate {
  readonly number: number;
  serves(resource: Resource): boolean;
}

/**
 * Finds the source that owns an item by its public id, and the source's own id of the item (decisions 4.17). Undefined
 * if no source owns it.
 */
export function findItemOwner<S extends ItemOwnerCandidate>(
  id: number,
  resource: Resource,
  sources: readonly S[],
): { readonly source: S; readonly native: number } | undefined {
  // No list shows such an id, and a larger number cannot be divided exactly.
  if (!Number.isSafeInteger(id)) return undefined;
  const source = sources.find((one) => one.number === id % ID_FACTOR && one.serves(resource));
  return source && { source, native: Math.floor(id / ID_FACTOR) };
}
