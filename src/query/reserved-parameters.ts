import type { SortKey } from '../model/query.js';
import { foldText } from '../text/text-folding.js';
import type { QueryDraft } from './query-draft.js';
import { suggestName } from './suggest-name.js';
import { quoteTruncated, quoteList, readBoolean, readList, readNumber } from './parameter-values.js';
import {
  hasCodePrefix,
  isKnownProperty,
  isKnownSourceName,
  listProperties,
  isRegisteredProperty,
  suggestCodePrefixes,
} from './vocabulary.js';
import type { Vocabulary } from './vocabulary.js';

/** One parameter: how its value (never empty) enters the query. What it returns is the message of an error. */
export interface ParameterDefinition {
  readonly name: string;
  readonly apply: (value: string, draft: QueryDraft, vocabulary: Vocabulary) => string | undefined;
}

/** How an answer is written: reserved parameters that every operation takes (interfaces.md, section 1). */
export const outputParameters: readonly ParameterDefinition[] = [
  { name: 'fields', apply: (value, draft) => void (draft.fields = readList(value)) },
  { name: 'envelope', apply: (value, draft) => applyBoolean(value, (envelope) => (draft.envelope = envelope)) },
  { name: 'pretty', apply: (value, draft) => applyBoolean(value, (pretty) => (draft.pretty = pretty)) },
  { name: 'callback', apply: applyCallback },
];

/** The reserved parameters of a list. */
export const listParameters: readonly ParameterDefinition[] = [
  ...outputParameters,
  { name: 'limit', apply: (value, draft) => applyNumber(value, (limit) => (draft.limit = limit)) },
  { name: 'offset', apply: (value, draft) => applyNumber(value, (offset) => (draft.offset = offset)) },
  { name: 'sort', apply: applySort },
];

/** The filter on a property: exact, case- and diacritic-insensitive (decisions.md, section 2). */
export function applyFilter(
  property: string,
  value: string,
  draft: QueryDraft,
  vocabulary: Vocabulary,
): string | undefined {
  const { resource, sourceNames } = vocabulary;
  if (property === resource.trailingProperty?.name) return 'is the one property that is no filter';
  if (property === resource.sourceNameProperty && !isKnownSourceName(vocabulary, value)) {
    return `names no registered source; the source-names are ${quoteList(sourceNames)}`;
  }
  applyEquals(property, value, draft, [property]);
  return undefined;
}

/** A parameter that is exact, case- and diacritic-insensitive, on one of several properties. */
export function applyEquals(name: string, value: string, draft: QueryDraft, properties: readonly string[]): undefined {
  const folded = foldText(value);
  draft.where.push({ kind: 'equals', properties, value: folded, parameter: name });
  draft.canonicalValues.set(name, folded);
}

/** The message for a name that neither `fields` nor `sort` knows. */
export function unknownPropertyMessage(name: string, known: readonly string[]): string {
  const hint = suggestName(name, known);
  return `names the unknown property ${quoteTruncated(name)}${hint === undefined ? '' : `; the nearest known one is ${quoteTruncated(hint)}`}`;
}

/** Fields of an order at most: each costs a column over all records, and no table has more that matter. */
const MAX_SORT_KEYS = 8;

function applySort(value: string, draft: QueryDraft, vocabulary: Vocabulary): string | undefined {
  const keys = new Map<string, SortKey>();
  for (const token of readList(value)) {
    const key = readSortKey(token, vocabulary);
    if (key === undefined) return unknownSortMessage(token, vocabulary);
    if (!keys.has(key.property)) keys.set(key.property, key);
  }
  if (keys.size > MAX_SORT_KEYS) return `names more than ${MAX_SORT_KEYS} properties`;
  draft.order = [...keys.values()];
  return undefined;
}

/** What begins with `-` is a name that descends, or one source's own name: the latter where nothing is known that the former is near to. */
function unknownSortMessage(token: string, vocabulary: Vocabulary): string {
  const listed = listProperties(vocabulary);
  const name = token.replace(/^-/, '');
  const isOwn = hasCodePrefix(token) && suggestName(name, listed) === undefined;
  const told = isOwn ? token : name;
  return unknownPropertyMessage(told, [...listed, ...suggestCodePrefixes(told, vocabulary)]);
}

/**
 * A token that is a property's whole name sorts ascending by it, also when the name begins with `-` (decisions.md, section 2). Where an
 * aggregate is registered, almost any such name may be one; `-last-modified` descends all the same, for `last-modified` is known for certain.
 */
function readSortKey(token: string, vocabulary: Vocabulary): SortKey | undefined {
  const property = token.slice(1);
  const descending =
    token.startsWith('-') && !isRegisteredProperty(vocabulary, token) && isKnownProperty(vocabulary, property);
  if (descending) return { property, descending };
  return isKnownProperty(vocabulary, token) ? { property: token, descending } : undefined;
}

function applyNumber(value: string, set: (number: number) => void): string | undefined {
  const number = readNumber(value);
  if (number === undefined) return 'must be a whole number of at least 0';
  set(number);
  return undefined;
}

function applyBoolean(value: string, set: (boolean: boolean) => void): string | undefined {
  const boolean = readBoolean(value);
  if (boolean === undefined) return 'must be true, false, 0 or 1';
  set(boolean);
  return undefined;
}

function applyCallback(value: string, draft: QueryDraft): string | undefined {
  if (!/^[A-Za-z0-9]{1,64}$/.test(value)) return 'must be 1 to 64 letters and digits';
  draft.callback = value;
  return undefined;
}
