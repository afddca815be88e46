import type { RequestLogFields } from '../../http/log/access-log.js';
import type { PageRequest } from '../../http/page-route.js';
import { listHitReasons } from '../../http/operations/search-handler.js';
import type { ServedResource } from '../../http/operations/served-resource.js';
import { isAccessSufficient } from '../../model/access-level.js';
import type { Query } from '../../model/query.js';
import type { StoredRecord } from '../../model/record.js';
import type { CountedProperty } from '../../records/match-counts.js';
import { parseCountryCode } from '../../region/country.js';
import { judgeHits } from '../../search/exact-and-near-hits.js';
import type { HitsById } from '../../search/exact-and-near-hits.js';
import { findCountryInText } from '../../search/text/searched-country.js';
import { parseSearchText } from '../../search/text/search-request.js';
import { answerPageQuery, listOf } from '../answer/answer-query.js';
import { findLinksOfPage, findNationalTeams } from '../answer/related-teams.js';
import type { NationalTeams } from '../answer/related-teams.js';
import type { LinksById } from '../../gateway/links/linked-groups.js';
import {
  formatParameters,
  readPageParameters,
  valueOf,
  withParameters,
  withoutParameter,
} from '../answer/page-parameters.js';
import type { PageParameters } from '../answer/page-parameters.js';
import type { ListPageModel } from '../layout/list-page.js';
import { buildTeamModel, isIncompleteView } from '../team/team-model.js';
import type { TeamModelDependencies, TeamView } from '../team/team-model.js';

/** Teams or, where the address has a text, the hits of a search by relevance; and what the page of a team needs. */
export interface SearchedLists extends TeamModelDependencies {
  /** Of the directory interface (decisions 2.40). */
  readonly search: ServedResource;
  /** The same as `teams` and `search`, with keys. */
  readonly dataTeams: ServedResource;
  readonly dataSearch: ServedResource;
}

const PAGE_SIZE = 20;

/** The first page of all has no list, only what it counts. */
const START = 'limit=0';

/** By country or source-name. */
export interface FacetCounts {
  readonly counts: ReadonlyMap<string, number>;
  /** Every match is counted. Large sources count matches that are not fetched, and sources may have failed. */
  readonly isComplete: boolean;
  /** Sources failed, so that the next answer may count more. */
  readonly isPartial: boolean;
}

export interface SearchModel extends ListPageModel {
  /** The same list with the keys of its teams. */
  readonly keyList: ServedResource;
  /** Without the query's own filter by country and region. */
  readonly byCountry: FacetCounts;
  /** Without the query's own filter by source. */
  readonly bySource: FacetCounts;
  /** From the records of the page. */
  readonly links: LinksById;
  /** Empty where the page lists teams without a search. */
  readonly hits: HitsById;
  /** The address has no parameters. */
  readonly isStart: boolean;
  /** A team is exactly what was searched, or an earlier page had the best ones. */
  readonly isAnswered: boolean;
  /** Where it is not answered, and the country is known. */
  readonly national?: NationalTeams | undefined;
  /** A key is searched, and some keys are searched for members only. */
  readonly lacksKeys: boolean;
  /** Where a key is searched: the first teams that state it, with what their other records state. */
  readonly keyOwners: readonly TeamView[];
  /** A part of the page lacks a repository. */
  readonly isPartial: boolean;
}

const NO_COUNTS: FacetCounts = { counts: new Map(), isComplete: false, isPartial: true };

const NO_PARTS = {
  byCountry: NO_COUNTS,
  bySource: NO_COUNTS,
  links: new Map(),
  hits: new Map(),
  isStart: false,
  isAnswered: false,
  lacksKeys: false,
  keyOwners: [],
  isPartial: true,
} as const;

/** A query with a text is a search by relevance: a `sort` in its address is ignored. */
export async function buildSearchModel(
  lists: SearchedLists,
  { rawQuery: requested, prefer, trace, client }: Pick<PageRequest, 'rawQuery' | 'prefer' | 'trace' | 'client'>,
  logFields: RequestLogFields,
): Promise<SearchModel> {
  const { teams } = lists;
  const asked = { prefer, trace, client };
  const isSearch = valueOf(readPageParameters(requested), 'q').trim() !== '';
  const isStart = requested === '';
  const rawQuery = isStart ? START : isSearch ? withoutParameter(requested, 'sort') : requested;
  const [resource, keyList] = isSearch ? [lists.search, lists.dataSearch] : [teams, lists.dataTeams];
  const parameters = readPageParameters(rawQuery);
  const outcome = await answerPageQuery({ resource, rawQuery, ...asked, pageSize: PAGE_SIZE }, logFields);
  if ('errors' in outcome) return { resource, keyList, parameters, outcome, ...NO_PARTS };
  const count = async (property: CountedProperty, filters: readonly string[]): Promise<FacetCounts> => {
    const counted = filters.some((name) => valueOf(parameters, name) !== '')
      ? await answerWithout(resource, parameters, { filters, ...asked })
      : outcome;
    return countAnswer(counted, property);
  };
  const list = listOf(outcome);
  const records = list?.records ?? [];
  const hits: HitsById = isSearch ? await judgeRecords(outcome.query, records) : new Map();
  const isAnswered =
    outcome.query.offset > 0 ||
    (isSearch ? [...hits.values()].some(({ isExact }) => isExact) : list !== undefined && list.total > 0);
  const country = isAnswered
    ? undefined
    : (parseCountryCode(valueOf(parameters, 'country')) ?? findCountryInText(valueOf(parameters, 'q')));
  const byCountry = await count('country', ['country', 'region']);
  const bySource = await count('source-name', ['source-name']);
  const national = country === undefined ? undefined : await findNationalTeams(teams, country, asked);
  const keyOwners = await findKeyOwners(lists, hits, asked);
  return {
    resource,
    keyList,
    parameters,
    outcome,
    byCountry,
    bySource,
    links: await findLinksOfPage(teams, asked, records),
    hits,
    isStart,
    isAnswered,
    national,
    lacksKeys: lacksKeys(outcome.query, resource),
    keyOwners,
    isPartial:
      byCountry.isPartial || bySource.isPartial || national?.isComplete === false || keyOwners.some(isIncompleteView),
  };
}

/** More teams with one key are few, or share a key id. */
const MAX_KEY_OWNERS = 3;

async function findKeyOwners(
  lists: SearchedLists,
  hits: HitsById,
  asked: Pick<PageRequest, 'prefer' | 'trace'>,
): Promise<readonly TeamView[]> {
  const views: TeamView[] = [];
  for (const [id, { reasons }] of hits) {
    const isKnown = views.some(({ records }) => records.some(({ facts }) => facts.id === id));
    if (isKnown || views.length === MAX_KEY_OWNERS || !reasons.some(({ kind }) => kind === 'key')) continue;
    const { view } = await buildTeamModel(lists, { pathParameters: { id }, ...asked }, {});
    if (view !== undefined) views.push(view);
  }
  return views;
}

function lacksKeys({ search, access }: Query, { options }: ServedResource): boolean {
  if (search === undefined || isAccessSufficient(access, options.rules.scopeAccess.pgp)) return false;
  return parseSearchText(search.text).key !== undefined;
}

async function judgeRecords(query: Query, records: readonly StoredRecord[]): Promise<HitsById> {
  const reasons = await listHitReasons(query, records);
  return judgeHits(query.search?.text ?? '', new Map(records.map(({ id }, at) => [id, reasons[at] ?? []])));
}

/** Only the counts are needed, so that no record is read. */
async function answerWithout(
  resource: ServedResource,
  parameters: PageParameters,
  { filters, ...asked }: { readonly filters: readonly string[] } & Pick<PageRequest, 'prefer' | 'trace' | 'client'>,
): ReturnType<typeof answerPageQuery> {
  const others = withParameters(parameters, Object.fromEntries(filters.map((name) => [name, undefined])));
  const rawQuery = formatParameters([...others, ['limit', '0']]);
  return answerPageQuery({ resource, rawQuery, ...asked, pageSize: PAGE_SIZE }, {});
}

async function countAnswer(
  answered: Awaited<ReturnType<typeof answerPageQuery>>,
  property: CountedProperty,
): Promise<FacetCounts> {
  const answer = 'errors' in answered ? undefined : answered.answer;
  // Also where the list is empty and incomplete: what it counts is true as far as it goes.
  if (answer?.list === undefined) return NO_COUNTS;
  const { completeness } = answer.list;
  const matches = answer.collectHits?.() ?? answer.list.mergedList;
  return {
    counts: await matches.countBy(property),
    isPartial: completeness === 'partial',
    isComplete: completeness !== 'partial' && matches.unfetchedCount === 0,
  };
}
