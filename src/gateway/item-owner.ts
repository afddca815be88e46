import type { Resource } from '../model/resource.js';
import { ID_FACTOR } from '../source/record/record-reader.js';

interface ItemOwnerCandidate {
  readonly code: string;
  readonly number: number;
  serves(resource: Resource): boolean;
}

/**
 * By a public id (decisions 4.17, 4.18): an integer that contains the number of the source, or a text that begins with
 * its code. Undefined if no source owns it. `nativeId` is absent for a team, which is found in the list of its source.
 */
export function findItemOwner<S extends ItemOwnerCandidate>(
  id: string,
  resource: Resource,
  sources: readonly S[],
): { readonly source: S; readonly nativeId?: number } | undefined {
  if (resource.idKind !== 'integer') {
    const code = id.slice(0, Math.max(0, id.indexOf('.')));
    const source = sources.find((one) => one.code === code && one.serves(resource));
    return source && { source };
  }
  const number = Number(id);
  // No list shows such an id, and a larger number cannot be divided exactly.
  if (!Number.isSafeInteger(number)) return undefined;
  const source = sources.find((one) => one.number === number % ID_FACTOR && one.serves(resource));
  return source && { source, nativeId: Math.floor(number / ID_FACTOR) };
}
