import type { StoredRecord } from '../model/record.js';
import { RecordSet } from '../records/record-set.js';

/**
 * Why no record has the requested id (decisions 2.35). `contested`: several records would have it. `unknown`: the
 * source has none; `list` is the code of the source whose list was searched, absent for a news item.
 */
export type MissingItem =
  | { readonly reason: 'contested'; readonly candidates: readonly StoredRecord[] }
  | { readonly reason: 'unknown'; readonly list?: string };

export function keepRecords(set: RecordSet, isKept: (record: StoredRecord) => boolean): RecordSet {
  const { resource, readAt } = set;
  return new RecordSet(resource, set, set.records.filter(isKept), { readAt });
}

export function keepPositions(set: RecordSet, positions: Uint32Array = new Uint32Array()): RecordSet {
  const { resource, readAt, records } = set;
  const kept = Array.from(positions, (position) => records[position]).filter((record) => record !== undefined);
  return new RecordSet(resource, set, kept, { readAt });
}

/** The record sets are of one source and have no team with this id. */
export function explainMissingTeam(
  id: string,
  { code }: { readonly code: string },
  sets: readonly RecordSet[],
): MissingItem {
  const candidates = sets.flatMap((set) => findContested(set, id));
  return candidates.length > 0 ? { reason: 'contested', candidates } : { reason: 'unknown', list: code };
}

/** Records that would have this id if each were the only one (decisions 4.18). */
function findContested({ records, contestedIds }: RecordSet, id: string): readonly StoredRecord[] {
  const ids = new Set(contestedIds.get(id));
  return ids.size === 0 ? [] : records.filter((record) => ids.has(record.id));
}
