import type { DraftRecord } from '../../model/record.js';

/** In all values that could be read. */
export function isSameRecord(one: DraftRecord, other: DraftRecord): boolean {
  const [first, second] = [one.valueAt(0), other.valueAt(0)];
  // Most differing records have different first values; this avoids serializing them.
  if (typeof first !== 'object' && typeof second !== 'object' && first !== second) return false;
  return JSON.stringify([one.values, one.extraProperties]) === JSON.stringify([other.values, other.extraProperties]);
}
