import { inSlices } from '../model/slices.js';
import type { RecordSet } from './record-set.js';

/** Records whose names are read in one slice: about 5 ms of work. */
const SLICE = 8_192;

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
  await inSlices(set.records.length, SLICE, (from, to) => {
    for (let at = from; at < to && names.size < most; at += 1) {
      if (counts(at)) for (const name of set.records[at]?.names ?? []) names.add(name);
    }
  });
  return names;
}
