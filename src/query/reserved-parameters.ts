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

/**
 * A parameter. `apply` enters its value, which is never empty, into the draft and returns an error message or
 * undefined.
 */
export interface ParameterDefinition {
  readonly name: string;
  readonly apply: (value: string, draft: QueryDraft, vocabulary: Vocabulary) => string | undefined;
  /** Whether the parameter selects properties, so that a request for a single item has it too (decisions 2.35). */
  readonly selectsProperties?: true;
}

/** Reserved parameters for the form of a response; every operation has them (interfaces 1.7). */
export const outputParameters: readonly ParameterDefinition[] = [
  { name: 'fields', apply: (value, draft) => void (draft.fields = readList(value)) },
  { name: 'envelope', apply: (value, draft) => applyBoolean(value, (envelope) => (draft.envelope = envelope)) },
  { name: 'pretty', apply: (value, draft) => applyBoolean(value, (pretty) => (draft.pretty = pretty)) },
  { name: 'callback', apply: applyCallback },
];

/** Reserved parameters of a list (interfaces 1.7). */
export const listParameters: readonly ParameterDefinition[] = [
  ...outputParameters,
  { name: 'limit', apply: (value, draft) => applyNumber(value, (limit) => (draft.limit = limit)) },
  { name: 'offset', apply: (value, draft) => applyNumber(value, (offset) => (draft.offset = offset)) },
  { name: 'sort', apply: applySort },
];

/**
 * Adds a property filter: an exact match that ignores case and diacritics (decisions 2.25). Returns an error message
 * or undefined.
 */
export function applyFilter(
  property: string,
  value: string,
  draft: QueryDraft,
  vocabulary: Vocabulary,
): string | undefined {
  const { resource, sourceNames } = vocabulary;
  if (property === resource.trailingProperty?.name) return 'is not a filter';
  if (property === resource.sourceNameProperty && !isKnownSourceName(vocabulary, value)) {
    return `names no registered source; the source-names are ${quoteList(sourceNames)}`;
  }
  applyEquals(property, value, draft, [property]);
  return undefined;
}

/** Adds an exact match, ignoring case and diacritics, on any of several properties. */
export function applyEquals(name: string, value: string, draft: QueryDraft, properties: readonly string[]): undefined {
  const folded = foldText(value);
  draft.predicates.push({ kind: 'equals', properties, value: folded, parameter: name });
  draft.canonicalValues.set(name, folded);
}

/** Error message for a name that is unknown to `fields` or `sort`. */
export function unknownPropertyMessage(name: string, known: readonly string[]): string {
  const hint = suggestName(name, known);
  return `names the unknown property ${quoteTruncated(name)}${hint === undefined ? '' : `; did you mean ${quoteTruncated(hint)}?`}`;
}

/** Maximum number of sort properties: each costs a column over all records (decisions 2.19). */
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

/**
 * A token that begins with `-` is a descending property name or a source's own property name. It is read as the latter
 * if no known property resembles the former.
 */
function unknownSortMessage(token: string, vocabulary: Vocabulary): string {
  const listed = listProperties(vocabulary);
  const name = token.replace(/^-/, '');
  const isOwn = hasCodePrefix(token) && suggestName(name, listed) === undefined;
  const unknownName = isOwn ? token : name;
  return unknownPropertyMessage(unknownName, [...listed, ...suggestCodePrefixes(unknownName, vocabulary)]);
}

/**
 * Reads one token of `sort`; undefined for an unknown property. A token that is the complete name of a property sorts
 * ascending by it, even if it begins with `-`. With a registered aggregate almost any such name may be a property;
 * `-last-modified` descends all the same, because `last-modified` is a known property (decisions 2.23).
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
