import { findPropertyPosition } from '../../model/resource.js';
import { regionNames, findRegion } from '../../region/region.js';
import type { SourceParameters } from '../../source/dialect/request-url.js';
import { formatIsoTimestamp, parseDate } from '../../text/date.js';
import { pluralize } from '../findings/finding.js';
import type { CheckResult } from '../findings/finding.js';
import { countryFormDoubts, provedOrConsistent } from './conclude-check.js';
import { recordCountries } from './country-filter.js';
import type { ProbeResponse } from '../client/probe-client.js';
import { sortBesideFilter } from './compare-with-reference.js';
import { arePagesSorted } from './sort-order.js';
import { collectSeenRecords } from '../resource/probed-resource.js';
import type { ProbedResource, FilterCount } from '../resource/probed-resource.js';

/** Number of requests of the partition by date. */
export const DATE_PARTITION_COST = 5;

/** Maximum number of requests of the partition by country. */
export function countryPartitionCost(subject: ProbedResource): number {
  return COUNTRY_COUNT_REQUESTS + (findCountryPair(subject) === undefined ? MAX_EXTRA_PAGES : 0);
}

/** Three totals, and the end of one part. */
const COUNTRY_COUNT_REQUESTS = 4;

/** Pages read, spread over the list, to find a record with a further country if none was received before. */
const MAX_EXTRA_PAGES = 4;

const SECOND = 1_000;

/** Number of counted records requested at the end of a list, with room for as many more. */
const TAIL_RECORDS = 10;

/** Requests only a total; undefined if the source reports none or refuses the request. */
async function fetchTotal(
  subject: ProbedResource,
  parameters: SourceParameters,
  targets: string[],
): Promise<number | undefined> {
  return (await fetchFirstRecord(subject, parameters, targets)).total;
}

/** As `fetchTotal`, with the date of the first record. */
async function fetchFirstRecord(
  subject: ProbedResource,
  parameters: SourceParameters,
  targets: string[],
): Promise<{ readonly total?: number | undefined; readonly date?: number | undefined }> {
  const response = await subject.client.tryFetchPage(subject.resource, parameters, { offset: 0, limit: 1 });
  targets.push(response.target);
  return 'refused' in response ? {} : { total: response.page.total, date: publishedTimes(subject, response)[0] };
}

/** The end of a list. */
interface LastPage {
  readonly target: string;
  /** Whether the list has as many records as counted, in the requested order. */
  readonly ends: boolean;
  readonly response?: ProbeResponse;
}

/**
 * Requests the last records by the total and the range behind them. With a filter, a sort that was right before is
 * requested too, because a source may ignore it there.
 */
export async function checkLastPage(
  subject: ProbedResource,
  parameters: SourceParameters,
  total: number,
): Promise<LastPage> {
  const tailSize = Math.min(TAIL_RECORDS, Math.max(1, subject.pageSize >> 1));
  const offset = Math.max(0, total - tailSize);
  const sort = Object.keys(parameters).length === 0 ? undefined : sortBesideFilter(subject);
  const query = { ...parameters, ...(sort !== undefined && { sort }) };
  const response = await subject.client.tryFetchPage(subject.resource, query, { offset, limit: 2 * tailSize });
  if ('refused' in response) return { ends: false, target: response.target };
  const isComplete = response.page.receivedCount === total - offset;
  return {
    ends: isComplete && (sort === undefined || (await arePagesSorted(subject, sort, [response]))),
    response,
    target: response.target,
  };
}

/**
 * Checks `before` and `after` of a list of news that was not drained. For the second `t` of a received item:
 *
 * 1. The items before `t` and those from `t` on are all items.
 * 2. The items up to `t` and those after `t` are all items.
 * 3. The newest items before `t` and up to `t` are those of the pages received. A source that reads bounds in another
 *    time zone shifts all parts alike, so sums do not show it.
 * 4. The last page of the items before `t` is as counted, and all its items are before `t`.
 */
export async function checkDatePartition(subject: ProbedResource, total: number): Promise<CheckResult[]> {
  const targets: string[] = [];
  const at = medianInstant(subject);
  const resultForBoth = (verdict: 'open' | 'refuted', evidence: string): CheckResult[] =>
    (['before', 'after'] as const).map((bound) => ({ topic: `filter ${bound}`, verdict, evidence, asked: targets }));
  if (at === undefined) return resultForBoth('open', 'no received item has a readable date');
  const parts = await countDateParts(subject, at, targets);
  if (parts === undefined) return resultForBoth('refuted', 'request refused, or no total reported');
  const { before, from, until, after } = parts;
  const sums = `${before} before a second and ${from} from it on, ${until} up to it and ${after} after it, of ${total}`;
  const receivedDates = publishedTimes(subject, subject.initialPages.at(-1));
  const descends = receivedDates.every((date, nth) => nth === 0 || date <= (receivedDates[nth - 1] ?? date));
  const contradiction =
    findSumContradiction(parts, total) ?? (descends ? findNewestContradiction(parts, receivedDates) : undefined);
  if (contradiction !== undefined) return resultForBoth('refuted', `${contradiction}: ${sums}`);
  const bounds = { before: { before: formatIsoTimestamp(at) }, after: { after: formatIsoTimestamp(at) } };
  const lastPage = await checkLastPage(subject, bounds.before, before);
  targets.push(lastPage.target);
  if (!lastPage.ends || !areAllBefore(subject, lastPage.response, at))
    return resultForBoth('refuted', `the last page of a part differs from its total or order: ${sums}`);
  for (const bound of ['before', 'after'] as const)
    recordFilterCount(subject, {
      topics: [`filter ${bound}`],
      parameters: bounds[bound],
      total: parts[bound],
      target: targets[0] ?? '',
    });
  const evidence = `the parts add up to the total: ${sums}`;
  const doubts = descends
    ? []
    : ['the newest items are not first, so it is not known in which time zone the source reads a bound'];
  return (['before', 'after'] as const).map((bound) =>
    provedOrConsistent(`filter ${bound}`, { evidence, doubts, targets, grant: { filter: bound } }),
  );
}

/** Numbers of items before the second `at`, from it on, up to it, and after it. */
interface DateParts {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly before: number;
  readonly from: number;
  readonly until: number;
  readonly after: number;
  /** Date of the first item before `at`, and of the first one up to it. */
  readonly newestBefore: number | undefined;
  readonly newestUntil: number | undefined;
}

/** Requests the totals of the parts; undefined if the source refuses a request or reports no total. */
async function countDateParts(subject: ProbedResource, at: number, targets: string[]): Promise<DateParts | undefined> {
  const { total: before, date: newestBefore } = await fetchFirstRecord(
    subject,
    { before: formatIsoTimestamp(at) },
    targets,
  );
  const from = await fetchTotal(subject, { after: formatIsoTimestamp(at - SECOND) }, targets);
  const { total: until, date: newestUntil } = await fetchFirstRecord(
    subject,
    { before: formatIsoTimestamp(at + SECOND) },
    targets,
  );
  const after = await fetchTotal(subject, { after: formatIsoTimestamp(at) }, targets);
  if (before === undefined || from === undefined || until === undefined || after === undefined) return undefined;
  return { at, before, from, until, after, newestBefore, newestUntil };
}

function findSumContradiction({ before, from, until, after }: DateParts, total: number): string | undefined {
  if (before + from !== total || until + after !== total) return 'the parts do not add up to the total';
  if (until <= before || before === 0 || after === 0) return 'the item at the bound is in neither part';
  return undefined;
}

/** Compares the newest items of two parts with the received ones, whose dates descend. */
function findNewestContradiction(
  { at, newestBefore, newestUntil }: DateParts,
  receivedDates: readonly number[],
): string | undefined {
  return newestUntil !== at || newestBefore !== receivedDates.find((date) => date < at)
    ? 'the newest items before the second, and up to it, differ from those received before'
    : undefined;
}

function publishedTimes({ resource }: ProbedResource, response: ProbeResponse | undefined): readonly number[] {
  const position = findPropertyPosition(resource, resource.dateProperty ?? '');
  const dates = response?.page.records.map(({ values }) => parseDate(String(values[position]))?.epochMs) ?? [];
  return dates.filter((at) => at !== undefined);
}

function areAllBefore(subject: ProbedResource, response: ProbeResponse | undefined, at: number): boolean {
  return publishedTimes(subject, response).every((time) => time < at);
}

/** The second of the median item by date on the last initial page. */
function medianInstant(subject: ProbedResource): number | undefined {
  const dates = [...publishedTimes(subject, subject.initialPages.at(-1))].sort((a, b) => a - b);
  return dates[dates.length >> 1];
}

/**
 * Checks `country` of a list that was not drained. Two halves of all countries are chosen so that some received record
 * has its own country in one and a further country in the other. All countries together must select all records, and
 * the totals of the halves must exceed the total of all by at least the number of received records in both.
 */
export async function checkCountryPartition(subject: ProbedResource, total: number): Promise<CheckResult[]> {
  const topic = 'filter country';
  const targets: string[] = [];
  const result = (verdict: 'open' | 'refuted', evidence: string): CheckResult[] => [
    { topic, verdict, evidence, asked: targets },
  ];
  const pair = findCountryPair(subject) ?? (await fetchCountryPair(subject, total, targets));
  if (pair === undefined)
    return result(
      'open',
      `none of the ${collectSeenRecords(subject).size} records received has a further country, so it is not known whether the source compares those`,
    );
  const halves = splitCountries(pair.own, pair.other);
  const totals = await countHalves(subject, halves, targets);
  if (totals === undefined) return result('refuted', 'request refused, or no total reported');
  const inBoth = countRecordsInBoth(subject, halves);
  const sums = `${totals.all} of ${total} in all countries together, ${totals.first} and ${totals.second} in two halves of the world, ${pluralize(inBoth, 'record')} received that belong to both`;
  if (!doHalvesAddUp(totals, total, inBoth)) return result('refuted', `the parts do not add up to the total: ${sums}`);
  const [firstHalf, secondHalf] = halves;
  const lastPage = await checkLastPage(subject, { country: secondHalf.join() }, totals.second);
  targets.push(lastPage.target);
  if (!lastPage.ends) return result('refuted', `the last page of a part differs from its total or order: ${sums}`);
  for (const [codes, halfTotal] of [
    [firstHalf, totals.first],
    [secondHalf, totals.second],
  ] as const)
    recordFilterCount(subject, {
      topics: [topic],
      parameters: { country: codes.join() },
      total: halfTotal,
      target: targets[0] ?? '',
    });
  return [
    provedOrConsistent(topic, {
      evidence: `the parts add up to the total: ${sums}`,
      doubts: countryFormDoubts(subject),
      targets,
      grant: { filter: 'country' },
    }),
  ];
}

/** All countries in two halves, as codes. */
type CountryHalves = readonly [readonly string[], readonly string[]];

/** Numbers of records of all countries together and of each half. */
interface HalfTotals {
  readonly all: number;
  readonly first: number;
  readonly second: number;
}

/** Requests the totals; undefined if the source refuses a request or reports no total. */
async function countHalves(
  subject: ProbedResource,
  [firstHalf, secondHalf]: CountryHalves,
  targets: string[],
): Promise<HalfTotals | undefined> {
  const all = await fetchTotal(subject, { country: [...firstHalf, ...secondHalf].join() }, targets);
  const first = await fetchTotal(subject, { country: firstHalf.join() }, targets);
  const second = await fetchTotal(subject, { country: secondHalf.join() }, targets);
  return all === undefined || first === undefined || second === undefined ? undefined : { all, first, second };
}

/** Number of received records that have a country of each half. */
function countRecordsInBoth(subject: ProbedResource, [firstHalf, secondHalf]: CountryHalves): number {
  return recordCountries(collectSeenRecords(subject)).filter(
    ({ all }) => all.some((code) => firstHalf.includes(code)) && all.some((code) => secondHalf.includes(code)),
  ).length;
}

/** `inBoth` is the least number of records that both halves count. */
function doHalvesAddUp({ all, first, second }: HalfTotals, total: number, inBoth: number): boolean {
  return all === total && first + second - all >= inBoth && first < total && second < total;
}

/** The own country and a further country of one record. */
interface CountryPair {
  readonly own: string;
  readonly other: string;
}

function findCountryPair(subject: ProbedResource): CountryPair | undefined {
  for (const { own, all } of recordCountries(collectSeenRecords(subject))) {
    const other = all.find((code) => code !== own);
    if (own !== '' && other !== undefined) return { own, other };
  }
  return undefined;
}

/** Fetches further pages of the unfiltered list, in the source's own order, until a record has a further country. */
async function fetchCountryPair(
  subject: ProbedResource,
  total: number,
  targets: string[],
): Promise<CountryPair | undefined> {
  const { client, resource, pageSize, observations } = subject;
  for (let nth = 1; nth <= MAX_EXTRA_PAGES; nth += 1) {
    const offset = Math.floor((total * nth) / (MAX_EXTRA_PAGES + 1));
    const response = await client.tryFetchPage(resource, {}, { offset, limit: pageSize });
    targets.push(response.target);
    if ('refused' in response) return undefined;
    observations.extraPages.push(response);
    const found = findCountryPair(subject);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Records a total, to be rechecked if the list is drained later. */
function recordFilterCount({ observations }: ProbedResource, count: FilterCount): void {
  observations.filterCounts.push(count);
}

/** Splits all countries into two halves, each with one of the two given ones. */
function splitCountries(first: string, second: string): CountryHalves {
  const all = [...new Set(regionNames.flatMap((name) => [...(findRegion(name)?.countries ?? [])]))].sort();
  const rest = all.filter((code) => code !== first && code !== second);
  const half = rest.length >> 1;
  return [
    [first, ...rest.slice(0, half)],
    [second, ...rest.slice(half)],
  ];
}
