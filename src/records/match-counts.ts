import type { Predicate } from '../model/query.js';
import { forEachTimeSliced } from '../event-loop/time-slicing.js';
import { findMatches } from './query-record-set.js';
import type { RecordSet } from './record-set.js';
import { createPropertyReader, toTextItems } from './sort-and-search-columns.js';

/** `country` includes further countries; `no-country` counts records without any, as `''`. */
export type CountedProperty = 'country' | 'no-country' | 'source-name';

const FIND_POSITIONS: Readonly<Record<CountedProperty, (set: RecordSet) => Promise<PositionsByValue>>> = {
  country: findCountryPositions,
  'no-country': findPositionsWithoutCountry,
  'source-name': findSourceNamePositions,
};

/** Ascending positions of the records, by value. */
type PositionsByValue = ReadonlyMap<string, Uint32Array>;

/**
 * Counts matches by country (alpha-2) or source-name; a team with two countries counts for both. Positions are computed
 * once for the set, so that a count reads no record.
 */
export async function countMatches(
  set: RecordSet,
  predicates: readonly Predicate[],
  property: CountedProperty,
): Promise<ReadonlyMap<string, number>> {
  const positions = await set.computeOnce(`positions by ${property}`, () => FIND_POSITIONS[property](set));
  const { flags, total } = await findMatches(set, predicates);
  const counts = new Map<string, number>();
  for (const [value, list] of positions) {
    const count = total === flags.length ? list.length : countFlagged(list, flags);
    if (count > 0) counts.set(value, count);
  }
  return counts;
}

function countFlagged(positions: Uint32Array, flags: Uint8Array): number {
  let count = 0;
  for (const at of positions) count += flags[at] ?? 0;
  return count;
}

async function findCountryPositions(set: RecordSet): Promise<PositionsByValue> {
  const merged = new Map<string, Set<number>>();
  for (const property of set.resource.countryProperties) {
    for (const [code, positions] of await set.positionsByCountry(property))
      for (const at of positions) addTo(merged, code, at);
  }
  return packPositions(merged);
}

async function findPositionsWithoutCountry(set: RecordSet): Promise<PositionsByValue> {
  const flags = new Uint8Array(set.records.length);
  for (const positions of (await findCountryPositions(set)).values()) for (const at of positions) flags[at] = 1;
  return new Map([['', Uint32Array.from(flags.keys()).filter((at) => flags[at] === 0)]]);
}

async function findSourceNamePositions(set: RecordSet): Promise<PositionsByValue> {
  const found = new Map<string, Set<number>>();
  const read = createPropertyReader(set.resource, set.resource.sourceNameProperty);
  let at = 0;
  await forEachTimeSliced(set.records, (record) => {
    for (const name of toTextItems(read(record))) addTo(found, name, at);
    at += 1;
  });
  return packPositions(found);
}

function addTo(found: Map<string, Set<number>>, value: string, at: number): void {
  const positions = found.get(value);
  if (positions === undefined) found.set(value, new Set([at]));
  else positions.add(at);
}

function packPositions(found: ReadonlyMap<string, ReadonlySet<number>>): PositionsByValue {
  return new Map([...found].map(([value, positions]) => [value, Uint32Array.from(positions).sort()]));
}
