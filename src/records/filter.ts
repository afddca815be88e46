import type { Predicate } from '../model/query.js';
import { isList } from '../model/value.js';
import type { Scalar, Value } from '../model/value.js';
import { reader } from './column.js';
import type { FoldedCell } from './column.js';
import type { RecordSet } from './record-set.js';

/** Whether the record at a position of a set fulfils a query's predicates. */
export type Matcher = (at: number) => boolean;

/** Prepares what the predicates need to know of the set and joins them with AND; no predicate: undefined, every record matches. */
export async function matcher(set: RecordSet, where: readonly Predicate[]): Promise<Matcher | undefined> {
  const [first, ...others] = await Promise.all(where.map((predicate) => matcherOf(set, predicate)));
  if (first === undefined) return undefined;
  return others.reduce<Matcher>((all, one) => (at) => all(at) && one(at), first);
}

async function matcherOf(set: RecordSet, predicate: Predicate): Promise<Matcher> {
  switch (predicate.kind) {
    case 'equals':
      return oneEquals(await columns(set, predicate.properties), predicate.value);
    case 'countries':
      return inCountries(await valuesOf(set, predicate.properties), predicate.codes);
    case 'words':
      return everyWord(await textsOf(set, predicate.properties), predicate.words);
    case 'between':
      return between(await set.modified(), predicate);
    case 'present':
      return present(set, predicate.properties);
  }
}

function columns(set: RecordSet, properties: readonly string[]): Promise<(readonly FoldedCell[])[]> {
  return Promise.all(properties.map((property) => set.folded(property)));
}

function oneEquals(found: readonly (readonly FoldedCell[])[], value: string): Matcher {
  const [only, ...more] = found.map((column) => equals(column, value));
  if (only === undefined) return () => false;
  return more.length === 0 ? only : (at) => only(at) || more.some((matches) => matches(at));
}

function between(
  dates: Float64Array,
  { after = -Infinity, before = Infinity }: { after?: number; before?: number },
): Matcher {
  return (at) => {
    const date = dates[at] ?? NaN;
    return date > after && date < before;
  };
}

function present(set: RecordSet, properties: readonly string[]): Matcher {
  const reads = properties.map((property) => reader(set.resource, property));
  return (at) => {
    const record = set.records[at];
    return record !== undefined && reads.some((read) => read(record) !== undefined);
  };
}

function equals(column: readonly FoldedCell[], value: string): Matcher {
  return (at) => {
    const cell = column[at];
    return typeof cell === 'string' ? cell === value : cell?.includes(value) === true;
  };
}

function valuesOf(set: RecordSet, properties: readonly string[]): Promise<(readonly (Value | undefined)[])[]> {
  return Promise.all(properties.map((property) => set.values(property)));
}

function inCountries(found: readonly (readonly (Value | undefined)[])[], codes: ReadonlySet<string>): Matcher {
  const [only, ...more] = found.map((column) => hasOne(column, codes));
  if (only === undefined) return () => false;
  return more.length === 0 ? only : (at) => only(at) || more.some((matches) => matches(at));
}

function hasOne(column: readonly (Value | undefined)[], codes: ReadonlySet<string>): Matcher {
  const isOne = (code: Scalar): boolean => codes.has(String(code));
  return (at) => {
    const value = column[at];
    if (value === undefined) return false;
    if (typeof value === 'string') return codes.has(value);
    return isList(value) ? value.some(isOne) : isOne(value);
  };
}

/** Words hold no white space, so none can match across two values. */
function textsOf(set: RecordSet, properties: readonly string[] | undefined): Promise<readonly string[]> {
  return properties === undefined ? set.searchTexts() : set.texts(properties);
}

function everyWord(texts: readonly string[], words: readonly string[]): Matcher {
  // A long word is a rare one, and is looked for faster: most texts are left after the first.
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  return (at) => longestFirst.every((word) => texts[at]?.includes(word) === true);
}
