import type { Predicate } from '../model/query.js';
import { fold } from '../text/fold.js';
import { textHash } from '../text/hash.js';
import { itemsOf, reader } from './column.js';
import type { RecordSet } from './record-set.js';

/** Which records of a set fulfil a query's predicates, by their positions. */
export interface Matcher {
  /** No others do; in no order, and some may stand there twice. Absent: any may. */
  readonly among?: readonly number[];
  /** Whether all of those do, and none need be asked about. */
  readonly all?: boolean;
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

function fewer(some: Matcher['among'], others: Matcher['among']): Matcher['among'] {
  if (some === undefined || others === undefined) return some ?? others;
  return some.length < others.length ? some : others;
}

async function matcherOf(set: RecordSet, predicate: Predicate): Promise<Matcher> {
  switch (predicate.kind) {
    case 'equals':
      return oneEquals(set, predicate);
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

type PredicateOf<Kind extends Predicate['kind']> = Extract<Predicate, { readonly kind: Kind }>;

/** Hashes tell who may have the text, and the text itself who does. */
async function oneEquals(set: RecordSet, { properties, value }: PredicateOf<'equals'>): Promise<Matcher> {
  const hash = textHash(value);
  const among: number[] = [];
  for (const { hashes, owners } of await Promise.all(properties.map((property) => set.items(property)))) {
    for (let at = hashes.indexOf(hash); at >= 0; at = hashes.indexOf(hash, at + 1)) among.push(owners[at] ?? 0);
  }
  const reads = properties.map((property) => reader(set.resource, property));
  const isValue = folding(value);
  const may = standingIn(among, set);
  return {
    among,
    matches: (at) => {
      const record = set.records[at];
      return record !== undefined && may(at) && reads.some((read) => itemsOf(read(record)).some(isValue));
    },
  };
}

/** Tells which positions stand in a list; most queries never ask. */
function standingIn(positions: readonly number[], { records }: RecordSet): Matches {
  let flags: Uint8Array | undefined;
  return (at) => {
    if (flags === undefined) {
      flags = new Uint8Array(records.length);
      for (const position of positions) flags[position] = 1;
    }
    return flags[at] === 1;
  };
}

/** Whether a text, folded, is the value; what was folded once is remembered, for many records say the same. */
function folding(value: string): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const is = fold(text) === value;
    known.set(text, is);
    return is;
  };
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

const NOWHERE: readonly number[] = [];

async function inCountries(set: RecordSet, { properties, codes }: PredicateOf<'countries'>): Promise<Matcher> {
  const held = await Promise.all(properties.map((property) => set.countries(property)));
  const lists: (readonly number[])[] = [];
  for (const positions of held) for (const code of codes) lists.push(positions.get(code) ?? NOWHERE);
  // `flat` takes ten times as long.
  const among = new Array<number>().concat(...lists);
  return { among, all: true, matches: standingIn(among, set) };
}

async function everyWord(set: RecordSet, { properties, words }: PredicateOf<'words'>): Promise<Matcher> {
  // Words hold no white space, so none can match across two values.
  const texts = await (properties === undefined ? set.searchTexts() : set.texts(properties));
  // A long word is a rare one, and is looked for faster: most texts are left after the first.
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  return { matches: (at) => holds(texts[at] ?? '', longestFirst) };
}

function holds(text: string, words: readonly string[]): boolean {
  for (const word of words) if (!text.includes(word)) return false;
  return true;
}
