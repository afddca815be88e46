import type { ParameterError, Query, SortKey } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import type { Draft } from './draft.js';
import { probablyMeant } from './hint.js';
import { readPairs } from './pairs.js';
import type { Pair } from './pairs.js';
import { enterFilter, formParameters, listParameters, unknownProperty } from './parameters.js';
import type { Parameter } from './parameters.js';
import { searchParameters } from './searches.js';
import { shorten } from './values.js';
import { knowsField, knowsProperty, listedFields, listedProperties, respelled } from './vocabulary.js';
import type { Vocabulary } from './vocabulary.js';

/** What holds where a request says nothing, and what it may not pass. */
export interface QueryRules {
  readonly vocabulary: Vocabulary;
  readonly limit: { readonly default: number; readonly max: number };
  readonly envelope: boolean;
  /** Whether one item is asked for, by its path, and not a list. */
  readonly item?: boolean;
}

/** How the answer, an error too, is to be written: known even when other parameters are wrong. */
export interface Form {
  readonly pretty: boolean;
  readonly callback?: string;
}

/** A query; or everything that is wrong with it; or that it asks for what takes an access level. */
export type ParsedQuery =
  | { readonly query: Query }
  | { readonly errors: readonly [ParameterError, ...ParameterError[]]; readonly form: Form }
  | { readonly needs: 'members'; readonly form: Form };

/** Errors that are told at once. */
const MOST_ERRORS = 20;

/**
 * Parses a raw query string (without `?`) by section 2 of decisions.md. It is read raw because libraries repair what must be
 * refused here: bad percent-encoding, repeated parameters.
 */
export function parseQuery(raw: string, rules: QueryRules): ParsedQuery {
  const { pairs, errors } = readPairs(raw);
  const draft: Draft = { where: [], canonical: new Map() };
  const unread = firstOfEach(errors);
  const entered = enterPairs(pairs, draft, rules, MOST_ERRORS - unread.length);
  const found = [...unread, ...entered, ...afterwards(draft, rules.vocabulary)];
  const [first, ...more] = firstOfEach(found).slice(0, MOST_ERRORS);
  const form = formOf(draft);
  if (first !== undefined) return { errors: [first, ...more], form };
  return draft.members === true ? { needs: 'members', form } : { query: finish(draft, rules, pairs) };
}

/** The first error of each parameter: what is wrong with the value of a repeated one does not matter before one of the two is gone. */
export function firstOfEach(errors: readonly ParameterError[]): readonly ParameterError[] {
  const named = new Set<string>();
  return errors.filter(({ parameter }) => named.size < named.add(parameter).size);
}

/**
 * Enters parameters until so many are wrong, and of the others those that say how the answer is written: to find the nearest name of each of thousands would
 * take long, and nobody reads them.
 */
function enterPairs(pairs: readonly Pair[], draft: Draft, rules: QueryRules, most: number): readonly ParameterError[] {
  const errors: ParameterError[] = [];
  for (const { name, value } of pairs) {
    if (errors.length >= most && !formParameters.some((parameter) => parameter.name === name)) continue;
    const message = enter(name, value, draft, rules);
    if (message !== undefined && errors.length < most) errors.push({ parameter: shorten(name), message });
  }
  return errors;
}

function enter(name: string, value: string, draft: Draft, rules: QueryRules): string | undefined {
  const known = parametersOf(rules);
  const parameter = known.find((one) => one.name === name);
  if (parameter === undefined && !isFilter(name, rules)) return unknownParameter(name, known, rules);
  // A known parameter without a value counts as absent (decisions.md, section 2).
  if (value === '') return undefined;
  const { vocabulary } = rules;
  return parameter === undefined
    ? enterFilter(name, value, draft, vocabulary)
    : parameter.enter(value, draft, vocabulary);
}

function parametersOf({ vocabulary, item }: QueryRules): readonly Parameter[] {
  return item === true ? formParameters : [...listParameters, ...searchParameters[vocabulary.resource.name]];
}

function isFilter(name: string, { vocabulary, item }: QueryRules): boolean {
  const { filters, sourceName } = vocabulary.resource;
  if (item === true) return false;
  return filters ? knowsProperty(vocabulary, name) : name === sourceName;
}

function unknownParameter(name: string, known: readonly Parameter[], rules: QueryRules): string {
  const { vocabulary } = rules;
  const listed = [...listedProperties(vocabulary), ...respelled(name, vocabulary)];
  const filters = listed.filter((property) => isFilter(property, rules));
  const hint = probablyMeant(name, [...known.map((parameter) => parameter.name), ...filters]);
  const nearestOne = hint === undefined ? '' : `; the nearest one is ${JSON.stringify(hint)}`;
  return `is not a parameter here${nearestOne}`;
}

/** Filters of one query at most, searches included: each is asked of every record. */
const MOST_FILTERS = 20;

/** What can be told only when all parameters are read. */
function afterwards(
  { fields = [], scope = 'public', members, offset = 0, where, canonical }: Draft,
  vocabulary: Vocabulary,
): ParameterError[] {
  // What members are shown is told to nobody else, not by an error either.
  const unknown = members === true ? undefined : fields.find((name) => !knowsField(vocabulary, scope, name));
  const { window } = vocabulary.resource;
  return [
    ...(unknown === undefined
      ? []
      : [
          {
            parameter: 'fields',
            message: unknownProperty(unknown, [
              ...listedFields(vocabulary, scope),
              ...(scope === 'public' ? respelled(unknown, vocabulary) : []),
            ]),
          },
        ]),
    ...where.slice(MOST_FILTERS, MOST_FILTERS + 1).map(() => ({
      parameter: [...canonical.keys()][MOST_FILTERS] ?? '',
      message: `is one filter too many: ${MOST_FILTERS} are the most`,
    })),
    ...(offset >= window
      ? [
          {
            parameter: 'offset',
            message: `must be below ${window}; ask for earlier or later news with before and after`,
          },
        ]
      : []),
  ];
}

function formOf({ pretty, callback }: Draft): Form {
  return { pretty: pretty ?? true, ...(callback !== undefined && { callback }) };
}

function finish(draft: Draft, { vocabulary, limit, envelope }: QueryRules, pairs: readonly Pair[]): Query {
  const { resource } = vocabulary;
  const order = draft.order ?? [resource.defaultSort];
  const { fields, channel, offset = 0 } = draft;
  const asked = pairs.filter(({ name, value }) => value !== '' && !PAGING.has(name));
  return Object.freeze({
    resource,
    where: Object.freeze(draft.where),
    order: Object.freeze(order),
    offset,
    limit: Math.min(draft.limit ?? limit.default, limit.max, resource.window - offset),
    scope: draft.scope ?? 'public',
    ...(channel !== undefined && { channel }),
    ...(fields && { fields }),
    // A script cannot read headers, so JSONP always carries the envelope.
    envelope: draft.callback !== undefined || (draft.envelope ?? envelope),
    ...formOf(draft),
    asked: Object.freeze(asked.map(({ name, value }) => [name, value] as const)),
    key: canonicalKey(resource, draft.canonical, order),
  });
}

const PAGING: ReadonlySet<string> = new Set(['limit', 'offset']);

/** Equal sets in equal order have equal keys: parameters by name, values as they are compared. */
function canonicalKey(resource: Resource, canonical: ReadonlyMap<string, string>, order: readonly SortKey[]): string {
  const filters = [...canonical].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const sort = order.map(({ property, descending }) => (descending ? `-${property}` : property)).join(',');
  return `${resource.name}?${[...filters.sort(), `sort=${sort}`].join('&')}`;
}
