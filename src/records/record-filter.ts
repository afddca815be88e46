import type { Predicate } from '../model/query.js';
import { foldText } from '../text/text-folding.js';
import { hashText } from '../text/fnv-hash.js';
import { listComparedItems, createPropertyReader } from './sort-and-search-columns.js';
import type { RecordSet } from './record-set.js';

export interface Matcher {
  /** Other positions never match. Unordered, possibly with duplicates. Absent: any position may match. */
  readonly candidates?: readonly number[];
  /** Then `matches` need not be called. */
  readonly allCandidatesMatch?: boolean;
  readonly matches: MatchTest;
}

type MatchTest = (at: number) => boolean;

/** Prepares the indexes that the predicates need. Returns undefined without predicates: every record matches. */
export async function createMatcher(set: RecordSet, predicates: readonly Predicate[]): Promise<Matcher | undefined> {
  const [first, ...others] = await Promise.all(predicates.map((predicate) => createPredicateMatcher(set, predicate)));
  return first && others.reduce(intersectMatchers, first);
}

function intersectMatchers(one: Matcher, other: Matcher): Matcher {
  const candidates = chooseFewerCandidates(one.candidates, other.candidates);
  return { ...(candidates && { candidates }), matches: (at) => one.matches(at) && other.matches(at) };
}

function chooseFewerCandidates(some: Matcher['candidates'], others: Matcher['candidates']): Matcher['candidates'] {
  if (some === undefined || others === undefined) return some ?? others;
  return some.length < others.length ? some : others;
}

async function createPredicateMatcher(set: RecordSet, predicate: Predicate): Promise<Matcher> {
  switch (predicate.kind) {
    case 'equals':
      return matchEquals(set, predicate);
    case 'countries':
      return matchCountries(set, predicate);
    case 'words':
      return matchWords(set, predicate);
    case 'between':
      return { matches: matchDateRange(await set.dateColumn(), predicate) };
    case 'present':
      return { matches: matchPresence(set, predicate.properties) };
  }
}

type PredicateOf<Kind extends Predicate['kind']> = Extract<Predicate, { readonly kind: Kind }>;

/** Finds candidates by hash, and compares their texts to exclude collisions. */
async function matchEquals(set: RecordSet, { properties, value }: PredicateOf<'equals'>): Promise<Matcher> {
  const hash = hashText(value);
  const candidates: number[] = [];
  for (const { hashes, recordPositions } of await Promise.all(
    properties.map((property) => set.hashedItems(property)),
  )) {
    for (let at = hashes.indexOf(hash); at >= 0; at = hashes.indexOf(hash, at + 1)) {
      const position = recordPositions[at] ?? 0;
      if (candidates.at(-1) !== position) candidates.push(position);
    }
  }
  const reads = properties.map((property) => createPropertyReader(set.resource, property));
  const isValue = createFoldedEquality(value);
  const isCandidate = createMembershipTest(candidates, set);
  return {
    candidates,
    matches: (at) => {
      const record = set.records[at];
      return (
        record !== undefined && isCandidate(at) && reads.some((read) => listComparedItems(read(record)).some(isValue))
      );
    },
  };
}

/** The flags are built at the first call, because most queries never call the test. */
function createMembershipTest(positions: readonly number[], { records }: RecordSet): MatchTest {
  let flags: Uint8Array | undefined;
  return (at) => {
    if (flags === undefined) {
      flags = new Uint8Array(records.length);
      for (const position of positions) flags[position] = 1;
    }
    return flags[at] === 1;
  };
}

/** Remembers results, because many records have the same text. */
function createFoldedEquality(value: string): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const is = foldText(text) === value;
    known.set(text, is);
    return is;
  };
}

function matchDateRange(
  dates: Float64Array,
  { after = -Infinity, before = Infinity }: { after?: number; before?: number },
): MatchTest {
  return (at) => {
    const date = dates[at] ?? NaN;
    return date > after && date < before;
  };
}

function matchPresence(set: RecordSet, properties: readonly string[]): MatchTest {
  const reads = properties.map((property) => createPropertyReader(set.resource, property));
  return (at) => {
    const record = set.records[at];
    return record !== undefined && reads.some((read) => read(record) !== undefined);
  };
}

const NO_POSITIONS: readonly number[] = [];

async function matchCountries(set: RecordSet, { properties, codes }: PredicateOf<'countries'>): Promise<Matcher> {
  const positionsByProperty = await Promise.all(properties.map((property) => set.positionsByCountry(property)));
  const lists: (readonly number[])[] = [];
  for (const positions of positionsByProperty)
    for (const code of codes) lists.push(positions.get(code) ?? NO_POSITIONS);
  // `flat` takes ten times as long.
  const candidates = new Array<number>().concat(...lists);
  return { candidates, allCandidatesMatch: true, matches: createMembershipTest(candidates, set) };
}

async function matchWords(set: RecordSet, { properties, words }: PredicateOf<'words'>): Promise<Matcher> {
  // Words contain no white space, so no word matches across two values.
  const texts = await (properties === undefined ? set.searchTexts() : set.propertyTexts(properties));
  // A long word is rare and found faster: most texts are rejected by the first word.
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  return { matches: (at) => containsAllWords(texts[at] ?? '', longestFirst) };
}

function containsAllWords(text: string, words: readonly string[]): boolean {
  for (const word of words) if (!text.includes(word)) return false;
  return true;
}
