import { TEXT_SCHEMA } from '../model/schema/json-schema.js';
import type { JsonSchema, JsonValue } from '../model/schema/json-schema.js';
import type { SortKey } from '../model/query.js';
import { MATCHES_PROPERTY, SCORE_PROPERTY } from '../model/resource.js';
import { foldText } from '../text/text-folding.js';
import type { QueryDraft } from './query-draft.js';
import { suggestName } from './suggest-name.js';
import { quoteTruncated, quoteList, readBoolean, readList, readNumber } from './parameter-values.js';
import { createPropertyNameSchema } from './property-name-schema.js';
import {
  hasCodePrefix,
  isKnownProperty,
  isKnownSourceName,
  listProperties,
  isRegisteredProperty,
  suggestCodePrefixes,
} from './vocabulary.js';
import type { Vocabulary } from './vocabulary.js';

interface ParameterRules {
  readonly vocabulary: Vocabulary;
  readonly limit: { readonly default: number; readonly max: number };
  /** If the query does not say. */
  readonly envelope: boolean;
  /** Records are searched by relevance. */
  readonly search?: boolean;
}

/** Added to records by a search by relevance; `fields` may name them (decisions 2.40). */
export const SEARCH_PROPERTIES: readonly string[] = [SCORE_PROPERTY, MATCHES_PROPERTY];

/** `apply` enters the value, which is never empty, into the draft and returns an error message or undefined. */
export interface ParameterDefinition {
  readonly name: string;
  readonly apply: (value: string, draft: QueryDraft, vocabulary: Vocabulary) => string | undefined;
  /** For the description of the interfaces (decisions 2.42). */
  readonly description: string | ((rules: ParameterRules) => string);
  /** The values that `apply` accepts, as text; those of a list are joined by commas. */
  readonly schema: (rules: ParameterRules) => JsonSchema;
  /** Admitted by the schema, and in the data of the demo. */
  readonly example: JsonValue | ((rules: ParameterRules) => JsonValue);
  /** The parameter selects properties, so that a request for a single item has it too (decisions 2.35). */
  readonly selectsProperties?: true;
  readonly isRequired?: true;
}

/** The form of a response; every operation has them (interfaces 1.7). */
export const outputParameters: readonly ParameterDefinition[] = [
  {
    name: 'fields',
    apply: (value, draft) => void (draft.fields = readList(value)),
    description: ({ vocabulary: { resource } }) =>
      `Returns only these properties. Records keep their order; the columns of a table follow \`fields\`.${resource.hasScopes ? ' They are properties of the requested `scope`.' : ''}`,
    schema: ({ vocabulary, search }) => ({
      type: 'array',
      items: createPropertyNameSchema(vocabulary, 'fields', search === true ? SEARCH_PROPERTIES : []),
      minItems: 1,
    }),
    example: ({ vocabulary }) => [getExampleProperty(vocabulary)],
  },
  {
    name: 'envelope',
    apply: (value, draft) => applyBoolean(value, (envelope) => (draft.envelope = envelope)),
    description: 'Whether the response is an envelope with metadata, or bare data with the metadata in header fields.',
    schema: ({ envelope }) => ({ ...BOOLEAN_SCHEMA, default: envelope }),
    example: true,
  },
  {
    name: 'pretty',
    apply: (value, draft) => applyBoolean(value, (pretty) => (draft.pretty = pretty)),
    description: 'Whether JSON and XML are indented.',
    schema: () => ({ ...BOOLEAN_SCHEMA, default: true }),
    example: false,
  },
  {
    name: 'callback',
    apply: applyCallback,
    description:
      'JSONP: the response is a script that calls this function with an envelope. An error has status 200 and its real status in the envelope. Only for JSON at public access.',
    schema: () => ({ type: 'string', pattern: CALLBACK.source }),
    example: 'show',
  },
];

/** Searches included: each filter is evaluated for every record (decisions 2.19). */
export const MAX_FILTERS = 20;

/** Each costs a column over all records. */
const MAX_SORT_KEYS = 8;

export const listParameters: readonly ParameterDefinition[] = [
  ...outputParameters,
  {
    name: 'limit',
    apply: (value, draft) => applyNumber(value, (limit) => (draft.limit = limit)),
    description: ({ limit }) =>
      `Maximum number of records in the response. A number above ${limit.max} is reduced to ${limit.max}; 0 returns only the number of matches.`,
    schema: ({ limit }) => ({ type: 'integer', minimum: 0, default: limit.default }),
    example: 2,
  },
  {
    name: 'offset',
    apply: (value, draft) => applyNumber(value, (offset) => (draft.offset = offset)),
    description: 'Number of records to skip.',
    schema: ({ vocabulary: { resource } }) => ({
      type: 'integer',
      minimum: 0,
      ...(resource.pagingWindow !== Infinity && { maximum: resource.pagingWindow - 1 }),
      default: 0,
    }),
    example: 2,
  },
  {
    name: 'sort',
    apply: applySort,
    description: `Order of the records: names of at most ${MAX_SORT_KEYS} properties; a leading \`-\` descends. Records without the property come last in both directions.`,
    schema: ({ vocabulary }) => ({
      type: 'array',
      items: createPropertyNameSchema(vocabulary, 'sort'),
      minItems: 1,
    }),
    example: ({ vocabulary }) => [`-${getExampleProperty(vocabulary)}`],
  },
];

/** `true`, `false`, `0` and `1` (decisions 2.17). */
const BOOLEAN_SCHEMA: JsonSchema = { anyOf: [{ type: 'boolean' }, { type: 'integer', enum: [0, 1] }] };

/** For examples of `fields` and `sort`. Every scope of a resource of sources has its `source-name`. */
function getExampleProperty({ resource }: Vocabulary): string {
  const { properties, sourceNameProperty, defaultSort } = resource;
  return properties.some(({ name }) => name === sourceNameProperty) ? sourceNameProperty : defaultSort.property;
}

/** The values that {@link applyFilter} accepts. */
export function createFilterSchema(property: string, { resource, sourceNames, aggregate }: Vocabulary): JsonSchema {
  return property === resource.sourceNameProperty && !aggregate ? { type: 'string', enum: sourceNames } : TEXT_SCHEMA;
}

/** An exact match that ignores case and diacritics (decisions 2.25). Returns an error message or undefined. */
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

/** Matches any of several properties, ignoring case and diacritics. */
export function applyEquals(name: string, value: string, draft: QueryDraft, properties: readonly string[]): undefined {
  const folded = foldText(value);
  draft.predicates.push({ kind: 'equals', properties, value: folded, parameter: name });
  draft.canonicalValues.set(name, folded);
}

export function unknownPropertyMessage(name: string, known: readonly string[]): string {
  const hint = suggestName(name, known);
  return `names the unknown property ${quoteTruncated(name)}${hint === undefined ? '' : `; did you mean ${quoteTruncated(hint)}?`}`;
}

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

/** A token with `-` is a source's own name, and no descending order, if no known property resembles the latter. */
function unknownSortMessage(token: string, vocabulary: Vocabulary): string {
  const listed = listProperties(vocabulary);
  const name = token.replace(/^-/, '');
  const isOwn = hasCodePrefix(token) && suggestName(name, listed) === undefined;
  const unknownName = isOwn ? token : name;
  return unknownPropertyMessage(unknownName, [...listed, ...suggestCodePrefixes(unknownName, vocabulary)]);
}

/**
 * Undefined for an unknown property. A token that is the complete name of a property sorts ascending by it, even if it
 * begins with `-`. With a registered aggregate almost any such name may be a property; `-last-modified` descends all
 * the same, because `last-modified` is a known property (decisions 2.23).
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

/** JSONP (decisions 2.15). */
const CALLBACK = /^[A-Za-z0-9]{1,64}$/;

function applyCallback(value: string, draft: QueryDraft): string | undefined {
  if (!CALLBACK.test(value)) return 'must be 1 to 64 letters and digits';
  draft.callback = value;
  return undefined;
}
