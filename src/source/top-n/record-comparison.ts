import type { DraftRecord } from '../../model/record.js';
import { CapabilityContradiction } from './believed-capabilities.js';

/** Whether two records say the same: what could not be read is not there to be compared. */
export function isSameRecord(one: DraftRecord, other: DraftRecord): boolean {
  const [first, second] = [one.valueAt(0), other.valueAt(0)];
  // Most that differ do so in what they are called: the rest of them need not be written out.
  if (typeof first !== 'object' && typeof second !== 'object' && first !== second) return false;
  return JSON.stringify([one.values, one.extraProperties]) === JSON.stringify([other.values, other.extraProperties]);
}

/** That a source does not count as it should; `evidence` is what was seen. */
export function createTotalContradiction(evidence: string): CapabilityContradiction {
  return new CapabilityContradiction({ capability: 'total', evidence });
}
