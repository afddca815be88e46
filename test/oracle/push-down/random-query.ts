import fc from 'fast-check';
import { DIRECTORY_TEAMS, NEWS, ORACLE_RESOURCES } from '../model/oracle-resources.js';
import type { OracleResource } from '../model/oracle-resources.js';
import type { OracleQuery, Scope } from '../model/expected-list.js';
import { CHANNEL_TITLES, declarable } from './large-sources.js';
import type { FaultDepth, LargeSource } from './large-sources.js';
import { asList } from '../model/read-value.js';
import type { OracleRecord } from '../model/read-records.js';
import { parseDay } from '../model/text.js';

/** A choice from a list that is not known yet: the item at this position modulo the length of the list. */
type Choice = number;

/** A query before its values are chosen from the values of the records. */
export interface LargeQueryDraft {
  readonly resource: 'directory' | 'teams' | 'news';
  readonly picks: readonly { readonly property: Choice; readonly at: Choice; readonly loud: boolean }[];
  readonly country: readonly string[] | undefined;
  readonly region: string | undefined;
  readonly words: { readonly by: 'q' | 'team'; readonly text: string } | undefined;
  readonly scope: Scope | undefined;
  readonly before: Moment | undefined;
  readonly after: Moment | undefined;
  readonly link: Choice | undefined;
  readonly channel: string | undefined;
  readonly sourceName: Choice | undefined;
  readonly sort: readonly { readonly property: Choice; readonly descending: boolean }[];
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

/** A bound near the date of a news item: `beside` milliseconds later. */
interface Moment {
  readonly at: Choice;
  readonly beside: number;
}

const choice = fc.nat({ max: 5_000 });
const moment = fc.record({ at: choice, beside: fc.constantFrom(0, 0, 0, 1, -1, 500, -500, 1_000, -1_000, 86_400_000) });
const WORDS = ['cert', 'CE', 'é', '日', 'ss', '10', 'org', 'alfa', 'ø', 'team 1', 'way', 'register'];

/** Queries of every kind for teams and news, mostly with parameters that sources support. */
export const largeQueryDraft: fc.Arbitrary<LargeQueryDraft> = fc.record({
  resource: fc.constantFrom('directory', 'teams', 'news'),
  picks: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.record({ property: choice, at: choice, loud: fc.boolean() }), { maxLength: 2 }),
    },
  ),
  country: rarely(fc.subarray(['BR', 'no', 'UK', 'gr', 'AQ', 'Xk'], { minLength: 1 })),
  region: seldom(fc.constantFrom('Europe', 'southern EUROPE', '419', 'Antarctica', 'asia')),
  words: seldom(fc.record({ by: fc.constantFrom('q' as const, 'team' as const), text: fc.constantFrom(...WORDS) })),
  scope: seldom(fc.constantFrom<Scope[]>('pgp', 'pgp', 'minimal', 'country')),
  before: rarely(moment),
  after: rarely(moment),
  link: seldom(choice),
  channel: seldom(fc.constantFrom(...CHANNEL_TITLES, 'ALERTS', 'letters', 'Unheard of')),
  sourceName: seldom(choice),
  sort: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 4, arbitrary: fc.array(key(), { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(key(), { minLength: 2, maxLength: 3 }) },
  ),
  limit: fc.oneof(
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 12 }) },
    { weight: 2, arbitrary: fc.constantFrom(0, 1, 19, 50, 1000) },
  ),
  offset: rarely(fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: 900 }))),
});

function key(): fc.Arbitrary<LargeQueryDraft['sort'][number]> {
  return fc.record({ property: choice, descending: fc.boolean() });
}

function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

function seldom<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

/** The resource of a draft. */
export function resourceOfLargeDraft({ resource }: LargeQueryDraft): OracleResource {
  return ORACLE_RESOURCES.find(({ name }) => name === resource) ?? DIRECTORY_TEAMS;
}

/** Builds a query from a draft, with values of existing records and with a limit that makes faults at this depth visible. */
export function buildLargeQuery(
  draft: LargeQueryDraft,
  {
    all,
    fleet,
    depth,
  }: { readonly all: readonly OracleRecord[]; readonly fleet: readonly LargeSource[]; readonly depth: FaultDepth },
): OracleQuery {
  const { sourceName } = draft;
  const oracleResource = resourceOfLargeDraft(draft);
  const names = fleet.map((source) => source.sourceName);
  const named = sourceName === undefined ? [] : [['source-name', names[sourceName % names.length] ?? ''] as const];
  return {
    resource: oracleResource,
    filters: [...(oracleResource === NEWS ? [] : filtersOf(draft, all)), ...named],
    ...(oracleResource === NEWS ? newsOf(draft, all) : teamsOf(draft)),
    sort: sortOf(draft),
    ...cutOf(draft, depth),
  };
}

function filtersOf(draft: LargeQueryDraft, all: readonly OracleRecord[]): OracleQuery['filters'] {
  const { filtered } = declarable;
  const oracleResource = resourceOfLargeDraft(draft);
  const names = [
    ...(oracleResource === DIRECTORY_TEAMS ? filtered.directory : filtered.teams),
    ...filtered.both,
    'rank',
    'id',
  ];
  const properties = names.filter((name) => !['country', 'region', 'team'].includes(name));
  const found = draft.picks.flatMap(({ property, at, loud }): (readonly [string, string])[] => {
    const name = chosen(properties, property) ?? '';
    if (name === 'id' && oracleResource === DIRECTORY_TEAMS) return [];
    const value = chosen(valuesOf(all, name), at);
    return value === undefined ? [] : [[name, loud ? value.toUpperCase() : value]];
  });
  return [...new Map(found)];
}

function teamsOf({ resource, country, region, words, scope }: LargeQueryDraft): Partial<OracleQuery> {
  const { by, text } = words ?? {};
  return {
    country,
    region,
    ...(by !== undefined && { [by]: text }),
    scope: resource === 'teams' ? scope : undefined,
  };
}

function newsOf(
  { words, before, after, link, channel }: LargeQueryDraft,
  all: readonly OracleRecord[],
): Partial<OracleQuery> {
  return {
    q: words?.text,
    channel,
    before: momentOf(before, all),
    after: momentOf(after, all),
    link: link === undefined ? undefined : chosen(valuesOf(all, 'link'), link),
  };
}

function momentOf(wanted: Moment | undefined, all: readonly OracleRecord[]): string | undefined {
  const published = wanted && chosen(valuesOf(all, 'published'), wanted.at);
  const at = published === undefined ? undefined : parseDay(published)?.at;
  if (wanted === undefined || at === undefined) return undefined;
  const iso = new Date(at + wanted.beside).toISOString();
  return wanted.at % 5 === 0 ? iso.slice(0, 10) : iso;
}

function sortOf({ resource, sort }: LargeQueryDraft): OracleQuery['sort'] {
  const { sorted } = declarable;
  const own = resource === 'directory' ? sorted.directory : sorted.teams;
  const names = resource === 'news' ? sorted.news : [...own, ...sorted.both, 'source-name'];
  const keys = sort.map(({ property, descending }) => ({ property: chosen(names, property) ?? '', descending }));
  return [...new Map(keys.map((one) => [one.property, one])).values()];
}

/** A page shows faults at a depth if it contains at least that many records. */
function cutOf({ limit, offset }: LargeQueryDraft, depth: FaultDepth): Pick<OracleQuery, 'limit' | 'offset'> {
  if (depth === Infinity) return { limit: 10_000, offset };
  // Rollcall requests one record more than the page needs, so a page of one record shows two. It also requests one record for a total alone.
  const least = depth === 2 ? 0 : depth;
  return { limit: limit === undefined ? undefined : Math.max(limit, least), offset };
}

function valuesOf(all: readonly OracleRecord[], property: string): string[] {
  return all.flatMap(({ shown }) => asList(shown.get(property)).map(String));
}

function chosen<T>(from: readonly T[], at: Choice): T | undefined {
  return from[at % Math.max(1, from.length)];
}
