import type { Predicate } from '../model/query.js';
import { reader } from './column.js';
import type { FoldedCell } from './column.js';
import type { RecordSet } from './record-set.js';

/** Which records of a set fulfil a query's predicates, by their positions. */
export interface Matcher {
  /** No others do; ascending. Absent: any may. */
  readonly among?: Uint32Array;
  readonly matches: Matches;
}

type Matches = (at: number) => boolean;

/** Prepares what the predicates need to know of the set and joins them with AND; no predicate: undefined, every record matches. */
export async function matcher(set: RecordSet, where: readonly Predicate[]): Promise<Matcher | undefined> {
  const [first, ...others] = await Promise.all(where.map((predicate) => matcherOf(set, predicate)));
  return first && others.reduce(both, first);
}

function both(one: Matcher, other: Matcher): Matcher {
  const among = fewer(one.among, other.among);
  return { ...(among && { among }), matches: (at) => one.matches(at) && other.matches(at) };
}

function fewer(some: Uint32Array | undefined, others: Uint32Array | undefined): Uint32Array | undefined {
  if (some === undefined || others === undefined) return some ?? others;
  return some.length < others.length ? some : others;
}

async function matcherOf(set: RecordSet, predicate: Predicate): Promise<Matcher> {
  switch (predicate.kind) {
    case 'equals':
      return { matches: oneEquals(await columns(set, predicate.properties), predicate.value) };
    case 'countries':
      return inCountries(set, predicate);
    case 'words':
      return everyWord(set, predicate);
    case 'between':
      return { matches: between(await set.modified(), predicate) };
    case 'present':
      return { matches: present(set, predicate.properties) };
  }
}

function columns(set: RecordSet, properties: readonly string[]): Promise<(readonly FoldedCell[])[]> {
  return Promise.all(properties.map((property) => set.folded(property)));
}

type PredicateOf<Kind extends Predicate['kind']> = Extract<Predicate, { readonly kind: Kind }>;

function oneEquals(found: readonly (readonly FoldedCell[])[], value: string): Matches {
  const [only, ...more] = found.map((column) => equals(column, value));
  if (only === undefined) return () => false;
  return more.length === 0 ? only : (at) => only(at) || more.some((matches) => matches(at));
}

function between(
  dates: Float64Array,
  { after = -Infinity, before = Infinity }: { after?: number; before?: number },
): Matches {
  return (at) => {
    const date = dates[at] ?? NaN;
    return date > after && date < before;
  };
}

function present(set: RecordSet, properties: readonly string[]): Matches {
  const reads = properties.map((property) => reader(set.resource, property));
  return (at) => {
    const record = set.records[at];
    return record !== undefined && reads.some((read) => read(record) !== undefined);
  };
}

function equals(column: readonly FoldedCell[], value: string): Matches {
  return (at) => {
    const cell = column[at];
    return typeof cell === 'string' ? cell === value : cell?.includes(value) === true;
  };
}

async function inCountries(set: RecordSet, { properties, codes }: PredicateOf<'countries'>): Promise<Matcher> {
  const held = await Promise.all(properties.map((property) => set.countries(property)));
  const flags = new Uint8Array(set.records.length);
  for (const positions of held) {
    for (const code of codes) for (const at of positions.get(code) ?? []) flags[at] = 1;
  }
  return { among: positionsOf(flags), matches: (at) => flags[at] === 1 };
}

async function everyWord(set: RecordSet, { properties, words }: PredicateOf<'words'>): Promise<Matcher> {
  const index = await set.textIndex(properties);
  // Words hold no white space, so none can match across two values.
  const texts = await (properties === undefined ? set.searchTexts() : set.texts(properties));
  const among = index?.candidates(words);
  // A long word is a rare one, and is looked for faster: most texts are left after the first.
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  return { ...(among && { among }), matches: (at) => holds(texts[at] ?? '', longestFirst) };
}

function holds(text: string, words: readonly string[]): boolean {
  for (const word of words) if (!text.includes(word)) return false;
  return true;
}

/** Positions of the records that are flagged, ascending. */
export function positionsOf(flags: Uint8Array): Uint32Array {
  const positions: number[] = [];
  for (let at = flags.indexOf(1); at >= 0; at = flags.indexOf(1, at + 1)) positions.push(at);
  return new Uint32Array(positions);
}
