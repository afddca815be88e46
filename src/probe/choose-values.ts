import { toItems } from '../model/property-value.js';
import { findPropertyKind, isPgpKeyProperty } from '../model/resource.js';
import type { PropertyKind } from '../model/resource.js';
import { createPropertyReader } from '../records/sort-and-search-columns.js';
import { parseCountryCode } from '../region/country.js';
import { formatIsoTimestamp } from '../text/date.js';
import { foldText } from '../text/text-folding.js';
import type { ReferenceRecords } from './reference-records.js';

/** Up to this number a test value is the better the more records match. */
const MAX_MATCHES = 50;

/** The value with most matches up to `MAX_MATCHES`, otherwise the one with fewest. */
function selectValue<T>(counts: Iterable<readonly [T, number]>): T | undefined {
  const rank = (count: number): number => (count <= MAX_MATCHES ? count : -count);
  return [...counts].sort(([, a], [, b]) => rank(b) - rank(a))[0]?.[0];
}

const MAX_CODES = 12;

/**
 * Codes that some records have and others do not: several, because a source may read only the first one, and one that
 * some record has only as a further country, because a source may compare only the first country.
 */
export function chooseCountries(reference: ReferenceRecords): {
  readonly codes: readonly string[];
  readonly doubts: readonly string[];
} {
  const { resource, recordSet, size } = reference;
  const readers = resource.countryProperties.map((property) => createPropertyReader(resource, property));
  const rows = recordSet.records.map((record) => {
    const [own = '', ...others] = readers.flatMap((read) => toItems(read(record)).map(String));
    return { own, all: [own, ...others].filter((code) => parseCountryCode(code) === code) };
  });
  const count = (codes: readonly string[]): number =>
    rows.filter(({ all }) => codes.some((code) => all.includes(code))).length;
  const matches = new Map<string, number>();
  const further = new Map<string, { readonly own: string; readonly code: string }>();
  for (const { own, all } of rows) {
    for (const code of new Set(all)) matches.set(code, (matches.get(code) ?? 0) + 1);
    for (const code of all) if (code !== own && !further.has(code)) further.set(code, { own, code });
  }
  const selective = [...matches].filter(([, records]) => records < size).sort(([, a], [, b]) => a - b);
  const pairs = selective.flatMap(([code, records]) => {
    const pair = further.get(code);
    return pair === undefined ? [] : [[pair, records] as const];
  });
  const pair = selectValue(pairs);
  const codes = pair === undefined ? [] : [pair.code];
  for (const [code] of selective)
    if (code !== pair?.own && code !== pair?.code && codes.length < MAX_CODES && count([...codes, code]) < size)
      codes.push(code);
  if (codes.length === 0) return { codes, doubts: ['no country that some records have and others do not'] };
  const doubts = [
    ...(pair === undefined ? ['no record has a further country, which a source may not compare'] : []),
    ...(codes.length === 1 ? ['no two countries together omit a record; a source may read only one code'] : []),
  ];
  return { codes, doubts };
}

/** Several records share the values and others do not have them. */
interface TestedProperty {
  readonly property: string;
  /** Folded, and where possible in another letter case than in a record. */
  readonly values: readonly string[];
  readonly doubts: readonly string[];
}

const TEXT_KINDS: ReadonlySet<PropertyKind> = new Set<PropertyKind>(['text', 'texts', 'country']);

/** `country` is a parameter that searches more than the property; ids are created by Rollcall. */
const UNTESTED_PROPERTIES = ['id', 'country'];

/**
 * For each property with text: one value that most records share, and one with letters that a source which does not
 * fold them omits. Only an aggregate has several source-names: for another source the registration decides (decisions
 * 4.11).
 */
export function chooseProperties(reference: ReferenceRecords): readonly TestedProperty[] {
  const { resource, vocabulary } = reference;
  return resource.properties
    .filter(
      ({ name, kind }) =>
        TEXT_KINDS.has(kind) &&
        !UNTESTED_PROPERTIES.includes(name) &&
        !isPgpKeyProperty(resource, name) &&
        (name !== resource.sourceNameProperty || vocabulary.aggregate),
    )
    .map(({ name }) => chooseValues(reference, name))
    .filter(({ values }) => values.length > 0);
}

function chooseValues({ resource, recordSet, size }: ReferenceRecords, property: string): TestedProperty {
  const read = createPropertyReader(resource, property);
  const counts = new Map<string, number>();
  const [accented, lower] = [new Set<string>(), new Set<string>()];
  for (const record of recordSet.records) {
    for (const text of new Set(toItems(read(record)).map(String))) {
      const folded = foldText(text);
      counts.set(folded, (counts.get(folded) ?? 0) + 1);
      if (folded !== text.toLowerCase()) accented.add(folded);
      if (text === text.toLowerCase()) lower.add(folded);
    }
  }
  const selective = [...counts].filter(([, count]) => count < size);
  const shared = selectValue(selective.filter(([, count]) => count > 1));
  const special = selectValue(selective.filter(([value]) => accented.has(value)));
  const inCase = (value: string): string => (lower.has(value) ? upperCase(value) : value);
  const isCode = findPropertyKind(resource, property) === 'country';
  return {
    property,
    values: shared === undefined ? [] : [...new Set([shared, special ?? shared])].map(inCase),
    doubts: special === undefined && !isCode ? ['no value has letters other than a to z'] : [],
  };
}

function upperCase(folded: string): string {
  const upper = folded.toUpperCase();
  return foldText(upper) === folded ? upper : folded;
}

const SECOND = 1_000;

const DAY = 86_400_000;

/** The second of an item, which the bound excludes, and the next one, which includes it; empty: there is none. */
export async function chooseInstant(
  { recordSet, size }: ReferenceRecords,
  bound: 'before' | 'after',
): Promise<readonly string[]> {
  const sign = bound === 'before' ? 1 : -1;
  const times = [...(await recordSet.dateColumn())].filter((at) => !Number.isNaN(at)).sort((a, b) => sign * (a - b));
  const near = times.filter((at) => at !== times[0]).slice(0, Math.min(MAX_MATCHES, size - 1));
  const selective = near.filter((at) => at !== times.at(-1));
  // Not midnight, where a comparison by day and one by second have the same result.
  const at = selective.filter((time) => time % DAY !== 0).at(-1) ?? selective.at(-1);
  return at === undefined ? [] : [at, at + sign * SECOND].map(formatIsoTimestamp);
}

const MAX_WORDS = 40;

/** A word of a name, folded and without its first letter, that several records match and others do not. */
export async function chooseSharedWord(reference: ReferenceRecords): Promise<string | undefined> {
  const { resource, recordSet, size } = reference;
  const readers = resource.nameProperties.map((property) => createPropertyReader(resource, property));
  const words = recordSet.records
    .flatMap((record) => readers.flatMap((read) => toItems(read(record)).flatMap((name) => String(name).split(/\s+/))))
    .filter((word) => /^\p{L}{4,}$/u.test(word))
    .map((word) => foldText(word).slice(1));
  const counts: (readonly [string, number])[] = [];
  for (const word of [...new Set(words)].slice(0, MAX_WORDS))
    counts.push([word, (await reference.matchingIndexes({ q: word }))?.length ?? 0] as const);
  return selectValue(counts.filter(([, count]) => count > 1 && count < size));
}
