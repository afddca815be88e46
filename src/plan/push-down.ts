import type { Capability } from '../model/capability.js';
import type { Predicate, Query, SortKey } from '../model/query.js';
import { listStoredProperties, findPropertyKind } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import { mapTeamProperty, mapTeamSortProperty } from '../model/resources/team-property-mapping.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { parseCountryCode, hasCountryAlias } from '../region/region.js';
import { formatIsoDate, formatIsoTimestamp, parseDate } from '../text/date.js';
import { foldText } from '../text/text-folding.js';

/** What a source is sent of a query, what is left to do here, and what is guaranteed by it (decisions.md, section 5). A plain value. */
export interface PushDown {
  /**
   * Parameters to send beside paging, by their names on the interface in which the source is asked; without `sort` unless the order is guaranteed. In the
   * order of names, so that equal offers are equal text. `channel` stands there as folded text: the source is sent the title as it writes it.
   */
  readonly sent: Readonly<Record<string, string>>;
  /** Names of the parameters whose work is left to do here, the sort among them (`sort`) unless the order is guaranteed. */
  readonly residual: readonly string[];
  /** Parameters (names as sent) that were pushed as exact: every record that comes must meet them; the predicates to check it by, in the source's own properties. */
  readonly exact: readonly { readonly name: string; readonly predicate: Predicate }[];
  /** The order in which the records come, in the source's own properties; empty where none is guaranteed. */
  readonly order: readonly SortKey[];
  readonly guaranteed: {
    /** No filter is left to do here. */
    readonly filters: boolean;
    /** The records come in the order of the query, but for those that are equal in it. */
    readonly order: boolean;
    /** What is counted, where anything is, are the records that match. */
    readonly total: boolean;
    /** A limit may be sent: the first records that come are the first of the answer. */
    readonly limit: boolean;
  };
}

/** Whose records are asked for. */
export interface SourceTraits {
  readonly sourceName: string;
  readonly aggregate: boolean;
  /** Whether links that it gives as paths are made absolute here. */
  readonly resolvesLinks: boolean;
  /** The resource as the source has it, where that is another interface's than the query's; absent: the query's own. */
  readonly nativeResource?: Resource;
}

/**
 * What a source is offered to do of a query: only what it is known to do exactly as Rollcall would, or, where its filter is coarse, a little more.
 * Where it has the resource on the other interface, filters and the order are translated; what has no counterpart there is left to do here.
 * Nothing that depends on `scope=pgp` is offered.
 *
 * Without its origin nothing is taken for done that rests on the source-name: with it, `source-name` is no work for a source that is no
 * aggregate, and the directory's `q`, which searches the source-name too, is offered where no word occurs in that.
 */
export function pushDown(query: Query, capability: Capability, origin?: SourceTraits): PushDown {
  const values = new Map(query.requestParameters);
  const native = origin?.nativeResource ?? query.resource;
  const pushes = query.predicates
    .filter((predicate) => !isAlwaysTrue(predicate, query, origin))
    .map((predicate) =>
      pushDownPredicate(predicate, {
        query,
        nativeResource: native,
        capability,
        traits: origin,
        requestedValue: values.get(predicate.parameter ?? ''),
      }),
    );
  const channel = pushDownChannel(query, capability);
  const key = pushDownSort(query, native, capability);
  const left = [
    ...pushes.filter(({ mode: how }) => how === 'coarse' || how === 'kept').map(({ name }) => name),
    ...(query.channel === undefined || channel !== undefined ? [] : ['channel']),
  ];
  const filters = left.length === 0;
  const order = key !== undefined;
  const total = filters && capability.total;
  const sent = pushes.map(({ sentAs, value }) => ({ name: sentAs, value }));
  if (channel !== undefined) sent.push({ name: 'channel', value: channel });
  if (order) sent.push({ name: 'sort', value: formatSortKey(key) });
  return {
    sent: sortByName(sent),
    residual: order ? left : [...left, 'sort'],
    exact: pushes.flatMap(({ sentAs, mode: how, predicate }) => (how === 'exact' ? [{ name: sentAs, predicate }] : [])),
    order: order ? [key] : [],
    guaranteed: { filters, order, total, limit: filters && order && total },
  };
}

/** How the source takes part in a predicate. */
type PushDownMode = 'exact' | 'coarse' | 'kept';

/** A predicate in the source's own properties, and what of it is sent. */
interface PredicatePushDown {
  readonly predicate: Predicate;
  /** Of its parameter, in the query. */
  readonly name: string;
  /** Of the parameter that the source knows. */
  readonly sentAs: string;
  readonly mode: PushDownMode;
  readonly value?: string | undefined;
}

/** What decides about a predicate. */
interface PushDownContext {
  readonly query: Query;
  /** The resource as the source has it. */
  readonly nativeResource: Resource;
  readonly capability: Capability;
  readonly traits: SourceTraits | undefined;
  /** Value of its parameter as it was asked. */
  readonly requestedValue: string | undefined;
}

/** Whether all records of the source fulfil it: what is no aggregate has one source-name. */
function isAlwaysTrue(predicate: Predicate, { resource }: Query, origin: SourceTraits | undefined): boolean {
  if (predicate.kind !== 'equals' || predicate.parameter !== resource.sourceNameProperty) return false;
  return origin?.aggregate === false && predicate.value === foldText(origin.sourceName);
}

function pushDownPredicate(predicate: Predicate, terms: PushDownContext): PredicatePushDown {
  const name = predicate.parameter ?? predicate.kind;
  const kept: PredicatePushDown = { predicate, name, sentAs: name, mode: 'kept' };
  const there = terms.nativeResource === terms.query.resource ? kept : translateToNative(kept, terms);
  if (there === undefined) return kept;
  const how = pushDownModeOf(there, terms);
  const keeps =
    how === 'kept' ||
    usesAliasedCountry(there.predicate, terms.nativeResource) ||
    usesResolvedLink(there.predicate, terms);
  const value = keeps ? undefined : parameterValue(there.predicate, how, terms.requestedValue);
  return value === undefined ? kept : { ...there, mode: how, value };
}

/** The same in the words of the other interface; undefined where it has none for it. */
function translateToNative(
  push: PredicatePushDown,
  { query: { resource }, nativeResource: native }: PushDownContext,
): PredicatePushDown | undefined {
  const { predicate, name } = push;
  if (predicate.kind === 'countries')
    return { ...push, predicate: { ...predicate, properties: native.countryProperties } };
  const [property, ...more] = predicate.kind === 'equals' ? predicate.properties : [];
  if (predicate.kind !== 'equals' || property === undefined || more.length > 0) return undefined;
  const sentAs = mapTeamProperty(property, resource, native);
  // Two parameters have the names of properties and search others beside: the data interface's `country`, and the directory's `team`.
  if (sentAs === undefined || sentAs === 'country' || (name !== property && name !== 'team')) return undefined;
  return { ...push, sentAs, predicate: { ...predicate, properties: [sentAs] } };
}

function pushDownModeOf(
  { sentAs: name, predicate }: PredicatePushDown,
  { nativeResource: native, capability, traits: origin }: PushDownContext,
): PushDownMode {
  const { filters, coarse, search, exact } = capability;
  if (name === 'q') {
    if (!search || matchesSourceName(predicate, origin)) return 'kept';
    return exact ? 'exact' : 'coarse';
  }
  const unseen = predicate.kind === 'words' || name === 'region';
  if (unseen && !exact) return 'kept';
  if (predicate.kind === 'equals' && isGatewayProperty(native, name)) return 'kept';
  if (filters.includes(name)) return 'exact';
  return coarse.includes(name) ? 'coarse' : 'kept';
}

/**
 * The channel as it is offered. Which items it has only the source can tell, so that the one thing to check is that they are fewer than all:
 * that takes a source that counts.
 */
function pushDownChannel({ channel }: Query, { filters, total }: Capability): string | undefined {
  return filters.includes('channel') && total ? channel : undefined;
}

/** Whether a search in all of a record finds words in the source-name, which is stamped here and may be another one there. */
function matchesSourceName(predicate: Predicate, origin: SourceTraits | undefined): boolean {
  if (predicate.kind !== 'words' || predicate.properties !== undefined) return false;
  if (origin === undefined) return true;
  const stamped = foldText(origin.sourceName);
  return predicate.words.some((word) => stamped.includes(word));
}

/** Whether a property is another one at the source: it is made here, or known on the other interface only, for which it was declared. */
function isGatewayProperty(resource: Resource, name: string): boolean {
  if (name === resource.sourceNameProperty || (name === 'id' && resource.idKind === 'slug')) return true;
  const others = [directoryTeams, dataTeams].filter(
    ({ path, interfaceName: face }) => path === resource.path && face !== resource.interfaceName,
  );
  return others.some((other) => hasProperty(other, name)) && !hasProperty(resource, name);
}

function hasProperty(resource: Resource, name: string): boolean {
  return [...listStoredProperties(resource), ...resource.knownExtraProperties].some(
    (property) => property.name === name,
  );
}

/**
 * Whether a filter names a country that records write in another way, too (`UK`). A source that honours it leaves out those of its own, and no
 * check on an answer can see what is left out. Of `region` the operator's word says that it is matched as it is here.
 */
function usesAliasedCountry(predicate: Predicate, { countryProperties: countries }: Resource): boolean {
  if (predicate.kind === 'countries')
    return predicate.parameter !== 'region' && [...predicate.codes].some(hasCountryAlias);
  if (predicate.kind !== 'equals' || !predicate.properties.some((property) => countries.includes(property)))
    return false;
  return hasCountryAlias(parseCountryCode(predicate.value) ?? '');
}

/** Whether a filter names a link that a source may hold as a path: it knows nothing of the site that the path is made absolute against. */
function usesResolvedLink(predicate: Predicate, { nativeResource: native, traits: origin }: PushDownContext): boolean {
  if (predicate.kind !== 'equals' || origin?.resolvesLinks === false || !ABSOLUTE_URL.test(predicate.value))
    return false;
  return predicate.properties.some((property) => findPropertyKind(native, property) === 'url');
}

const ABSOLUTE_URL = /^[a-z][a-z0-9+.-]*:/i;

/** What is sent; undefined where no value says it. */
function parameterValue(predicate: Predicate, how: PushDownMode, asked: string | undefined): string | undefined {
  switch (predicate.kind) {
    case 'equals':
      return mayBeTrimmed(predicate.value) ? undefined : asked;
    case 'words':
      return asked;
    case 'countries':
      return predicate.parameter === 'region' ? asked : [...predicate.codes].sort().join(',');
    case 'between':
      return how === 'coarse' ? widenToDay(predicate) : widenToSecond(predicate);
    case 'present':
      return undefined;
  }
}

/** No value here is empty or has white space at its ends: who trims what is asked, as others may, would give what does not match here. */
function mayBeTrimmed(folded: string): boolean {
  return folded === '' || folded !== folded.trim();
}

/** One of both, in milliseconds since 1970. */
interface DateBounds {
  readonly after?: number;
  readonly before?: number;
}

const SECOND = 1_000;
const DAY = 86_400_000;

/** Records are held to the second, so that a bound within a second is as good as the next whole one away from them. */
function widenToSecond({ after = 0, before }: DateBounds): string | undefined {
  const at = before === undefined ? Math.floor(after / SECOND) : Math.ceil(before / SECOND);
  return ifReadable(formatIsoTimestamp(at * SECOND));
}

/** Two days away: as a day, a bound may stand for its first instant or its last, in any zone, and may be included. */
function widenToDay({ after = 0, before }: DateBounds): string | undefined {
  const at = before === undefined ? after - 2 * DAY : before + 2 * DAY;
  return ifReadable(formatIsoDate({ epochMs: at, precision: 'day' }));
}

/** Undefined for what lies beyond the years that can be written. */
function ifReadable(date: string): string | undefined {
  return parseDate(date) && date;
}

/** The key by which the source gives the query's order, in its own properties; undefined where it does not. */
function pushDownSort({ resource, order }: Query, native: Resource, { sort }: Capability): SortKey | undefined {
  const [key, ...more] = order;
  if (key === undefined || more.length > 0) return undefined;
  const property = native === resource ? key.property : mapTeamSortProperty(key.property, resource, native);
  if (property === undefined || isGatewayProperty(native, property)) return undefined;
  const there = { property, descending: key.descending };
  return sort.includes(formatSortKey(there)) ? there : undefined;
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
