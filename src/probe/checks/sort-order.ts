import type { DraftRecord } from '../../model/record.js';
import type { Resource } from '../../model/resource.js';
import { pluralize } from '../findings/finding.js';
import type { CheckResult } from '../findings/finding.js';
import { ReferenceRecords } from '../resource/reference-records.js';
import type { ProbeResponse, PageRange } from '../client/probe-client.js';
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
  if (size === undefined) return [openResult(topic, 'the source reports no total, so its last page is not known')];
  if (size < MIN_DISTINCT_VALUES) return [openResult(topic, `too few records: ${size}`)];
  const answers: ProbeResponse[] = [];
  for (const cut of await selectPageRanges(subject, sort, size)) {
    const answer = await subject.client.tryFetchPage(subject.resource, { sort }, cut);
    const asked = [...answers, answer].map(({ target }) => target);
    if ('refused' in answer) return [{ topic, verdict: 'refuted', evidence: `refused with ${answer.refused}`, asked }];
    answers.push(answer);
    subject.state.sortedPages.set(sort, answers);
    recordTotal(subject, answer);
    const fault = await findSortFault(subject, sort, { answers, answer });
    if (fault !== undefined) return [{ topic, verdict: 'refuted', evidence: fault, asked }];
  }
  return recordConsistentSort(subject, sort, answers);
}

function recordTotal({ completeList: whole, state: memory }: ProbedResource, { target, page }: ProbeResponse): void {
  const { total: told, receivedCount: received } = page;
  memory.totals.push({ target, reported: told, received, ...(whole && { expected: whole.reference.size }) });
}

function openResult(topic: string, evidence: string): CheckResult {
  return { topic, verdict: 'open', evidence };
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
  { completeList: whole, pageSize }: ProbedResource,
  sort: string,
  size: number,
): Promise<readonly PageRange[]> {
  const limit = Math.min(pageSize, Math.ceil(size / 2));
  const ends = [0, Math.max(limit, size - limit)].map((offset) => ({ offset, limit }));
  const between = { from: limit, to: size - limit, limit };
  const chosen =
    whole === undefined ? spreadPageRanges(between) : await distinguishingPageRanges(whole.reference, sort, between);
  return [...ends, ...chosen].sort((a, b) => a.offset - b.offset);
}

/** The records between the first page and the last one, and the page size. */
interface MiddleRange {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/** At most `most` pages, evenly spread. */
function spreadPageRanges({ from, to, limit }: MiddleRange, most = MAX_PAGES - 2): readonly PageRange[] {
  const pages = Math.min(most, Math.ceil((to - from) / limit));
  const gap = (to - from) / (pages + 1);
  return Array.from({ length: pages }, (_, at) => {
    const middle = Math.floor(from + gap * (at + 1) - limit / 2);
    const offset = pages < most ? from + at * limit : Math.max(from, middle);
    return { offset, limit: Math.min(limit, to - offset) };
  });
}

/**
 * Pages on which those alternative orders differ that the first and last page do not rule out, filled up with evenly
 * spread pages.
 */
async function distinguishingPageRanges(
  known: ReferenceRecords,
  sort: string,
  between: MiddleRange,
): Promise<readonly PageRange[]> {
  const { from, to, limit } = between;
  const texts = await sortTexts(known, sort, (await known.matchingIndexes({ sort })) ?? []);
  const sign = sortSign(known.resource, sort);
  const seen = new Set([
    ...distinguishedOrders(texts.slice(0, from), sign),
    ...distinguishedOrders(texts.slice(to), sign),
  ]);
  const chosen: PageRange[] = [];
  for (const { name, at } of findOrderDifferences(texts, sign)) {
    if (seen.has(name)) continue;
    // The two records that differ are in the middle of the page.
    const offset = Math.max(0, Math.min(at - 1 - ((limit - 2) >> 1), known.size - limit));
    chosen.push({ offset, limit });
    for (const rival of distinguishedOrders(texts.slice(offset, offset + limit), sign)) seen.add(rival);
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
  known: ReferenceRecords,
  sort: string,
  places: readonly number[],
): Promise<readonly (string | undefined)[]> {
  const { originalTexts: written } = await known.recordSet.orderColumn(parseSortKey(known.resource, sort).property);
  return places.map((at) => written[at]);
}

/** Describes a fault of an ordered page; undefined if there is none. */
async function findSortFault(
  subject: ProbedResource,
  sort: string,
  { answers, answer }: { readonly answers: readonly ProbeResponse[]; readonly answer: ProbeResponse },
): Promise<string | undefined> {
  if (subject.completeList !== undefined) return findPageOrderFault(subject.completeList.reference, sort, answer);
  if (answer.page.receivedCount === 0) return `empty page at offset ${answer.range.offset}`;
  return (await arePagesSorted(subject, sort, answers)) ? undefined : `out of order: ${describeRange(answer)}`;
}

/**
 * Describes a fault of an ordered page of the unfiltered list by comparison with the complete list; undefined if there
 * is none.
 */
export async function findPageOrderFault(
  known: ReferenceRecords,
  sort: string,
  answer: ProbeResponse,
): Promise<string | undefined> {
  const { page, range: cut } = answer;
  const drafts = page.records;
  const expected = ((await known.matchingIndexes({ sort })) ?? []).slice(cut.offset, cut.offset + cut.limit);
  if (page.receivedCount === 0) return `empty page at offset ${cut.offset}`;
  if (drafts.some((draft) => known.indexOf(draft) === undefined))
    return `${describeRange(answer)} contain records that are not in the complete list`;
  if (drafts.length !== expected.length)
    return `${pluralize(drafts.length, 'record')} received, expected ${expected.length}`;
  return (await isInSequence(known, expected, { drafts, sort })) ? undefined : `out of order: ${describeRange(answer)}`;
}

function describeRange({ range: cut, page }: ProbeResponse): string {
  return `records ${cut.offset} to ${cut.offset + page.receivedCount}`;
}

/** Whether the records of the pages, in the order of their offsets, are sorted. */
export function arePagesSorted(
  { vocabulary }: ProbedResource,
  sort: string,
  answers: readonly ProbeResponse[],
): Promise<boolean> {
  return isSorted(recordsByOffset(vocabulary, answers), sort);
}

async function isSorted(seen: ReferenceRecords, sort: string): Promise<boolean> {
  const order = await seen.comparator(sort);
  return seen.records.every((_, at) => at === 0 || order(at - 1, at) <= 0);
}

/** Records of the pages in the order of their offsets; where two pages overlap, their common range occurs once. */
function recordsByOffset(
  vocabulary: ProbedResource['vocabulary'],
  answers: readonly ProbeResponse[],
): ReferenceRecords {
  const drafts: DraftRecord[] = [];
  let end = 0;
  for (const { page, range: cut } of [...answers].sort((a, b) => a.range.offset - b.range.offset)) {
    drafts.push(...page.records.slice(Math.max(0, end - cut.offset)));
    end = Math.max(end, cut.offset + page.records.length);
  }
  return new ReferenceRecords(vocabulary, drafts);
}

async function recordConsistentSort(
  subject: ProbedResource,
  sort: string,
  answers: readonly ProbeResponse[],
): Promise<CheckResult[]> {
  const seen = recordsByOffset(subject.vocabulary, answers);
  const places = seen.records.map((_, at) => at);
  const texts = await sortTexts(seen, sort, places);
  const order = await seen.comparator(sort);
  const steps = places.filter((at) => at > 0 && order(at - 1, at) !== 0).length;
  const asked = answers.map(({ target }) => target);
  if (steps < MIN_DISTINCT_VALUES - 1) {
    const evidence = `only ${pluralize(steps + 1, 'different value')} received`;
    return [{ topic: `sort ${sort}`, verdict: 'open', evidence, asked }];
  }
  const sign = sortSign(subject.resource, sort);
  const alike = texts.some((text) => text !== undefined) ? indistinguishableOrders(texts, sign) : [];
  const equal = alike.length === 0 ? [] : await equivalentOrders(subject, sort);
  const ordering: SortObservation = {
    targets: asked,
    evidence: `in order: ${pluralize(seen.size, 'record')} on ${pluralize(answers.length, 'page')}, from the first to the last`,
    indistinguishableOrders: alike.filter((name) => !equal.includes(name)),
    equivalentOrders: equal,
    isNaturalOrder: await isNaturalOrder(subject, sort),
  };
  subject.state.consistentSorts.set(sort, ordering);
  return [];
}

/** Names of the alternative orders that put these texts in the same sequence. */
function indistinguishableOrders(texts: readonly (string | undefined)[], sign: number): readonly string[] {
  const apart = distinguishedOrders(texts, sign);
  return alternativeOrders.map(({ name }) => name).filter((name) => !apart.has(name));
}

/** Names of the alternative orders that put all records in the same sequence; empty for a list that was not drained. */
async function equivalentOrders(
  { completeList: whole, resource }: ProbedResource,
  sort: string,
): Promise<readonly string[]> {
  if (whole === undefined) return [];
  const { reference: known } = whole;
  return indistinguishableOrders(
    await sortTexts(known, sort, (await known.matchingIndexes({ sort })) ?? []),
    sortSign(resource, sort),
  );
}

/** Whether the unfiltered list, or its last initial page, is in this order without `sort`. */
function isNaturalOrder(
  { vocabulary, initialPages: looked, completeList: whole }: ProbedResource,
  sort: string,
): Promise<boolean> {
  return isSorted(whole?.reference ?? recordsByOffset(vocabulary, looked.slice(-1)), sort);
}
