import type { Resource } from '../model/resource.js';
import { ID_FACTOR } from '../source/record/record-reader.js';

/** A source, as far as owning items goes. */
interface ItemOwnerCandidate {
  readonly number: number;
  serves(resource: Resource): boolean;
}

/**
 * Whose an item is by the id that lists show, and which id the source itself has for it (decisions.md, section 4, "Ids"). Undefined when no
 * source owns it.
 */
export function findItemOwner<S extends ItemOwnerCandidate>(
  id: number,
  resource: Resource,
  sources: readonly S[],
): { readonly source: S; readonly native: number } | undefined {
  // No list shows an id that large, and a number that large cannot be taken apart exactly.
  if (!Number.isSafeInteger(id)) return undefined;
  const source = sources.find((one) => one.number === id % ID_FACTOR && one.serves(resource));
  return source && { source, native: Math.floor(id / ID_FACTOR) };
}
