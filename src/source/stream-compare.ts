import type { Draft } from '../model/record.js';
import { Contradiction } from './claims.js';

/** Whether two records say the same: what could not be read is not there to be compared. */
export function isSame(one: Draft, other: Draft): boolean {
  const [first, second] = [one.value(0), other.value(0)];
  // Most that differ do so in what they are called: the rest of them need not be written out.
  if (typeof first !== 'object' && typeof second !== 'object' && first !== second) return false;
  return JSON.stringify([one.values, one.further]) === JSON.stringify([other.values, other.further]);
}

/** That a source does not count as it should; `evidence` is what was seen. */
export function contradictedTotal(evidence: string): Contradiction {
  return new Contradiction({ claim: 'total', evidence });
}
