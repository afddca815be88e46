import { isAccessSufficient } from '../model/access-level.js';
import type { AccessLevel } from '../model/access-level.js';
import type { ParameterError, Query, QueryContent, SortKey, TeamScope } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import type { QueryDraft } from './query-draft.js';
import { suggestName } from './suggest-name.js';
import { parseQueryString } from './query-string.js';
import type { NameValuePair } from './query-string.js';
import {
  MAX_FILTERS,
  SEARCH_PROPERTIES,
  applyFilter,
  outputParameters,
  listParameters,
  unknownPropertyMessage,
} from './reserved-parameters.js';
import type { ParameterDefinition } from './reserved-parameters.js';
import { resourceParameters, searchTextParameter } from './resource-parameters.js';
import { truncate } from './parameter-values.js';
import {
  isKnownField,
  isKnownProperty,
  listFields,
  listProperties,
  showsWholeRecords,
  suggestCodePrefixes,
} from './vocabulary.js';
import type { Vocabulary } from './vocabulary.js';

export interface QueryRules {
  readonly vocabulary: Vocabulary;
  readonly limit: { readonly default: number; readonly max: number };
  readonly envelope: boolean;
  /** Operation 2.6.1. */
  readonly scopeAccess: Readonly<Record<TeamScope, AccessLevel>>;
  /** The path requests a single item. */
  readonly item?: boolean;
  /** Records are searched by relevance: `q` is required and `sort` is no parameter (decisions 2.40). */
  readonly search?: boolean;
  /** The properties are fixed: `fields` is no parameter. */
  readonly fixedProperties?: boolean;
}

/** How the response is written, errors included. Known even when other parameters are invalid. */
export interface OutputOptions {
  readonly pretty: boolean;
  readonly callback?: string;
}

/**
 * A query, all parameter errors, or the scope for which the client's access level does not suffice: that of the query
 * or, for a search for a key, that of keys.
 */
export type ParsedQuery =
  | { readonly query: Query }
  | { readonly errors: readonly [ParameterError, ...ParameterError[]]; readonly form: OutputOptions }
  | { readonly refusedScope: TeamScope; readonly isKeySearch: boolean; readonly form: OutputOptions };

/** Reported together (decisions 2.17). */
const MAX_ERRORS = 20;

/**
 * `raw` has no `?`. It is read raw because libraries repair what must be rejected: invalid percent-encoding and
 * repeated parameters (decisions 2.16). `granted` is the access level of the client.
 */
export function parseQuery(raw: string, rules: QueryRules, granted: AccessLevel): ParsedQuery {
  const { pairs, errors } = parseQueryString(raw);
  const draft: QueryDraft = { predicates: [], canonicalValues: new Map() };
  const syntaxErrors = firstErrorPerParameter(errors);
  const valueErrors = [
    ...applyPairs(pairs, draft, rules, MAX_ERRORS - syntaxErrors.length),
    ...checkSearch(draft, rules),
  ];
  const isKeySearch = needsKeyAccess(draft, rules);
  const scope = isKeySearch ? 'pgp' : (draft.scope ?? 'public');
  const isGranted = isAccessSufficient(granted, rules.scopeAccess[scope]);
  const allErrors = [...syntaxErrors, ...valueErrors, ...validateDraft(draft, rules, isGranted)];
  const [first, ...more] = firstErrorPerParameter(allErrors).slice(0, MAX_ERRORS);
  const form = outputOptionsOf(draft);
  if (first !== undefined) return { errors: [first, ...more], form };
  return isGranted
    ? { query: buildQuery(draft, rules, { pairs, granted }) }
    : { refusedScope: scope, isKeySearch, form };
}

/** Without access to keys, no hit of a search for a key would not mean that no team has the key. */
function needsKeyAccess({ search, scope = 'public' }: QueryDraft, { vocabulary, scopeAccess }: QueryRules): boolean {
  if (search?.isKey !== true || vocabulary.resource.pgpKeyProperties.length === 0) return false;
  return !isAccessSufficient(scopeAccess[scope], scopeAccess.pgp);
}

/** The values of a repeated parameter do not matter until only one of them is left. */
export function firstErrorPerParameter(errors: readonly ParameterError[]): readonly ParameterError[] {
  const reported = new Set<string>();
  return errors.filter(({ parameter }) => reported.size < reported.add(parameter).size);
}

/**
 * Applies parameters to the draft until `most` are invalid; after that, only output parameters. Further errors are not
 * reported, and finding the nearest known name for each of thousands of unknown parameters would take long.
 */
function applyPairs(
  pairs: readonly NameValuePair[],
  draft: QueryDraft,
  rules: QueryRules,
  maxErrors: number,
): readonly ParameterError[] {
  const errors: ParameterError[] = [];
  for (const { name, value } of pairs) {
    if (errors.length >= maxErrors && !outputParameters.some((parameter) => parameter.name === name)) continue;
    const message = applyPair(name, value, draft, rules);
    if (message !== undefined && errors.length < maxErrors) errors.push({ parameter: truncate(name), message });
  }
  return errors;
}

function applyPair(name: string, value: string, draft: QueryDraft, rules: QueryRules): string | undefined {
  const known = parametersOf(rules);
  const parameter = known.find((candidate) => candidate.name === name);
  if (parameter === undefined && !isFilter(name, rules)) return unknownParameterMessage(name, known, rules);
  // A known parameter without a value counts as absent.
  if (value === '') return undefined;
  const { vocabulary } = rules;
  return parameter === undefined
    ? applyFilter(name, value, draft, vocabulary)
    : parameter.apply(value, draft, vocabulary);
}

/** Without the property filters. */
export function parametersOf({
  vocabulary,
  item,
  search,
  fixedProperties,
}: QueryRules): readonly ParameterDefinition[] {
  if (fixedProperties === true) return outputParameters.filter(({ name }) => name !== 'fields');
  const ofResource = resourceParameters[vocabulary.resource.name];
  if (search === true)
    return [
      ...listParameters.filter(({ name }) => name !== 'sort'),
      ...ofResource.filter(({ name }) => name !== searchTextParameter.name),
      searchTextParameter,
    ];
  return item === true
    ? [...outputParameters, ...ofResource.filter(({ selectsProperties }) => selectsProperties === true)]
    : [...listParameters, ...ofResource];
}

/** As far as they can be listed (decisions 2.42). A parameter with the name of a property takes its place. */
export function listFilters(rules: QueryRules): readonly string[] {
  const { idProperty, trailingProperty } = rules.vocabulary.resource;
  const parameters = parametersOf(rules).map(({ name }) => name);
  const names = [...listProperties(rules.vocabulary), ...(idProperty === undefined ? [] : [idProperty])];
  return names.filter((name) => isFilter(name, rules) && name !== trailingProperty?.name && !parameters.includes(name));
}

/** The properties that only one source has are filters. */
export function hasOwnPropertyFilters({ vocabulary, item }: QueryRules): boolean {
  return item !== true && vocabulary.resource.hasPropertyFilters;
}

function isFilter(name: string, { vocabulary, item }: QueryRules): boolean {
  const { hasPropertyFilters: filters, sourceNameProperty: sourceName, isGatewayOwned } = vocabulary.resource;
  if (item === true || isGatewayOwned === true) return false;
  return filters ? isKnownProperty(vocabulary, name) : name === sourceName;
}

function unknownParameterMessage(name: string, known: readonly ParameterDefinition[], rules: QueryRules): string {
  if (rules.search === true && name === 'sort') return 'is not a parameter of a search, which is ordered by relevance';
  const { vocabulary } = rules;
  const listed = [...listProperties(vocabulary), ...suggestCodePrefixes(name, vocabulary)];
  const filters = listed.filter((property) => isFilter(property, rules));
  const hint = suggestName(name, [...known.map((parameter) => parameter.name), ...filters]);
  const suggestion = hint === undefined ? '' : `; did you mean ${JSON.stringify(hint)}?`;
  return `is not a parameter of this resource${suggestion}`;
}

function checkSearch({ search }: QueryDraft, rules: QueryRules): readonly ParameterError[] {
  const isMissing = rules.search === true && search === undefined;
  return isMissing ? [{ parameter: searchTextParameter.name, message: 'is required' }] : [];
}

function validateDraft(
  { fields = [], scope = 'public', offset = 0, predicates, canonicalValues: canonical }: QueryDraft,
  { vocabulary, search }: QueryRules,
  isGranted: boolean,
): ParameterError[] {
  // The properties of a scope are not disclosed to clients that may not have it, not even by an error.
  const added = search === true ? SEARCH_PROPERTIES : [];
  const unknown = isGranted
    ? fields.find((name) => !added.includes(name) && !isKnownField(vocabulary, scope, name))
    : undefined;
  const { pagingWindow: window } = vocabulary.resource;
  return [
    ...(unknown === undefined
      ? []
      : [
          {
            parameter: 'fields',
            message: unknownPropertyMessage(unknown, [
              ...listFields(vocabulary, scope),
              ...added,
              ...(showsWholeRecords(scope) ? suggestCodePrefixes(unknown, vocabulary) : []),
            ]),
          },
        ]),
    ...predicates.slice(MAX_FILTERS, MAX_FILTERS + 1).map(() => ({
      parameter: [...canonical.keys()][MAX_FILTERS] ?? '',
      message: `exceeds the maximum of ${MAX_FILTERS} filters`,
    })),
    ...(offset >= window
      ? [
          {
            parameter: 'offset',
            message: `must be below ${window}; use before and after for earlier or later news`,
          },
        ]
      : []),
  ];
}

function outputOptionsOf({ pretty, callback }: QueryDraft): OutputOptions {
  return { pretty: pretty ?? true, ...(callback !== undefined && { callback }) };
}

function buildQuery(
  draft: QueryDraft,
  rules: QueryRules,
  { pairs, granted }: { readonly pairs: readonly NameValuePair[]; readonly granted: AccessLevel },
): Query {
  const { vocabulary, limit, envelope } = rules;
  const { resource } = vocabulary;
  const order = draft.order ?? [resource.defaultSort];
  const { fields, channel, countryScope, search, offset = 0, scope = 'public' } = draft;
  const access = needsKeyAccess(draft, rules) ? rules.scopeAccess.pgp : accessOf(scope, rules, granted);
  const requested = pairs.filter(({ name, value }) => value !== '' && !PAGING_PARAMETERS.has(name));
  const content: QueryContent = {
    resource,
    predicates: Object.freeze(draft.predicates),
    order: Object.freeze(order),
    offset,
    limit: Math.min(draft.limit ?? limit.default, limit.max, resource.pagingWindow - offset),
    scope,
    ...(countryScope !== undefined && { countryScope }),
    ...(channel !== undefined && { channel }),
    ...(search !== undefined && { search: { text: search.text, includesKeys: includesKeys(rules, access) } }),
    ...(fields && { fields }),
    // A script cannot read header fields, so a JSONP response always has an envelope (decisions 2.15).
    envelope: draft.callback !== undefined || (draft.envelope ?? envelope),
    ...outputOptionsOf(draft),
    requestParameters: Object.freeze(requested.map(({ name, value }) => [name, value] as const)),
  };
  const text = canonicalText(resource, draft.canonicalValues, search === undefined ? order : RELEVANCE);
  return Object.freeze<Query>(
    access === 'public'
      ? { access: 'public', canonicalKey: `public ${text}`, ...content }
      : { access: 'members', canonicalKey: `members ${text}`, ...content },
  );
}

/**
 * What the scope needs. Directory teams have no scopes. Where PGP keys need members access, these teams are answered at
 * members level to the clients that have it, because they show the keys of data sources (decisions 8.2).
 */
function accessOf(scope: TeamScope, { scopeAccess, vocabulary }: QueryRules, granted: AccessLevel): AccessLevel {
  const showsKeys = vocabulary.resource.derivedKeyProperty !== undefined;
  return showsKeys && isAccessSufficient(granted, scopeAccess.pgp) ? scopeAccess.pgp : scopeAccess[scope];
}

/** Keys are public on the interface, or the access level has them. */
function includesKeys({ vocabulary: { resource }, scopeAccess }: QueryRules, access: AccessLevel): boolean {
  return resource.pgpKeyProperties.length === 0 || isAccessSufficient(access, scopeAccess.pgp);
}

/** Distinguishes the canonical key of a search from a query with the same parameters. */
const RELEVANCE: readonly SortKey[] = [{ property: '(relevance)', descending: false }];

const PAGING_PARAMETERS: ReadonlySet<string> = new Set(['limit', 'offset']);

/** Parameters sorted by name, values in canonical form: equal for the same records in the same order. */
function canonicalText(resource: Resource, canonical: ReadonlyMap<string, string>, order: readonly SortKey[]): string {
  const filters = [...canonical].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const sort = order.map(({ property, descending }) => (descending ? `-${property}` : property)).join(',');
  return `${resource.name}?${[...filters.sort(), `sort=${sort}`].join('&')}`;
}
