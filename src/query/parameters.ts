import type { SortKey } from '../model/query.js';
import { fold } from '../text/fold.js';
import type { Draft } from './draft.js';
import { probablyMeant } from './hint.js';
import { quote, quoted, readBoolean, readList, readNumber } from './values.js';
import { isOfCode, knowsProperty, knowsSourceName, listedProperties, namesProperty, respelled } from './vocabulary.js';
import type { Vocabulary } from './vocabulary.js';

/** One parameter: how its value (never empty) enters the query. What it returns is the message of an error. */
export interface Parameter {
  readonly name: string;
  readonly enter: (value: string, draft: Draft, vocabulary: Vocabulary) => string | undefined;
}

/** How an answer is written: reserved parameters that every operation takes (interfaces.md, section 1). */
export const formParameters: readonly Parameter[] = [
  { name: 'fields', enter: (value, draft) => void (draft.fields = readList(value)) },
  { name: 'envelope', enter: (value, draft) => enterBoolean(value, (envelope) => (draft.envelope = envelope)) },
  { name: 'pretty', enter: (value, draft) => enterBoolean(value, (pretty) => (draft.pretty = pretty)) },
  { name: 'callback', enter: enterCallback },
];

/** The reserved parameters of a list. */
export const listParameters: readonly Parameter[] = [
  ...formParameters,
  { name: 'limit', enter: (value, draft) => enterNumber(value, (limit) => (draft.limit = limit)) },
  { name: 'offset', enter: (value, draft) => enterNumber(value, (offset) => (draft.offset = offset)) },
  { name: 'sort', enter: enterSort },
];

/** The filter on a property: exact, case- and diacritic-insensitive (decisions.md, section 2). */
export function enterFilter(property: string, value: string, draft: Draft, vocabulary: Vocabulary): string | undefined {
  const { resource, sourceNames } = vocabulary;
  if (property === resource.trailing?.name) return 'is the one property that is no filter';
  if (property === resource.sourceName && !knowsSourceName(vocabulary, value)) {
    return `names no registered source; the source-names are ${quoted(sourceNames)}`;
  }
  enterEquals(property, value, draft, [property]);
  return undefined;
}

/** A parameter that is exact, case- and diacritic-insensitive, on one of several properties. */
export function enterEquals(name: string, value: string, draft: Draft, properties: readonly string[]): undefined {
  const folded = fold(value);
  draft.where.push({ kind: 'equals', properties, value: folded, parameter: name });
  draft.canonical.set(name, folded);
}

/** The message for a name that neither `fields` nor `sort` knows. */
export function unknownProperty(name: string, known: readonly string[]): string {
  const hint = probablyMeant(name, known);
  return `names the unknown property ${quote(name)}${hint === undefined ? '' : `; the nearest known one is ${quote(hint)}`}`;
}

/** Fields of an order at most: each costs a column over all records, and no table has more that matter. */
const MOST_SORT_KEYS = 8;

function enterSort(value: string, draft: Draft, vocabulary: Vocabulary): string | undefined {
  const keys = new Map<string, SortKey>();
  for (const token of readList(value)) {
    const key = sortKey(token, vocabulary);
    if (key === undefined) return unknownSort(token, vocabulary);
    if (!keys.has(key.property)) keys.set(key.property, key);
  }
  if (keys.size > MOST_SORT_KEYS) return `names more than ${MOST_SORT_KEYS} properties`;
  draft.order = [...keys.values()];
  return undefined;
}

/** What begins with `-` is a name that descends, or one source's own name: the latter where nothing is known that the former is near to. */
function unknownSort(token: string, vocabulary: Vocabulary): string {
  const listed = listedProperties(vocabulary);
  const name = token.replace(/^-/, '');
  const isOwn = isOfCode(token) && probablyMeant(name, listed) === undefined;
  const told = isOwn ? token : name;
  return unknownProperty(told, [...listed, ...respelled(told, vocabulary)]);
}

/**
 * A token that is a property's whole name sorts ascending by it, also when the name begins with `-` (decisions.md, section 2). Where an
 * aggregate is registered, almost any such name may be one; `-last-modified` descends all the same, for `last-modified` is known for certain.
 */
function sortKey(token: string, vocabulary: Vocabulary): SortKey | undefined {
  const property = token.slice(1);
  const descending = token.startsWith('-') && !namesProperty(vocabulary, token) && knowsProperty(vocabulary, property);
  if (descending) return { property, descending };
  return knowsProperty(vocabulary, token) ? { property: token, descending } : undefined;
}

function enterNumber(value: string, set: (number: number) => void): string | undefined {
  const number = readNumber(value);
  if (number === undefined) return 'must be a whole number of at least 0';
  set(number);
  return undefined;
}

function enterBoolean(value: string, set: (boolean: boolean) => void): string | undefined {
  const boolean = readBoolean(value);
  if (boolean === undefined) return 'must be true, false, 0 or 1';
  set(boolean);
  return undefined;
}

function enterCallback(value: string, draft: Draft): string | undefined {
  if (!/^[A-Za-z0-9]{1,64}$/.test(value)) return 'must be 1 to 64 letters and digits';
  draft.callback = value;
  return undefined;
}
