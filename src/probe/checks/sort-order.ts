import type { DraftRecord } from '../../model/record.js';
import type { Resource } from '../../model/resource.js';
import { pluralize } from '../findings/finding.js';
import type { CheckResult } from '../findings/finding.js';
import { ReferenceRecords } from '../resource/reference-records.js';
import type { PageRange } from '../../source/dialect/dialect.js';
import type { ProbeResponse } from '../client/probe-client.js';
import { openResult } from './conclude-check.js';
import { isInSequence } from './compare-with-reference.js';
import { findOrderDifferences, alternativeOrders, distinguishedOrders } from './alternative-orders.js';
import { reachableSize } from '../resource/probed-resource.js';
import type { SortObservation, ProbedResource } from '../resource/probed-resource.js';

/**
 * Number of pages requested for one order, unless more are needed to distinguish it from the alternative orders that
 * the records can distinguish.
 */
const MAX_PAGES = 4;

/** Minimum number of different values in which an order can be observed. */
const MIN_DISTINCT_VALUES = 3;

/**
 * Checks an order of the unfiltered list. An order that was right is recorded in the state of the resource;
 * `concludeSorts` later decides whether it is proved.
 */
export async function checkSort(subject: ProbedResource, sort: string): Promise<CheckResult[]> {
  const topic = `sort ${sort}`;
  const size = reachableSize(subject);
  if (size === undefined) return openResult(topic, 'the source reports no total, so its last page is not known');
  if (size < MIN_DISTINCT_VALUES) return openResult(topic, `too few records: ${size}`);
  const responses: ProbeResponse[] = [];
  for (const range of await selectPageRanges(subject, sort, size)) {
    const response = await subject.client.tryFetchPage(subject.resource, { sort }, range);
    const targets = [...responses, response].map(({ target }) => target);
    if ('refused' in response)
      return [{ topic, verdict: 'refuted', evidence: `refused with ${response.refused}`, asked: targets }];
    responses.push(response);
    subject.observations.sortedPages.set(sort, responses);
    recordTotal(subject, response);
    const fault = await findSortFault(subject, sort, { responses, response });
    if (fault !== undefined) return [{ topic, verdict: 'refuted', evidence: fault, asked: targets }];
  }
  return recordConsistentSort(subject, sort, responses);
}

function recordTotal({ completeList, observations }: ProbedResource, { target, page }: ProbeResponse): void {
  const { total, receivedCount: received } = page;
  observations.totals.push({
    target,
    reported: total,
    received,
    ...(completeList && { expected: completeList.reference.size }),
  });
}

/** Number of requests for checking an order. */
export async function sortCost(subject: ProbedResource, sort: string): Promise<number> {
  const size = reachableSize(subject);
  return size === undefined || size < MIN_DISTINCT_VALUES ? 0 : (await selectPageRanges(subject, sort, size)).length;
}

/**
 * Selects the most informative pages: the first and the last, because a source may sort the first page only, and
 * middle pages on which alternative orders differ. For a drained list these are as many as show every possible
 * difference, so that the page size does not decide what is proved. Never all records on one page: that would not show
 * whether a source sorts each page separately.
 */
async function selectPageRanges(
  { completeList, pageSize }: ProbedResource,
  sort: string,
  size: number,
): Promise<readonly PageRange[]> {
  const limit = Math.min(pageSize, Math.ceil(size / 2));
  const ends = [0, Math.max(limit, size - limit)].map((offset) => ({ offset, limit }));
  const between = { from: limit, to: size - limit, limit };
  const chosen =
    completeList === undefined
      ? spreadPageRanges(between)
      : await distinguishingPageRanges(completeList.reference, sort, between);
  return [...ends, ...chosen].sort((a, b) => a.offset - b.offset);
}

/** The records between the first page and the last one, and the page size. */
interface MiddleRange {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/** At most `most` pages, evenly spread. */
function spreadPageRanges({ from, to, limit }: MiddleRange, maxPages = MAX_PAGES - 2): readonly PageRange[] {
  const pages = Math.min(maxPages, Math.ceil((to - from) / limit));
  const gap = (to - from) / (pages + 1);
  return Array.from({ length: pages }, (_, at) => {
    const middle = Math.floor(from + gap * (at + 1) - limit / 2);
    const offset = pages < maxPages ? from + at * limit : Math.max(from, middle);
    return { offset, limit: Math.min(limit, to - offset) };
  });
}

/**
 * Pages on which those alternative orders differ that the first and last page do not rule out, filled up with evenly
 * spread pages.
 */
async function distinguishingPageRanges(
  reference: ReferenceRecords,
  sort: string,
  between: MiddleRange,
): Promise<readonly PageRange[]> {
  const { from, to, limit } = between;
  const texts = await sortTexts(reference, sort, (await reference.matchingIndexes({ sort })) ?? []);
  const sign = sortSign(reference.resource, sort);
  const ruledOut = new Set([
    ...distinguishedOrders(texts.slice(0, from), sign),
    ...distinguishedOrders(texts.slice(to), sign),
  ]);
  const chosen: PageRange[] = [];
  for (const { name, at } of findOrderDifferences(texts, sign)) {
    if (ruledOut.has(name)) continue;
    // The two records that differ are in the middle of the page.
    const offset = Math.max(0, Math.min(at - 1 - ((limit - 2) >> 1), reference.size - limit));
    chosen.push({ offset, limit });
    for (const distinguishedOrder of distinguishedOrders(texts.slice(offset, offset + limit), sign))
      ruledOut.add(distinguishedOrder);
  }
  return [...chosen, ...spreadPageRanges(between, Math.max(0, MAX_PAGES - 2 - chosen.length))];
}

/** Parses a `sort` with one key. The complete name of a property sorts ascending (decisions 2.23). */
export function parseSortKey(
  { properties, trailingProperty: trailing }: Resource,
  sort: string,
): { property: string; descending: boolean } {
  const named = [...properties, ...(trailing === undefined ? [] : [trailing])].some(({ name }) => name === sort);
  return named || !sort.startsWith('-')
    ? { property: sort, descending: false }
    : { property: sort.slice(1), descending: true };
}

function sortSign(resource: Resource, sort: string): 1 | -1 {
  return parseSortKey(resource, sort).descending ? -1 : 1;
}

/** Texts by which the records are ordered; undefined for values that are not compared as text. */
async function sortTexts(
  reference: ReferenceRecords,
  sort: string,
  indexes: readonly number[],
): Promise<readonly (string | undefined)[]> {
  const { originalTexts } = await reference.recordSet.orderColumn(parseSortKey(reference.resource, sort).property);
  return indexes.map((at) => originalTexts[at]);
}

/** Describes a fault of an ordered page; undefined if there is none. */
async function findSortFault(
  subject: ProbedResource,
  sort: string,
  { responses, response }: { readonly responses: readonly ProbeResponse[]; readonly response: ProbeResponse },
): Promise<string | undefined> {
  if (subject.completeList !== undefined) return findPageOrderFault(subject.completeList.reference, sort, response);
  if (response.page.receivedCount === 0) return `empty page at offset ${response.range.offset}`;
  return (await arePagesSorted(subject, sort, responses)) ? undefined : `out of order: ${describeRange(response)}`;
}

/**
 * Describes a fault of an ordered page of the unfiltered list by comparison with the complete list; undefined if there
 * is none.
 */
export async function findPageOrderFault(
  reference: ReferenceRecords,
  sort: string,
  response: ProbeResponse,
): Promise<string | undefined> {
  const { page, range } = response;
  const drafts = page.records;
  const expected = ((await reference.matchingIndexes({ sort })) ?? []).slice(range.offset, range.offset + range.limit);
  if (page.receivedCount === 0) return `empty page at offset ${range.offset}`;
  if (drafts.some((draft) => reference.indexOf(draft) === undefined))
    return `${describeRange(response)} contain records that are not in the complete list`;
  if (drafts.length !== expected.length)
    return `${pluralize(drafts.length, 'record')} received, expected ${expected.length}`;
  return (await isInSequence(reference, expected, { drafts, sort }))
    ? undefined
    : `out of order: ${describeRange(response)}`;
}

function describeRange({ range, page }: ProbeResponse): string {
  return `records ${range.offset} to ${range.offset + page.receivedCount}`;
}

/** Whether the records of the pages, in the order of their offsets, are sorted. */
export function arePagesSorted(
  { vocabulary }: ProbedResource,
  sort: string,
  responses: readonly ProbeResponse[],
): Promise<boolean> {
  return isSorted(recordsByOffset(vocabulary, responses), sort);
}

async function isSorted(received: ReferenceRecords, sort: string): Promise<boolean> {
  const compare = await received.comparator(sort);
  return received.records.every((_, at) => at === 0 || compare(at - 1, at) <= 0);
}

/** Records of the pages in the order of their offsets; where two pages overlap, their common range occurs once. */
function recordsByOffset(
  vocabulary: ProbedResource['vocabulary'],
  responses: readonly ProbeResponse[],
): ReferenceRecords {
  const drafts: DraftRecord[] = [];
  let end = 0;
  for (const { page, range } of [...responses].sort((a, b) => a.range.offset - b.range.offset)) {
    drafts.push(...page.records.slice(Math.max(0, end - range.offset)));
    end = Math.max(end, range.offset + page.records.length);
  }
  return new ReferenceRecords(vocabulary, drafts);
}

async function recordConsistentSort(
  subject: ProbedResource,
  sort: string,
  responses: readonly ProbeResponse[],
): Promise<CheckResult[]> {
  const received = recordsByOffset(subject.vocabulary, responses);
  const indexes = received.records.map((_, at) => at);
  const texts = await sortTexts(received, sort, indexes);
  const compare = await received.comparator(sort);
  const steps = indexes.filter((at) => at > 0 && compare(at - 1, at) !== 0).length;
  const targets = responses.map(({ target }) => target);
  if (steps < MIN_DISTINCT_VALUES - 1) {
    const evidence = `only ${pluralize(steps + 1, 'different value')} received`;
    return [{ topic: `sort ${sort}`, verdict: 'open', evidence, asked: targets }];
  }
  const sign = sortSign(subject.resource, sort);
  const indistinguishable = texts.some((text) => text !== undefined) ? indistinguishableOrders(texts, sign) : [];
  const equivalent = indistinguishable.length === 0 ? [] : await equivalentOrders(subject, sort);
  const ordering: SortObservation = {
    targets,
    evidence: `in order: ${pluralize(received.size, 'record')} on ${pluralize(responses.length, 'page')}, from the first to the last`,
    indistinguishableOrders: indistinguishable.filter((name) => !equivalent.includes(name)),
    equivalentOrders: equivalent,
    isNaturalOrder: await isNaturalOrder(subject, sort),
  };
  subject.observations.consistentSorts.set(sort, ordering);
  return [];
}

/** Names of the alternative orders that put these texts in the same sequence. */
function indistinguishableOrders(texts: readonly (string | undefined)[], sign: number): readonly string[] {
  const distinguished = distinguishedOrders(texts, sign);
  return alternativeOrders.map(({ name }) => name).filter((name) => !distinguished.has(name));
}

/** Names of the alternative orders that put all records in the same sequence; empty for a list that was not drained. */
async function equivalentOrders({ completeList, resource }: ProbedResource, sort: string): Promise<readonly string[]> {
  if (completeList === undefined) return [];
  const { reference } = completeList;
  return indistinguishableOrders(
    await sortTexts(reference, sort, (await reference.matchingIndexes({ sort })) ?? []),
    sortSign(resource, sort),
  );
}

/** Whether the unfiltered list, or its last initial page, is in this order without `sort`. */
function isNaturalOrder({ vocabulary, initialPages, completeList }: ProbedResource, sort: string): Promise<boolean> {
  return isSorted(completeList?.reference ?? recordsByOffset(vocabulary, initialPages.slice(-1)), sort);
}
