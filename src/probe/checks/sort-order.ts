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

/** Pages that one order is asked for, where they suffice to tell it from the others that the records could tell it from. */
const MAX_PAGES = 4;

/** Different values that an order must show to be one. */
const MIN_DISTINCT_VALUES = 3;

/** Asks for an order of all records; what came right waits in the subject's memory until it is known whether it was asked for. */
export async function checkSort(subject: ProbedResource, sort: string): Promise<CheckResult[]> {
  const topic = `sort ${sort}`;
  const size = reachableSize(subject);
  if (size === undefined)
    return [openResult(topic, 'the source does not count, so that its last page is not to be found')];
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

/** Requests that a question about an order takes. */
export async function sortCost(subject: ProbedResource, sort: string): Promise<number> {
  const size = reachableSize(subject);
  return size === undefined || size < MIN_DISTINCT_VALUES ? 0 : (await selectPageRanges(subject, sort, size)).length;
}

/**
 * The pages that tell most: the first and the last, for an order may end with the first page, and those between them on which another order
 * would differ: of what was read whole as many as it takes to see every difference that there is, so that the size of a page does not decide what is
 * proved. Never all in one page: an order of each page, and none of all, would not be seen.
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

/** The records between the first page and the last one, and how many of them make a page. */
interface MiddleRange {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/** So many pages, as far apart as there is room for. */
function spreadPageRanges({ from, to, limit }: MiddleRange, most = MAX_PAGES - 2): readonly PageRange[] {
  const pages = Math.min(most, Math.ceil((to - from) / limit));
  const gap = (to - from) / (pages + 1);
  return Array.from({ length: pages }, (_, at) => {
    const middle = Math.floor(from + gap * (at + 1) - limit / 2);
    const offset = pages < most ? from + at * limit : Math.max(from, middle);
    return { offset, limit: Math.min(limit, to - offset) };
  });
}

/** Pages on which the rivals that the ends do not tell apart would differ, and others to make up the number. */
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
    // The two records that differ stand in the middle of the page.
    const offset = Math.max(0, Math.min(at - 1 - ((limit - 2) >> 1), known.size - limit));
    chosen.push({ offset, limit });
    for (const rival of distinguishedOrders(texts.slice(offset, offset + limit), sign)) seen.add(rival);
  }
  return [...chosen, ...spreadPageRanges(between, Math.max(0, MAX_PAGES - 2 - chosen.length))];
}

/** A `sort` as a property and a direction; a property's whole name is ascending. */
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

/** The texts by which records are ordered; undefined for what is ordered by value. */
async function sortTexts(
  known: ReferenceRecords,
  sort: string,
  places: readonly number[],
): Promise<readonly (string | undefined)[]> {
  const { originalTexts: written } = await known.recordSet.orderColumn(parseSortKey(known.resource, sort).property);
  return places.map((at) => written[at]);
}

/** What is wrong with an order, in words; undefined where nothing is. */
async function findSortFault(
  subject: ProbedResource,
  sort: string,
  { answers, answer }: { readonly answers: readonly ProbeResponse[]; readonly answer: ProbeResponse },
): Promise<string | undefined> {
  if (subject.completeList !== undefined) return findPageOrderFault(subject.completeList.reference, sort, answer);
  if (answer.page.receivedCount === 0) return `nothing came at offset ${answer.range.offset}`;
  return (await arePagesSorted(subject, sort, answers)) ? undefined : `out of order: ${describeRange(answer)}`;
}

/** What is wrong with a page of all records in an order, where all are known; undefined where nothing is. */
export async function findPageOrderFault(
  known: ReferenceRecords,
  sort: string,
  answer: ProbeResponse,
): Promise<string | undefined> {
  const { page, range: cut } = answer;
  const drafts = page.records;
  const expected = ((await known.matchingIndexes({ sort })) ?? []).slice(cut.offset, cut.offset + cut.limit);
  if (page.receivedCount === 0) return `nothing came at offset ${cut.offset}`;
  if (drafts.some((draft) => known.indexOf(draft) === undefined))
    return `${describeRange(answer)} hold some that were not there before`;
  if (drafts.length !== expected.length)
    return `${pluralize(drafts.length, 'record')} came where ${expected.length} are`;
  return (await isInSequence(known, expected, { drafts, sort })) ? undefined : `out of order: ${describeRange(answer)}`;
}

function describeRange({ range: cut, page }: ProbeResponse): string {
  return `records ${cut.offset} to ${cut.offset + page.receivedCount}`;
}

/** Whether the pages that came, in the order of their offsets, go up. */
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

/** The records of some pages by their offsets; those of a part that two pages share only once. */
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
    const evidence = `the records that came are alike in it: ${steps + 1} different`;
    return [{ topic: `sort ${sort}`, verdict: 'open', evidence, asked }];
  }
  const sign = sortSign(subject.resource, sort);
  const alike = texts.some((text) => text !== undefined) ? indistinguishableOrders(texts, sign) : [];
  const equal = alike.length === 0 ? [] : await equivalentOrders(subject, sort);
  const ordering: SortObservation = {
    targets: asked,
    evidence: `${pluralize(seen.size, 'record')} on ${pluralize(answers.length, 'page')}, from the first to the last, stand as they should`,
    indistinguishableOrders: alike.filter((name) => !equal.includes(name)),
    equivalentOrders: equal,
    isNaturalOrder: await isNaturalOrder(subject, sort),
  };
  subject.state.consistentSorts.set(sort, ordering);
  return [];
}

/** Names of the rivals that would have put these texts in the same sequence. */
function indistinguishableOrders(texts: readonly (string | undefined)[], sign: number): readonly string[] {
  const apart = distinguishedOrders(texts, sign);
  return alternativeOrders.map(({ name }) => name).filter((name) => !apart.has(name));
}

/** Names of the rivals that put all records in the same sequence; none is known to where not all were read. */
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

/** Whether what came before anything was asked, all or the first page, stands in this order anyway. */
function isNaturalOrder(
  { vocabulary, initialPages: looked, completeList: whole }: ProbedResource,
  sort: string,
): Promise<boolean> {
  return isSorted(whole?.reference ?? recordsByOffset(vocabulary, looked.slice(-1)), sort);
}
