import { randomInt } from 'node:crypto';
import { forEachSlice, forEachTimeSliced } from '../../event-loop/time-slicing.js';
import type { StoredRecord } from '../../model/record.js';
import type { RecordSet } from '../../records/record-set.js';
import { hashText } from '../../text/fnv-hash.js';
import { identifyRepository, readAddresses, readFingerprints, readFoldedNames } from './team-facts.js';

export type FactKey = `${'key' | 'e-mail' | 'short' | 'official'} ${string}`;

/** Other records of the team are found by these facts. */
export function listFactKeys(record: StoredRecord): readonly FactKey[] {
  const { short, official } = readFoldedNames(record);
  return [
    ...readFingerprints(record).map((fingerprint): FactKey => `key ${fingerprint}`),
    ...readAddresses(record).map((address): FactKey => `e-mail ${address}`),
    ...(short === undefined ? [] : [`short ${short}` satisfies FactKey]),
    ...(official === undefined ? [] : [`official ${official}` satisfies FactKey]),
  ];
}

/** Unknown to sources, so that they cannot send facts of one hash. */
const HASH_BASIS = randomInt(2 ** 32);

export function hashFact(fact: FactKey): number {
  return hashText(fact, HASH_BASIS);
}

/**
 * The facts of the records of one set in a hash table with chained entries: 16 bytes for each fact and 4 for each record,
 * without the texts. Records that are found by a hash are compared with the fact itself.
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

  /** Built once for each set, in time slices. */
  static of(set: RecordSet): Promise<FactIndex> {
    return set.computeOnce('link facts', () => buildIndex(set));
  }

  /**
   * Finds the records with a fact of this hash ({@link hashFact}). A repository's records are compared all or not at
   * all: of the repositories with the fewest, as long as all with equally many have at most `limit` records together;
   * of none where more than `limit` repositories have any. So no number of records keeps another repository's from
   * being compared. Different facts may have one hash: the caller compares the fact.
   */
  findByHash(hash: number, limit: number): FactHolders {
    const { first, next, hashes, positions, repositories } = this.table;
    const found = new Map<number, number[]>();
    let count = 0;
    for (let entry = first[hash & (first.length - 1)] ?? 0; entry !== 0; entry = next[entry] ?? 0) {
      if (hashes[entry] !== hash) continue;
      const position = positions[entry] ?? 0;
      const repository = repositories[position] ?? 0;
      const known = found.get(repository);
      if (known !== undefined && known.length <= limit) known.push(position);
      else if (known === undefined && found.size <= limit) found.set(repository, [position]);
      count += 1;
    }
    const ascending = [...found.values()].sort((a, b) => a.length - b.length);
    return {
      records: selectFewest(ascending, limit).flatMap((position) => this.set.records[position] ?? []),
      count,
      isShared: count > ascending.length,
    };
  }
}

export interface FactHolders {
  /** Records that are compared. */
  readonly records: readonly StoredRecord[];
  readonly count: number;
  /** Some repository has several holders. */
  readonly isShared: boolean;
}

/** All groups with equally many items or none of these, at most `limit` items; none of more than `limit` groups. */
function selectFewest(ascending: readonly (readonly number[])[], limit: number): readonly number[] {
  if (ascending.length > limit) return [];
  let sum = 0;
  for (const { length } of ascending) {
    sum += length;
    if (sum > limit) return ascending.filter((group) => group.length < length).flat();
  }
  return ascending.flat();
}

interface FactTable {
  /** First entry of each chain; the number of chains is a power of two. */
  readonly first: Uint32Array;
  readonly next: Uint32Array;
  readonly hashes: Int32Array;
  /** Of the records in the set. */
  readonly positions: Uint32Array;
  /** A number for the repository of each record, by its position. */
  readonly repositories: Uint32Array;
}

async function buildIndex(set: RecordSet): Promise<FactIndex> {
  const [hashes, positions]: [number[], number[]] = [[0], [0]];
  const repositories = new Uint32Array(set.records.length);
  const numbers = new Map<string, number>();
  let position = 0;
  await forEachTimeSliced(set.records, (record) => {
    const repository = identifyRepository(record);
    const number = numbers.get(repository) ?? numbers.size;
    numbers.set(repository, number);
    repositories[position] = number;
    for (const fact of listFactKeys(record)) {
      hashes.push(hashFact(fact));
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
  return new FactIndex(set, {
    first,
    next,
    hashes: Int32Array.from(hashes),
    positions: Uint32Array.from(positions),
    repositories,
  });
}

const ENTRIES_PER_SLICE = 65_536;
