import { forEachSlice, forEachTimeSliced } from '../../event-loop/time-slicing.js';
import type { StoredRecord } from '../../model/record.js';
import type { RecordSet } from '../../records/record-set.js';
import { hashText } from '../../text/fnv-hash.js';
import { readAddresses, readFingerprints, readFoldedNames } from './team-facts.js';

/** A fact by which records are found, as one text. */
export type FactKey = `${'key' | 'e-mail' | 'short' | 'official'} ${string}`;

/** The facts of a record by which other records of its team are found. */
export function listFactKeys(record: StoredRecord): readonly FactKey[] {
  const { short, official } = readFoldedNames(record);
  return [
    ...readFingerprints(record).map((fingerprint): FactKey => `key ${fingerprint}`),
    ...readAddresses(record).map((address): FactKey => `e-mail ${address}`),
    ...(short === undefined ? [] : [`short ${short}` satisfies FactKey]),
    ...(official === undefined ? [] : [`official ${official}` satisfies FactKey]),
  ];
}

/**
 * The facts of the records of one set in a hash table with chained entries: 16 bytes for each fact, without the
 * texts. Records that are found by a hash are compared with the fact itself.
 *
 *     first[hash & mask] ─▶ entry ─▶ next[entry] ─▶ … ─▶ 0
 *                             ├─ hashes[entry]
 *                             └─ positions[entry]
 *
 * Entry 0 ends each chain.
 */
export class FactIndex {
  constructor(
    private readonly set: RecordSet,
    private readonly table: FactTable,
  ) {}

  /** Returns the index of a set. It is built once for each set, in time slices. */
  static of(set: RecordSet): Promise<FactIndex> {
    return set.computeOnce('link facts', () => buildIndex(set));
  }

  /**
   * Returns the first records with a fact of this hash (`hashText`), at most `limit`, in no particular order. A record
   * may be returned twice, and records with another fact of the same hash too: the caller compares the fact. The limit
   * counts these as well, because a source may send any number of facts with one hash.
   */
  findByHash(hash: number, limit: number): readonly StoredRecord[] {
    const found: StoredRecord[] = [];
    const { first, next, hashes, positions } = this.table;
    let entry = first[hash & (first.length - 1)] ?? 0;
    for (; entry !== 0 && found.length < limit; entry = next[entry] ?? 0) {
      const record = hashes[entry] === hash ? this.set.records[positions[entry] ?? -1] : undefined;
      if (record !== undefined) found.push(record);
    }
    return found;
  }
}

interface FactTable {
  /** The first entry of each chain; a power of two of them. */
  readonly first: Uint32Array;
  readonly next: Uint32Array;
  readonly hashes: Int32Array;
  /** Positions of the records in the set. */
  readonly positions: Uint32Array;
}

async function buildIndex(set: RecordSet): Promise<FactIndex> {
  const [hashes, positions]: [number[], number[]] = [[0], [0]];
  let position = 0;
  await forEachTimeSliced(set.records, (record) => {
    for (const fact of listFactKeys(record)) {
      hashes.push(hashText(fact));
      positions.push(position);
    }
    position += 1;
  });
  const first = new Uint32Array(2 ** Math.ceil(Math.log2(hashes.length)));
  const next = new Uint32Array(hashes.length);
  await forEachSlice(hashes.length, ENTRIES_PER_SLICE, (from, to) => {
    for (let entry = Math.max(1, from); entry < to; entry += 1) {
      const chain = (hashes[entry] ?? 0) & (first.length - 1);
      next[entry] = first[chain] ?? 0;
      first[chain] = entry;
    }
  });
  return new FactIndex(set, { first, next, hashes: Int32Array.from(hashes), positions: Uint32Array.from(positions) });
}

/** Number of entries that are linked in one slice. */
const ENTRIES_PER_SLICE = 65_536;
