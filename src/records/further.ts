import { inTurns } from '../model/slices.js';
import type { RecordSet } from './record-set.js';

/** Records whose names are read in one step: some microseconds of work of ordinary records, a millisecond of wide ones. */
const STEP = 64;

/** Names of the further properties of a set's records; computed once. */
export function furtherNamesOf(set: RecordSet): Promise<ReadonlySet<string>> {
  return set.once('further names', () => collect(set, () => true, Infinity));
}

/** The same of the records that are flagged. Ends as soon as every name that the set has is found. */
export async function furtherNamesAmong(set: RecordSet, flags: Uint8Array): Promise<ReadonlySet<string>> {
  const all = await furtherNamesOf(set);
  return flags.includes(0) ? collect(set, (at) => flags[at] === 1, all.size) : all;
}

async function collect(set: RecordSet, counts: (at: number) => boolean, most: number): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  await inTurns(steps(set.records.length), (from) => {
    const to = Math.min(from + STEP, set.records.length);
    for (let at = from; at < to && names.size < most; at += 1) {
      if (counts(at)) for (const name of set.records[at]?.names ?? []) names.add(name);
    }
  });
  return names;
}

function* steps(length: number): Generator<number, void, undefined> {
  for (let from = 0; from < length; from += STEP) yield from;
}
