import type { Resource, SourceResourceName } from '../../model/resource.js';
import { checkDateBound, dateBoundCost } from './date-filter.js';
import { openResult } from './conclude-check.js';
import { checkCountryFilter } from './country-filter.js';
import type { CheckResult } from '../findings/finding.js';
import type { ReferenceRecords } from '../resource/reference-records.js';
import { checkUnknownParameter, checkValidators } from './initial-page-findings.js';
import { MAX_COMPLETE_COMPARISON, comparisonCost } from './compare-with-reference.js';
import {
  DATE_PARTITION_COST,
  countryPartitionCost,
  checkLastPage,
  checkDatePartition,
  checkCountryPartition,
} from './partition-checks.js';
import { checkPropertyFilter, selectTestProperties } from './property-filter.js';
import { checkRegionSearch, checkTeamSearch } from './team-and-region-search.js';
import { checkTextSearch, textSearchCost } from './text-search.js';
import { checkSort, sortCost } from './sort-order.js';
import { knownSize } from '../resource/probed-resource.js';
import type { ProbedResource } from '../resource/probed-resource.js';

/** One check of a capability of a resource. */
export interface CapabilityCheck {
  readonly subject: ProbedResource;
  /** Topics of the findings that the check produces. */
  readonly topics: readonly string[];
  /** Checks with a lower rank run first: those most useful to the planner. */
  readonly rank: number;
  /** Maximum number of requests, by what is known when the check is about to run. */
  readonly cost: () => number | Promise<number>;
  readonly run: () => Promise<readonly CheckResult[]>;
}

/** Added to the rank of checks of a list that fits on one page: a push-down saves no request there. */
const SINGLE_PAGE_RANK = 20;

/** All checks of a resource, in no particular order. */
export function listChecks(subject: ProbedResource): readonly CapabilityCheck[] {
  const size = knownSize(subject);
  const rankOffset = size !== undefined && size <= subject.pageSize ? SINGLE_PAGE_RANK : 0;
  return allChecks(subject).map((check) => ({ ...check, rank: check.rank + rankOffset }));
}

function allChecks(subject: ProbedResource): readonly CapabilityCheck[] {
  const { name, defaultSort, hasPropertyFilters: filters, hasDateFilters: dateFilters } = subject.resource;
  const { property, descending } = defaultSort;
  const [usual, reversed] = descending ? [`-${property}`, property] : [property, `-${property}`];
  const common = [
    sortCheck(subject, usual, SORT_RANKS[name].usual),
    sortCheck(subject, reversed, SORT_RANKS[name].reversed),
    singleRequestCheck(subject, { topic: 'validators', rank: 7, run: () => checkValidators(subject) }),
    singleRequestCheck(subject, { topic: 'unknown parameter', rank: 8, run: () => checkUnknownParameter(subject) }),
    textSearchCheck(subject),
  ];
  return [
    ...common,
    ...lastPageCheck(subject),
    ...(dateFilters ? dateBoundChecks(subject) : []),
    ...(filters ? teamChecks(subject) : []),
  ];
}

/**
 * Ranks of the checks of the default order and its reverse. News usually are in the default order without `sort`, so
 * only the reverse shows whether a source sorts.
 */
const SORT_RANKS: Readonly<Record<SourceResourceName, { readonly usual: number; readonly reversed: number }>> = {
  'directory-teams': { usual: 1, reversed: 3 },
  'data-teams': { usual: 1, reversed: 3 },
  news: { usual: 1, reversed: 2 },
  'news-item': { usual: 1, reversed: 2 },
  channels: { usual: 6, reversed: 9 },
  feed: { usual: 1, reversed: 2 },
};

function sortCheck(subject: ProbedResource, sort: string, rank: number): CapabilityCheck {
  const topic = `sort ${sort}`;
  if (subject.completeList === undefined && !isOverBudget(subject)) return skippedCheck(subject, topic, rank);
  return { subject, topics: [topic], rank, cost: () => sortCost(subject, sort), run: () => checkSort(subject, sort) };
}

/** A search is compared with the complete list: nothing else shows the records that it omits. */
function textSearchCheck(subject: ProbedResource): CapabilityCheck {
  const [topic, rank] = ['search q', 6];
  const { completeList } = subject;
  if (completeList === undefined) return skippedCheck(subject, topic, rank);
  const { reference } = completeList;
  return {
    subject,
    topics: [topic],
    rank,
    cost: () => textSearchCost(subject, reference),
    run: () => checkTextSearch(subject, reference),
  };
}

function singleRequestCheck(
  subject: ProbedResource,
  { topic, rank, run }: { readonly topic: string; readonly rank: number; readonly run: CapabilityCheck['run'] },
): CapabilityCheck {
  return { subject, topics: [topic], rank, cost: () => 1, run };
}

/** A check that compares with the complete list. */
interface ReferenceCheckOptions {
  readonly topic: string;
  readonly rank: number;
  /** Maximum number of requests; absent: those of one comparison. */
  readonly cost?: number;
  readonly run: (subject: ProbedResource, reference: ReferenceRecords) => Promise<readonly CheckResult[]>;
}

/** Without the complete list there is nothing to compare with, and nothing is requested. */
function referenceCheck(subject: ProbedResource, { topic, rank, cost, run }: ReferenceCheckOptions): CapabilityCheck {
  const { completeList } = subject;
  if (completeList === undefined) return skippedCheck(subject, topic, rank);
  const maxRequests = cost ?? comparisonCost(subject, MAX_COMPLETE_COMPARISON);
  return { subject, topics: [topic], rank, cost: () => maxRequests, run: () => run(subject, completeList.reference) };
}

function dateBoundChecks(subject: ProbedResource): readonly CapabilityCheck[] {
  const total = knownSize(subject);
  const ranks = { rank: 2, cost: dateBoundCost(subject) };
  if (subject.completeList === undefined && total !== undefined && isOverBudget(subject)) {
    const topics = ['filter before', 'filter after'];
    return [
      { subject, topics, rank: 2, cost: () => DATE_PARTITION_COST, run: () => checkDatePartition(subject, total) },
    ];
  }
  return [
    referenceCheck(subject, {
      topic: 'filter before',
      ...ranks,
      run: (...args) => checkDateBound(...args, 'before'),
    }),
    referenceCheck(subject, { topic: 'filter after', ...ranks, run: (...args) => checkDateBound(...args, 'after') }),
  ];
}

/** A check that sends no request because it would prove nothing. */
function skippedCheck(subject: ProbedResource, topic: string, rank: number): CapabilityCheck {
  const run = (): Promise<CheckResult[]> => Promise.resolve(openResult(topic, noReferenceReason(subject)));
  return { subject, topics: [topic], rank, cost: () => 0, run };
}

function noReferenceReason({ unreadReason }: ProbedResource): string {
  return `no complete list to compare with: ${unreadReason?.reason ?? 'not read'}`;
}

/** Whether the resource was not drained because of the budget, and not because of a doubt. */
function isOverBudget({ unreadReason }: ProbedResource): boolean {
  return unreadReason?.isOverBudget === true;
}

function teamChecks(subject: ProbedResource): readonly CapabilityCheck[] {
  const total = knownSize(subject);
  const topic = 'filter country';
  const country: CapabilityCheck =
    subject.completeList === undefined && total !== undefined && isOverBudget(subject)
      ? {
          subject,
          topics: [topic],
          rank: 2,
          cost: () => countryPartitionCost(subject),
          run: () => checkCountryPartition(subject, total),
        }
      : referenceCheck(subject, { topic, rank: 2, run: checkCountryFilter });
  return [
    country,
    ...propertyFilterChecks(subject),
    sortCheck(subject, '-last-modified', 5),
    sortCheck(subject, 'last-modified', 10),
    referenceCheck(subject, { topic: 'search region', rank: 9, run: checkRegionSearch }),
    ...(hasTeamSearch(subject.resource)
      ? [referenceCheck(subject, { topic: 'search team', rank: 9, run: checkTeamSearch })]
      : []),
  ];
}

/** On the data interface `team` is a property filter, not a search (decisions 2.27). */
function hasTeamSearch({ properties }: Resource): boolean {
  return !properties.some(({ name }) => name === 'team');
}

/** Checks one property early, and the others after all other checks. */
function propertyFilterChecks(subject: ProbedResource): readonly CapabilityCheck[] {
  const reference = subject.completeList?.reference;
  const testProperties = reference === undefined ? [] : selectTestProperties(subject, reference);
  if (testProperties.length === 0) {
    const noTestValue = 'no property has a value that several records share and others do not have';
    const evidence = reference === undefined ? noReferenceReason(subject) : noTestValue;
    const run = (): Promise<CheckResult[]> => Promise.resolve(openResult('filter on a property', evidence));
    return [{ subject, topics: ['filter on a property'], rank: 4, cost: () => 0, run }];
  }
  return testProperties.map((property, at) =>
    referenceCheck(subject, {
      topic: `filter ${property.property}`,
      rank: at === 0 ? 4 : 11,
      cost: property.cost,
      run: (...args) => checkPropertyFilter(...args, property),
    }),
  );
}

/** For a list that was not drained: requests the range where it should end, if an offset reaches it. */
function lastPageCheck(subject: ProbedResource): readonly CapabilityCheck[] {
  const total = knownSize(subject);
  const isSeen = subject.observations.lastPage !== undefined;
  if (
    subject.completeList !== undefined ||
    isSeen ||
    total === undefined ||
    total === 0 ||
    total >= subject.resource.pagingWindow
  )
    return [];
  const run = async (): Promise<CheckResult[]> => {
    subject.observations.lastPage = await checkLastPage(subject, {}, total);
    return [];
  };
  return [{ subject, topics: ['total'], rank: 1, cost: () => 1, run }];
}
