import type { ParameterError, Query, SortKey } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import { nearest } from '../text/nearest.js';
import type { Draft } from './draft.js';
import { readPairs } from './pairs.js';
import type { Pair } from './pairs.js';
import { directoryParameters, enterFilter } from './parameters.js';
import { knowsProperty, listedProperties } from './vocabulary.js';
import type { Vocabulary } from './vocabulary.js';

/** What holds where a request says nothing, and what it may not pass. */
export interface QueryRules {
  readonly vocabulary: Vocabulary;
  readonly limit: { readonly default: number; readonly max: number };
  readonly envelope: boolean;
}

/** How the answer, an error too, is to be written: known even when other parameters are wrong. */
export interface Form {
  readonly pretty: boolean;
  readonly callback?: string;
}

/** A query, or everything that is wrong with it. */
export type ParsedQuery =
  { readonly query: Query } | { readonly errors: readonly [ParameterError, ...ParameterError[]]; readonly form: Form };

/**
 * Parses a raw query string (without `?`) by section 2 of decisions.md. It is read raw because libraries repair what must be
 * refused here: bad percent-encoding, repeated parameters.
 */
export function parseQuery(raw: string, rules: QueryRules): ParsedQuery {
  const { pairs, errors } = readPairs(raw);
  const draft: Draft = { where: [], canonical: new Map() };
  const [first, ...more] = [...errors, ...pairs.flatMap((pair) => enterPair(pair, draft, rules.vocabulary))];
  return first === undefined
    ? { query: finish(draft, rules, pairs) }
    : { errors: [first, ...more], form: formOf(draft) };
}

function enterPair({ name, value }: Pair, draft: Draft, vocabulary: Vocabulary): ParameterError[] {
  const message = enter(name, value, draft, vocabulary);
  return message === undefined ? [] : [{ parameter: name, message }];
}

function enter(name: string, value: string, draft: Draft, vocabulary: Vocabulary): string | undefined {
  const parameter = directoryParameters.find((known) => known.name === name);
  if (parameter === undefined && !knowsProperty(vocabulary, name)) return unknownParameter(name, vocabulary);
  // A known parameter without a value counts as absent (decisions.md, section 2).
  if (value === '') return undefined;
  return parameter === undefined
    ? enterFilter(name, value, draft, vocabulary)
    : parameter.enter(value, draft, vocabulary);
}

function unknownParameter(name: string, vocabulary: Vocabulary): string {
  const hint = nearest(name, [...directoryParameters.map((known) => known.name), ...listedProperties(vocabulary)]);
  return hint === undefined
    ? 'is not a parameter here'
    : `is not a parameter here; the nearest one is ${JSON.stringify(hint)}`;
}

function formOf({ pretty, callback }: Draft): Form {
  return { pretty: pretty ?? true, ...(callback !== undefined && { callback }) };
}

function finish(draft: Draft, { vocabulary, limit, envelope }: QueryRules, pairs: readonly Pair[]): Query {
  const { resource } = vocabulary;
  const order = draft.order ?? [{ property: resource.defaultSort, descending: false }];
  return {
    resource,
    where: draft.where,
    order,
    offset: draft.offset ?? 0,
    limit: Math.min(draft.limit ?? limit.default, limit.max),
    ...(draft.fields && { fields: draft.fields }),
    // A script cannot read headers, so JSONP always carries the envelope.
    envelope: draft.callback !== undefined || (draft.envelope ?? envelope),
    ...formOf(draft),
    asked: pairs.filter(({ name, value }) => value !== '' && !PAGING.has(name)).map(({ name, value }) => [name, value]),
    key: canonicalKey(resource, draft.canonical, order),
  };
}

const PAGING: ReadonlySet<string> = new Set(['limit', 'offset']);

/** Equal sets in equal order have equal keys: parameters by name, values as they are compared. */
function canonicalKey(resource: Resource, canonical: ReadonlyMap<string, string>, order: readonly SortKey[]): string {
  const filters = [...canonical].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const sort = order.map(({ property, descending }) => (descending ? `-${property}` : property)).join(',');
  return `${resource.name}?${[...filters.sort(), `sort=${sort}`].join('&')}`;
}
