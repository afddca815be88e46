import type { Capability } from '../model/registration/capability.js';
import type { Predicate, Query, SortKey } from '../model/query.js';
import { listStoredProperties, findPropertyKind } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { parseCountryCode, hasCountryAlias } from '../region/country.js';
import { foldText } from '../text/text-folding.js';
import { widenToSecond } from './date-bound.js';

/** What a source evaluates of a query, what Rollcall evaluates, and what the results guarantee (decisions 5.11). */
export interface PushDown {
  /**
   * Besides paging, named as on the source's interface; `sort` only where the order is guaranteed. Sorted by name, so
   * that equal push-downs serialize to equal text.
   */
  readonly sent: Readonly<Record<string, string>>;
  /** Parameters that Rollcall evaluates itself; includes `sort` unless the order is guaranteed. */
  readonly residual: readonly string[];
  /**
   * Parameters (names as sent) that the source evaluates exactly: all records satisfy the predicate (decisions 5.17).
   */
  readonly exact: readonly { readonly name: string; readonly predicate: Predicate }[];
  /** Empty where no order is guaranteed. */
  readonly order: readonly SortKey[];
  readonly guaranteed: {
    /** No residual filter remains. */
    readonly filters: boolean;
    /** Records arrive in the order of the query, except among records that are equal in it. */
    readonly order: boolean;
    /** If the source reports a total, it is the number of matching records. */
    readonly total: boolean;
    /** A limit may be sent: the first records received are the first records of the result. */
    readonly limit: boolean;
  };
}

export interface SourceTraits {
  readonly sourceName: string;
  readonly aggregate: boolean;
  /** Links that the source sends as paths (decisions 4.2). */
  readonly resolvesLinks: boolean;
  /** Then Rollcall evaluates `channel` (decisions 4.32.3). */
  readonly itemsNameChannels?: boolean;
}

/**
 * Pushes down what the source evaluates exactly as Rollcall does, or for searches with a little more; never `channel`
 * (decisions 5.18). The filter `source-name` needs no work for a source that is not an aggregate. The directory's `q`,
 * which also searches the source-name, is pushed down if none of its words occurs there.
 */
export function pushDown(query: Query, capability: Capability, traits: SourceTraits): PushDown {
  const values = new Map(query.requestParameters);
  const pushes = query.predicates
    .filter((predicate) => !isAlwaysTrue(predicate, query, traits))
    .map((predicate) =>
      pushDownPredicate(predicate, {
        query,
        capability,
        traits,
        requestedValue: values.get(predicate.parameter ?? ''),
      }),
    );
  const key = pushDownSort(query, capability);
  const residualFilters = [
    ...pushes.filter(({ mode }) => mode !== 'exact').map(({ name }) => name),
    ...(query.channel === undefined ? [] : ['channel']),
  ];
  const filters = residualFilters.length === 0;
  const order = key !== undefined;
  const total = filters && capability.total;
  const sent = pushes.map(({ name, value }) => ({ name, value }));
  if (order) sent.push({ name: 'sort', value: formatSortKey(key) });
  return {
    sent: sortByName(sent),
    residual: order ? residualFilters : [...residualFilters, 'sort'],
    exact: pushes.flatMap(({ name, mode, predicate }) => (mode === 'exact' ? [{ name, predicate }] : [])),
    order: order ? [key] : [],
    guaranteed: { filters, order, total, limit: filters && order && total },
  };
}

/** `coarse`: the source may return more than the matches of a search. */
type PushDownMode = 'exact' | 'coarse' | 'none';

interface PredicatePushDown {
  readonly predicate: Predicate;
  readonly name: string;
  readonly mode: PushDownMode;
  readonly value?: string | undefined;
}

interface PushDownContext {
  readonly query: Query;
  readonly capability: Capability;
  readonly traits: SourceTraits;
  readonly requestedValue: string | undefined;
}

/** A source that is not an aggregate has one source-name. */
function isAlwaysTrue(predicate: Predicate, { resource }: Query, traits: SourceTraits): boolean {
  if (predicate.kind !== 'equals' || predicate.parameter !== resource.sourceNameProperty) return false;
  return !traits.aggregate && predicate.value === foldText(traits.sourceName);
}

function pushDownPredicate(predicate: Predicate, context: PushDownContext): PredicatePushDown {
  const name = predicate.parameter ?? predicate.kind;
  const mode = pushDownModeOf(name, predicate, context);
  const isResidual =
    mode === 'none' || usesAliasedCountry(predicate, context.query.resource) || usesResolvedLink(predicate, context);
  const value = isResidual ? undefined : parameterValue(predicate, context.requestedValue);
  return value === undefined ? { predicate, name, mode: 'none' } : { predicate, name, mode, value };
}

function pushDownModeOf(
  name: string,
  predicate: Predicate,
  { query, capability, traits }: PushDownContext,
): PushDownMode {
  const { filters, search, exact } = capability;
  if (name === 'q') {
    if (!search || matchesSourceName(predicate, traits)) return 'none';
    return exact ? 'exact' : 'coarse';
  }
  const isSearch = predicate.kind === 'words' || name === 'region';
  if (isSearch && !exact) return 'none';
  if (predicate.kind === 'equals' && differsFromSourceProperty(query.resource, name)) return 'none';
  return filters.includes(name) ? 'exact' : 'none';
}

/** Rollcall writes the source-name; the source may have another value. */
function matchesSourceName(predicate: Predicate, { sourceName }: SourceTraits): boolean {
  if (predicate.kind !== 'words' || predicate.properties !== undefined) return false;
  const foldedSourceName = foldText(sourceName);
  return predicate.words.some((word) => foldedSourceName.includes(word));
}

/** Rollcall creates the property (decisions 5.12), or it was declared for the other interface, which alone has it. */
function differsFromSourceProperty(resource: Resource, name: string): boolean {
  const assignedId = resource.idKind === 'slug' ? 'id' : resource.idProperty;
  if (name === resource.sourceNameProperty || name === assignedId) return true;
  const others = [directoryTeams, dataTeams].filter(
    ({ path, interfaceName }) => path === resource.path && interfaceName !== resource.interfaceName,
  );
  return others.some((other) => hasProperty(other, name)) && !hasProperty(resource, name);
}

function hasProperty(resource: Resource, name: string): boolean {
  return [...listStoredProperties(resource), ...resource.knownExtraProperties].some(
    (property) => property.name === name,
  );
}

/**
 * Whether records may have another code for the country (`UK` for `GB`). A source that filters omits them, and no check
 * of a response can detect that. `region` is exempt: the operator declares that it matches as defined.
 */
function usesAliasedCountry(predicate: Predicate, { countryProperties: countries }: Resource): boolean {
  if (predicate.kind === 'countries')
    return predicate.parameter !== 'region' && [...predicate.codes].some(hasCountryAlias);
  if (predicate.kind !== 'equals' || !predicate.properties.some((property) => countries.includes(property)))
    return false;
  return hasCountryAlias(parseCountryCode(predicate.value) ?? '');
}

/** Whether the link may be a path at the source, which does not know the `site` against which Rollcall resolves it. */
function usesResolvedLink(predicate: Predicate, { query, traits }: PushDownContext): boolean {
  if (predicate.kind !== 'equals' || !traits.resolvesLinks || !ABSOLUTE_URL.test(predicate.value)) return false;
  return predicate.properties.some((property) => findPropertyKind(query.resource, property) === 'url');
}

const ABSOLUTE_URL = /^[a-z][a-z0-9+.-]*:/i;

/** Undefined where no value expresses the predicate. */
function parameterValue(predicate: Predicate, requestedValue: string | undefined): string | undefined {
  switch (predicate.kind) {
    case 'equals':
      return mayBeTrimmed(predicate.value) ? undefined : requestedValue;
    case 'words':
      return requestedValue;
    case 'countries':
      return predicate.parameter === 'region' ? requestedValue : [...predicate.codes].sort().join(',');
    case 'between':
      return widenToSecond(predicate);
    case 'present':
      return undefined;
  }
}

/**
 * Whether a source might trim the value and return matches. In Rollcall it has none: values of records are never empty
 * and have no white space at their ends.
 */
function mayBeTrimmed(folded: string): boolean {
  return folded === '' || folded !== folded.trim();
}

/** Undefined where the source does not guarantee the query's order. */
function pushDownSort({ resource, order }: Query, { sort }: Capability): SortKey | undefined {
  const [key, ...more] = order;
  if (key === undefined || more.length > 0) return undefined;
  if (differsFromSourceProperty(resource, key.property)) return undefined;
  return sort.includes(formatSortKey(key)) ? key : undefined;
}

function formatSortKey({ property, descending }: SortKey): string {
  return descending ? `-${property}` : property;
}

function sortByName(
  pushes: readonly { readonly name: string; readonly value?: string | undefined }[],
): PushDown['sent'] {
  const pairs = pushes.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]));
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}
