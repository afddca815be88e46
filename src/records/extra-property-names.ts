import { forEachTimeSliced } from '../event-loop/time-slicing.js';
import type { RecordSet } from './record-set.js';

/** Read in one step: some microseconds for ordinary records, a millisecond for wide ones. */
const RECORDS_PER_STEP = 64;

/** Names of extra properties (decisions 3.6). Stops as soon as all names of the set, computed once, are found. */
export async function listExtraNamesOfFlagged(set: RecordSet, flags: Uint8Array): Promise<ReadonlySet<string>> {
  const all = await set.computeOnce('further names', () => collectNames(set, () => true, Infinity));
  return flags.includes(0) ? collectNames(set, (at) => flags[at] === 1, all.size) : all;
}

async function collectNames(
  set: RecordSet,
  isIncluded: (at: number) => boolean,
  maxNames: number,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  await forEachTimeSliced(iterateSteps(set.records.length), (from) => {
    const to = Math.min(from + RECORDS_PER_STEP, set.records.length);
    for (let at = from; at < to && names.size < maxNames; at += 1) {
      if (isIncluded(at)) for (const name of set.records[at]?.extraNames ?? []) names.add(name);
    }
  });
  return names;
}

function* iterateSteps(length: number): Generator<number, void, undefined> {
  for (let from = 0; from < length; from += RECORDS_PER_STEP) yield from;
}
