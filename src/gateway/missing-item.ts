import type { StoredRecord } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import { RecordSet } from '../records/record-set.js';

/**
 * Why there is no record with the requested id (decisions 2.35). `contested`: several records would have it.
 * `given-up`: an earlier list of the source had it. `unknown`: no list had it, as far as is known.
 */
export type MissingItem =
  | { readonly reason: 'contested'; readonly candidates: readonly StoredRecord[] }
  | { readonly reason: 'given-up' }
  | { readonly reason: 'unknown' };

/** Returns a set with only the records that meet a condition. */
export function keepRecords(set: RecordSet, isKept: (record: StoredRecord) => boolean): RecordSet {
  const { resource, readAt } = set;
  return new RecordSet(resource, set, set.records.filter(isKept), { readAt });
}

/** Returns a set with only the records at these positions. */
export function keepPositions(set: RecordSet, positions: Uint32Array = new Uint32Array()): RecordSet {
  const { resource, readAt, records } = set;
  const kept = Array.from(positions, (position) => records[position]).filter((record) => record !== undefined);
  return new RecordSet(resource, set, kept, { readAt });
}

/** Finds out why none of these record sets of a source has a team with this id (decisions 2.35). */
export async function explainMissingTeam(
  { resource, id }: { readonly resource: Resource; readonly id: string },
  source: { hasGivenUp(resource: Resource, id: string): Promise<boolean> },
  sets: readonly RecordSet[],
): Promise<MissingItem> {
  const candidates = sets.flatMap((set) => findContested(set, id));
  if (candidates.length > 0) return { reason: 'contested', candidates };
  return { reason: (await source.hasGivenUp(resource, id)) ? 'given-up' : 'unknown' };
}

/** Returns the records that would all have this id if each were the only one (decisions 4.18). */
function findContested({ records, contestedIds }: RecordSet, id: string): readonly StoredRecord[] {
  const ids = new Set(contestedIds.get(id));
  return ids.size === 0 ? [] : records.filter((record) => ids.has(record.id));
}
