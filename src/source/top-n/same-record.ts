import type { DraftRecord } from '../../model/record.js';
import { CapabilityContradiction } from './believed-capabilities.js';

/** Whether two records are equal in all values that could be read. */
export function isSameRecord(one: DraftRecord, other: DraftRecord): boolean {
  const [first, second] = [one.valueAt(0), other.valueAt(0)];
  // Most records that differ have different first values; this avoids serializing them.
  if (typeof first !== 'object' && typeof second !== 'object' && first !== second) return false;
  return JSON.stringify([one.values, one.extraProperties]) === JSON.stringify([other.values, other.extraProperties]);
}

/** Creates the contradiction of a wrong total. `evidence` states what was observed. */
export function createTotalContradiction(evidence: string): CapabilityContradiction {
  return new CapabilityContradiction({ capability: 'total', evidence });
}
