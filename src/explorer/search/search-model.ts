import type { MergedList } from '../../gateway/merged-list.js';
import type { RequestLogFields } from '../../http/log/access-log.js';
import type { PageRequest } from '../../http/page-route.js';
import type { ServedResource } from '../../http/operations/served-resource.js';
import type { CountedProperty } from '../../records/match-counts.js';
import { answerPageQuery } from '../answer/answer-query.js';
import type { InvalidPageQuery, PageAnswer } from '../answer/answer-query.js';
import { findLinksOfPage } from '../answer/team-links.js';
import type { LinksById } from '../answer/team-links.js';
import { formatParameters, readPageParameters, valueOf, withParameters } from '../answer/page-parameters.js';
import type { PageParameters } from '../answer/page-parameters.js';

/** Number of teams on a page. */
export const PAGE_SIZE = 50;

/** Numbers of matches by country or source-name. */
export interface FacetCounts {
  readonly counts: ReadonlyMap<string, number>;
  /** Whether every match is counted. Large sources count matches that are not fetched, and sources may have failed. */
  readonly isWhole: boolean;
  /** Whether sources failed, so that the next answer may count more. */
  readonly isPartial: boolean;
}

/** What the page of a search shows. */
export interface SearchModel {
  readonly parameters: PageParameters;
  readonly outcome: PageAnswer | InvalidPageQuery;
  /** Counts of the query without its own filter by country and region. */
  readonly byCountry: FacetCounts;
  /** Counts of the query without its own filter by source. */
  readonly bySource: FacetCounts;
  /** Records of other repositories that are probably of the same teams as those of the page. */
  readonly links: LinksById;
}

const NO_COUNTS: FacetCounts = { counts: new Map(), isWhole: false, isPartial: true };

/** Answers the query of the page, and counts its matches by country and by source. */
export async function buildSearchModel(
  teams: ServedResource,
  { rawQuery, prefer, trace }: Pick<PageRequest, 'rawQuery' | 'prefer' | 'trace'>,
  logFields: RequestLogFields,
): Promise<SearchModel> {
  const parameters = readPageParameters(rawQuery);
  const outcome = await answerPageQuery({ resource: teams, rawQuery, prefer, trace, pageSize: PAGE_SIZE }, logFields);
  if ('errors' in outcome) return { parameters, outcome, byCountry: NO_COUNTS, bySource: NO_COUNTS, links: new Map() };
  const count = async (property: CountedProperty, filters: readonly string[]): Promise<FacetCounts> => {
    const counted = filters.some((name) => valueOf(parameters, name) !== '')
      ? await answerWithout(teams, parameters, { filters, prefer, trace })
      : outcome;
    return countAnswer(counted, property);
  };
  return {
    parameters,
    outcome,
    byCountry: await count('country', ['country', 'region']),
    bySource: await count('source-name', ['source-name']),
    links:
      'list' in outcome.result
        ? await findLinksOfPage(teams, { prefer, trace }, outcome.result.list.records)
        : new Map(),
  };
}

/** Answers the query without some of its filters. Only its counts are needed, so that no record is read. */
async function answerWithout(
  resource: ServedResource,
  parameters: PageParameters,
  { filters, prefer, trace }: { readonly filters: readonly string[] } & Pick<PageRequest, 'prefer' | 'trace'>,
): ReturnType<typeof answerPageQuery> {
  const others = withParameters(parameters, Object.fromEntries(filters.map((name) => [name, undefined])));
  const rawQuery = formatParameters([...others, ['limit', '0']]);
  return answerPageQuery({ resource, rawQuery, prefer, trace, pageSize: PAGE_SIZE }, {});
}

async function countAnswer(
  answered: Awaited<ReturnType<typeof answerPageQuery>>,
  property: CountedProperty,
): Promise<FacetCounts> {
  const list = findList(answered);
  if (list === undefined) return NO_COUNTS;
  const { mergedList, completeness } = list;
  return {
    counts: await mergedList.countBy(property),
    isPartial: completeness === 'partial',
    isWhole: completeness !== 'partial' && mergedList.unfetchedCount === 0,
  };
}

/** The list of an answer, also where it is empty and incomplete: what it counts is true as far as it goes. */
function findList(
  answered: Awaited<ReturnType<typeof answerPageQuery>>,
): { readonly mergedList: MergedList; readonly completeness: string } | undefined {
  return 'errors' in answered ? undefined : answered.answer?.list;
}
