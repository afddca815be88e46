import type { Resource } from '../model/resource.js';
import { SourceFailure } from '../source/client/source-failure.js';
import type { SourceParameters } from '../source/dialect/request-url.js';
import { UNREAD_VALUE_RULES } from '../source/record/findings.js';
import type { FindingRule } from '../source/record/findings.js';
import { chooseCountries, chooseInstant, chooseProperties } from './choose-values.js';
import { compareWithList } from './compare-with-list.js';
import type { Comparison, DrainedList, TotalObservation } from './compare-with-list.js';
import { pluralize } from './finding.js';
import type { CapabilityGrant, CheckResult } from './finding.js';
import { describeProbeFailure } from './probe-client.js';
import type { ReferenceRecords } from './reference-records.js';
import { planSearches } from './search-words.js';

/** Queries whose results show whether a source has a capability. */
interface Check {
  readonly topic: string;
  readonly queries: readonly SourceParameters[];
  /** The source may return further records. */
  readonly atLeast?: boolean;
  readonly doubts: readonly string[];
  /** Absent: right responses show nothing about other queries. */
  readonly grant?: CapabilityGrant;
}

/** With the totals of the responses that were right. */
export interface CheckedList {
  readonly results: readonly CheckResult[];
  readonly totals: readonly TotalObservation[];
}

/** For an order to be observed. */
const MIN_DISTINCT_VALUES = 3;

/** Values that are read in another form than they are written (decisions 4.2), or cannot be read (decisions 4.6). */
const DOUBTED_RULES: readonly FindingRule[] = [
  'country-form',
  'address-form',
  'white-space',
  'not-text',
  'list-for-scalar',
  ...UNREAD_VALUE_RULES,
];

/** The topics whose check needs all records. */
export function listTopics({ defaultSort, hasDateFilters, hasPropertyFilters }: Resource): readonly string[] {
  const sorts = [defaultSort.property, ...(hasPropertyFilters ? ['last-modified'] : [])].flatMap((sort) => [
    `sort ${sort}`,
    `sort -${sort}`,
  ]);
  return [
    'total',
    ...sorts,
    ...(hasPropertyFilters ? ['filter country', 'filter on a property'] : []),
    ...(hasDateFilters ? ['filter before', 'filter after'] : []),
    'search q',
  ];
}

/** Compares the result of each query with the exact one. */
export async function checkList(list: DrainedList): Promise<CheckedList> {
  const comparisons: Comparison[] = [];
  const run = async (check: Check): Promise<CheckResult> => {
    try {
      return await runCheck(list, check, comparisons);
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      return { topic: check.topic, verdict: 'open', evidence: describeProbeFailure(error) };
    }
  };
  const { results: sorts, beside } = await checkSorts(list, run);
  const results = [...sorts];
  for (const check of await listFilters(list)) {
    const queries = check.queries.map((query) => ({ ...query, ...(beside !== undefined && { sort: beside }) }));
    results.push(await run({ ...check, queries }));
  }
  results.push(await checkSearch(list, run));
  return { results, totals: comparisons.flatMap(({ fault, totals }) => (fault === undefined ? totals : [])) };
}

async function runCheck(
  list: DrainedList,
  { topic, queries, atLeast = false, doubts, grant }: Check,
  all: Comparison[],
): Promise<CheckResult> {
  if (queries.length === 0) return { topic, verdict: 'open', evidence: doubts.join('; ') };
  const comparisons: Comparison[] = [];
  for (const query of queries) {
    const comparison = await compareWithList(list, query, { atLeast });
    const { asked, fault, received } = comparison;
    if (fault !== undefined) return { topic, verdict: 'refuted', evidence: fault, asked: [asked] };
    // Only the first search is for one word: a source may find any word of several.
    if (atLeast && comparisons.length === 0 && received >= list.reference.size)
      return { topic, verdict: 'refuted', evidence: 'ignored: all records are returned', asked: [asked] };
    comparisons.push(comparison);
    if (!atLeast) all.push(comparison);
  }
  const expected = comparisons.map((one) => one.expected);
  const further = comparisons.reduce((sum, one) => sum + one.received - one.expected, 0);
  const others = further > 0 ? `, and ${pluralize(further, 'record')} more, which Rollcall filters out` : ', no others';
  const { size } = list.reference;
  const right = expected.every((count) => count === size)
    ? `all ${pluralize(size, 'record')}, in this order`
    : `exactly the ${expected.join(' and ')} of ${pluralize(size, 'record')} that match`;
  const evidence = atLeast
    ? `all matches in ${queries.length} of ${pluralize(queries.length, 'search').replace(/hs$/, 'hes')}${others}`
    : right;
  const facts = { topic, asked: comparisons.map(({ asked }) => asked) };
  return doubts.length === 0 && grant !== undefined
    ? { ...facts, verdict: 'proved', evidence, grant }
    : { ...facts, verdict: 'open', evidence: `${evidence}; but ${doubts.join('; ')}` };
}

/**
 * `beside` is an order that was right, to be requested together with filters, where some sources ignore it: preferably
 * one that differs from the source's own order.
 */
async function checkSorts(
  { resource, reference }: DrainedList,
  run: (check: Check) => Promise<CheckResult>,
): Promise<{ readonly results: readonly CheckResult[]; readonly beside: string | undefined }> {
  const sorts = listTopics(resource).flatMap((topic) => (topic.startsWith('sort ') ? topic.slice(5) : []));
  const checked: { readonly sort: string; readonly isNatural: boolean; readonly result: CheckResult }[] = [];
  for (const sort of sorts) {
    const { isNatural, distinct } = await describeOrder(reference, sort);
    const tooFew = distinct < MIN_DISTINCT_VALUES ? [`only ${pluralize(distinct, 'different value')}`] : [];
    const queries = tooFew.length > 0 ? [] : [{ sort }];
    const result = await run({ topic: `sort ${sort}`, queries, doubts: tooFew, grant: { sort } });
    checked.push({ sort, isNatural, result });
  }
  const proved = checked.filter(({ result }) => result.verdict === 'proved');
  const reverse = (sort: string): string => (sort.startsWith('-') ? sort.slice(1) : `-${sort}`);
  const results = checked.map(({ sort, isNatural, result: { grant, ...result } }): CheckResult => {
    const isShown = !isNatural || proved.some((one) => one.sort === reverse(sort));
    if (grant === undefined || isShown) return { ...result, ...(grant && { grant }) };
    const doubt = 'the list is in this order without sort, and the reverse order was not right';
    return { ...result, verdict: 'open', evidence: `${result.evidence}; but ${doubt}` };
  });
  return { results, beside: (proved.find(({ isNatural }) => !isNatural) ?? proved[0])?.sort };
}

async function describeOrder(
  reference: ReferenceRecords,
  sort: string,
): Promise<{ readonly isNatural: boolean; readonly distinct: number }> {
  const compare = await reference.comparator(sort);
  const ordered = (await reference.matchingIndexes({ sort })) ?? [];
  const steps = ordered.filter((index, at) => at > 0 && compare(ordered[at - 1] ?? index, index) !== 0).length;
  const isNatural = reference.records.every((_, at) => at === 0 || compare(at - 1, at) <= 0);
  return { isNatural, distinct: ordered.length === 0 ? 0 : steps + 1 };
}

async function listFilters(list: DrainedList): Promise<readonly Check[]> {
  const { hasPropertyFilters, hasDateFilters } = list.resource;
  return [
    ...(hasPropertyFilters ? listTeamFilters(list) : []),
    ...(hasDateFilters ? [await dateFilter(list, 'before'), await dateFilter(list, 'after')] : []),
  ];
}

function listTeamFilters(list: DrainedList): readonly Check[] {
  const { resource, reference } = list;
  const { codes, doubts } = chooseCountries(reference);
  const country: Check = {
    topic: 'filter country',
    queries: codes.length === 0 ? [] : [{ country: codes.join(',') }],
    doubts: [...doubts, ...describeForms(list, resource.countryProperties)],
    grant: { filter: 'country' },
  };
  const properties = chooseProperties(reference).map(({ property, values, doubts: own }): Check => ({
    topic: `filter ${property}`,
    queries: values.map((value) => ({ [property]: value })),
    doubts: [...own, ...describeForms(list, [property])],
    grant: { filter: property },
  }));
  const none = {
    topic: 'filter on a property',
    queries: [],
    doubts: ['no value is shared by several records and not by all'],
  };
  return [country, ...(properties.length > 0 ? properties : [none])];
}

/** A source that compares what it wrote leaves out such values (decisions 5.12). */
function describeForms({ findings }: DrainedList, properties: readonly string[]): readonly string[] {
  const found = properties
    .flatMap((property) => DOUBTED_RULES.map((rule) => `${rule} ${property}`))
    .filter((finding) => findings.has(finding));
  return found.length === 0
    ? []
    : [
        `some values are normalized or cannot be read (${found.join(', ')}); a source that compares its own text omits them`,
      ];
}

/** The bound itself is excluded, and one second further it is not: a source may compare days or another time zone. */
async function dateFilter({ reference }: DrainedList, bound: 'before' | 'after'): Promise<Check> {
  const instants = await chooseInstant(reference, bound);
  return {
    topic: `filter ${bound}`,
    queries: instants.map((at) => ({ [bound]: at })),
    doubts: instants.length === 0 ? ['too few different dates'] : [],
    grant: { filter: bound },
  };
}

async function checkSearch(list: DrainedList, run: (check: Check) => Promise<CheckResult>): Promise<CheckResult> {
  const { searches, untested } = await planSearches(list.reference);
  const doubts = untested.length === 0 ? [] : [`not tested: ${untested.join(', ')}`];
  return run({
    topic: 'search q',
    queries: searches.map((q) => ({ q })),
    atLeast: true,
    doubts: searches.length === 0 ? ['no word that only one property of a record has'] : doubts,
    grant: { search: true },
  });
}
