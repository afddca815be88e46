import fc from 'fast-check';
import { REGISTERED_PROPERTIES } from './random-raw-records.js';
import { CHANNELS, DIRECTORY_TEAMS, NEWS, ORACLE_RESOURCES, DATA_TEAMS } from './model/oracle-resources.js';
import type { OracleResource } from './model/oracle-resources.js';
import type { OracleQuery, Scope } from './model/expected-list.js';
import { asList } from './model/read-value.js';
import type { OracleRecord, OracleSource } from './model/read-records.js';

/** A choice from a list that is not known yet: the item at this position modulo the length of the list. */
type Choice = number;

/** A query before its values are chosen from the values of the records. */
export interface QueryDraft {
  readonly resource: OracleResource['name'];
  readonly picks: readonly { readonly property: Choice; readonly at: Choice; readonly loud: boolean }[];
  readonly q: string | undefined;
  readonly team: string | undefined;
  readonly country: readonly string[] | undefined;
  readonly region: string | undefined;
  readonly scope: Scope | undefined;
  readonly channel: Choice | undefined;
  readonly link: Choice | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly sort: readonly { readonly property: Choice; readonly descending: boolean }[];
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  readonly fields: readonly Choice[] | undefined;
}

const FURTHER = [...REGISTERED_PROPERTIES, '-alfa-member-type', '-alfa-unheard-of'];
const WORDS = [
  ...[
    'cert',
    'CE',
    'é',
    'e',
    '日',
    'σοφ',
    'ss',
    '10',
    'org',
    'alfa',
    'ø',
    '\u{1F6E1}',
    'ı',
    'member',
    '+1',
    'cert ce',
    'norway',
    'kingdom',
  ],
  ...['x', 'way', 'http', '/'],
];
const TIMES = [
  '2008',
  '2016-06',
  '1993-05-01',
  '1993-05-01T00:00:00Z',
  '2008-09-08',
  '2016-06-09T13:59:39+00:00',
  '2026-04-02T21:28:40Z',
];

const choice = fc.nat({ max: 500 });

const pick = fc.record({ property: choice, at: choice, loud: fc.boolean() });

/** Queries of every kind, of every resource. */
export const queryDraft: fc.Arbitrary<QueryDraft> = fc.record({
  resource: fc.constantFrom(...ORACLE_RESOURCES.map(({ name }) => name)),
  picks: fc.oneof(fc.constant([]), fc.array(pick, { maxLength: 2 })),
  q: rarely(fc.constantFrom(...WORDS)),
  team: rarely(fc.constantFrom(...WORDS)),
  country: rarely(fc.subarray(['BR', 'pt', 'UK', 'gr', 'AQ', 'Xk'], { minLength: 1 })),
  region: rarely(fc.constantFrom('Europe', 'southern EUROPE', '419', 'South America', 'Antarctica', 'asia', '003')),
  scope: rarely(fc.constantFrom<Scope[]>('public', 'pgp', 'minimal', 'country')),
  channel: rarely(choice),
  link: rarely(choice),
  before: rarely(fc.constantFrom(...TIMES)),
  after: rarely(fc.constantFrom(...TIMES)),
  sort: fc.array(fc.record({ property: choice, descending: fc.boolean() }), { maxLength: 3 }),
  limit: rarely(fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(0, 1000))),
  offset: rarely(fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: 400 }))),
  fields: rarely(fc.array(choice, { minLength: 1, maxLength: 8 })),
});

/** The resource of a draft. */
export function resourceOfDraft({ resource }: QueryDraft): OracleResource {
  return ORACLE_RESOURCES.find(({ name }) => name === resource) ?? DIRECTORY_TEAMS;
}

function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

/** All records, and their sources. */
export interface KnownValues {
  readonly all: readonly OracleRecord[];
  readonly fleet: readonly OracleSource[];
}

/** Builds a query from a draft, with values of existing records and with the parameters of its resource. */
export function buildQuery(draft: QueryDraft, known: KnownValues): OracleQuery {
  const { q, sort, limit, offset } = draft;
  const oracleResource = resourceOfDraft(draft);
  const properties = propertiesOf(oracleResource);
  const order = sort.map(({ property, descending }) => ({ property: chosen(properties, property) ?? '', descending }));
  const scope = oracleResource === DATA_TEAMS ? draft.scope : undefined;
  return {
    resource: oracleResource,
    filters: filtersOf(draft, known),
    q,
    ...(oracleResource === DIRECTORY_TEAMS && { team: draft.team }),
    ...((oracleResource === DIRECTORY_TEAMS || oracleResource === DATA_TEAMS) && {
      country: draft.country,
      region: draft.region,
    }),
    ...(oracleResource === DATA_TEAMS && {
      scope,
      team: draft.team && chosen(valuesOf(known.all, 'team'), draft.team.length),
    }),
    ...(oracleResource === NEWS && newsOf(draft, known)),
    ...(oracleResource === CHANNELS && channelsOf(draft, known)),
    sort: [...new Map(order.map((key) => [key.property, key])).values()],
    limit,
    offset,
    fields: draft.fields && [...new Set(draft.fields.map((at) => chosen(fieldsOf(oracleResource, scope), at) ?? ''))],
  };
}

function filtersOf(draft: QueryDraft, { all, fleet }: KnownValues): OracleQuery['filters'] {
  const oracleResource = resourceOfDraft(draft);
  const searches = oracleResource === DATA_TEAMS ? ['team', 'country'] : [];
  const names = oracleResource.countries.length > 0 ? propertiesOf(oracleResource) : ['source-name'];
  const filters = names.filter((name) => name !== 'last-modified' && !searches.includes(name));
  const found = draft.picks.flatMap(({ property, at, loud }): (readonly [string, string])[] => {
    const name = chosen(filters, property) ?? '';
    const values = name === 'source-name' ? fleet.map(({ sourceName }) => sourceName) : valuesOf(all, name);
    const value = chosen(values, at);
    return value === undefined ? [] : [[name, loud ? value.toUpperCase() : value]];
  });
  return [...new Map(found)];
}

function newsOf({ channel, link, before, after }: QueryDraft, { all, fleet }: KnownValues): Partial<OracleQuery> {
  const ofFeeds = fleet.flatMap(({ feeds = [] }) =>
    feeds.map(({ registeredTitle, title }) => registeredTitle ?? title),
  );
  const ofInterfaces = fleet.flatMap(({ data }) => data?.channels ?? []).map(({ title }) => title);
  const titles = [...ofFeeds, ...ofInterfaces].map(String);
  return {
    channel: channel === undefined ? undefined : chosen([...titles, 'Unheard of'], channel),
    before,
    after,
    link: linkOf(all, 'link', link),
  };
}

function channelsOf({ link, channel }: QueryDraft, { all }: KnownValues): Partial<OracleQuery> {
  return { link: linkOf(all, 'link', link), rsslink: linkOf(all, 'rss', channel) };
}

function linkOf(all: readonly OracleRecord[], property: string, at: Choice | undefined): string | undefined {
  const links = all.flatMap(({ shown, written }) => [shown.get(property), written.get(property)]);
  const texts = links.filter((link) => link !== undefined).map(String);
  return at === undefined ? undefined : chosen(texts, at);
}

/** The property names for `sort` and `fields`. */
function propertiesOf({ table, extra, last }: OracleResource): string[] {
  return [...table.keys(), ...extra.keys(), ...FURTHER, ...(last ? ['last-modified'] : [])];
}

const SCOPED: Readonly<Record<Exclude<Scope, 'public'>, readonly string[]>> = {
  pgp: ['id', 'team', 'source-name', 'pgp-id', 'pgp-fingerprint', 'pgp-key'],
  minimal: ['u', 's', 't', 'c', 'o', 'r', 'source-name'],
  country: ['url', 'team', 'team-full', 'country', 'country-other', 'region', 'source-name'],
};

function fieldsOf(oracleResource: OracleResource, scope: Scope = 'public'): readonly string[] {
  return scope === 'public' ? propertiesOf(oracleResource) : SCOPED[scope];
}

function chosen<T>(from: readonly T[], at: Choice): T | undefined {
  return from[at % Math.max(1, from.length)];
}

function valuesOf(all: readonly OracleRecord[], property: string): string[] {
  return all.flatMap(({ shown }) => asList(shown.get(property)).map(String));
}

/** The request target of a query, with `envelope=false`. */
export function requestTarget(query: OracleQuery): string {
  const sort = query.sort.map(({ property, descending }) => (descending ? `-${property}` : property)).join(',');
  const { resource: oracleResource, q, team, region, scope, channel, link, rsslink, before, after } = query;
  const parameters: [string, string | undefined][] = [
    ...query.filters.map(([name, value]): [string, string] => [name, value]),
    ...Object.entries({ q, team, region, scope, channel, link, rsslink, before, after }),
    ['country', query.country?.join(',')],
    ['sort', sort],
    ['limit', query.limit?.toString()],
    ['offset', query.offset?.toString()],
    ['fields', query.fields?.join(',')],
    ['envelope', 'false'],
  ];
  const given = parameters.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return `${oracleResource.list}?${given.map((pair) => pair.map((part) => encodeURIComponent(part)).join('=')).join('&')}`;
}
