import type { Draft } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import { counted } from './finding.js';
import type { Answered } from './finding.js';
import { Known } from './known.js';
import type { Answer, Cut } from './line.js';
import { inSequence } from './matching.js';
import { differences, rivals, toldApart } from './rivals.js';
import { reachable } from './subject.js';
import type { Ordering, Subject } from './subject.js';

/** Pages that one order is asked for, where they suffice to tell it from the others that the records could tell it from. */
const PAGES = 4;

/** Different values that an order must show to be one. */
const FEW = 3;

/** Asks for an order of all records; what came right waits in the subject's memory until it is known whether it was asked for. */
export async function askSort(subject: Subject, sort: string): Promise<Answered[]> {
  const topic = `sort ${sort}`;
  const size = reachable(subject);
  if (size === undefined) return [open(topic, 'the source does not count, so that its last page is not to be found')];
  if (size < FEW) return [open(topic, `too few records: ${size}`)];
  const answers: Answer[] = [];
  for (const cut of await cutsOf(subject, sort, size)) {
    const answer = await subject.line.ask(subject.resource, { sort }, cut);
    const asked = [...answers, answer].map(({ target }) => target);
    if ('refused' in answer) return [{ topic, verdict: 'refuted', evidence: `refused with ${answer.refused}`, asked }];
    answers.push(answer);
    subject.memory.pages.set(sort, answers);
    note(subject, answer);
    const fault = await faultIn(subject, sort, { answers, answer });
    if (fault !== undefined) return [{ topic, verdict: 'refuted', evidence: fault, asked }];
  }
  return agreed(subject, sort, answers);
}

function note({ whole, memory }: Subject, { target, page }: Answer): void {
  const { total: told, received } = page;
  memory.counts.push({ target, told, received, ...(whole && { right: whole.known.size }) });
}

function open(topic: string, evidence: string): Answered {
  return { topic, verdict: 'open', evidence };
}

/** Requests that a question about an order takes. */
export async function sortCost(subject: Subject, sort: string): Promise<number> {
  const size = reachable(subject);
  return size === undefined || size < FEW ? 0 : (await cutsOf(subject, sort, size)).length;
}

/**
 * The pages that tell most: the first and the last, for an order may end with the first page, and those between them on which another order
 * would differ: of what was read whole as many as it takes to see every difference that there is, so that the size of a page does not decide what is
 * proved. Never all in one page: an order of each page, and none of all, would not be seen.
 */
async function cutsOf({ whole, pageSize }: Subject, sort: string, size: number): Promise<readonly Cut[]> {
  const limit = Math.min(pageSize, Math.ceil(size / 2));
  const ends = [0, Math.max(limit, size - limit)].map((offset) => ({ offset, limit }));
  const between = { from: limit, to: size - limit, limit };
  const chosen = whole === undefined ? spread(between) : await telling(whole.known, sort, between);
  return [...ends, ...chosen].sort((a, b) => a.offset - b.offset);
}

/** The records between the first page and the last one, and how many of them make a page. */
interface Between {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/** So many pages, as far apart as there is room for. */
function spread({ from, to, limit }: Between, most = PAGES - 2): readonly Cut[] {
  const pages = Math.min(most, Math.ceil((to - from) / limit));
  const gap = (to - from) / (pages + 1);
  return Array.from({ length: pages }, (_, at) => {
    const middle = Math.floor(from + gap * (at + 1) - limit / 2);
    const offset = pages < most ? from + at * limit : Math.max(from, middle);
    return { offset, limit: Math.min(limit, to - offset) };
  });
}

/** Pages on which the rivals that the ends do not tell apart would differ, and others to make up the number. */
async function telling(known: Known, sort: string, between: Between): Promise<readonly Cut[]> {
  const { from, to, limit } = between;
  const texts = await textsOf(known, sort, (await known.exact({ sort })) ?? []);
  const sign = signOf(known.resource, sort);
  const seen = new Set([...toldApart(texts.slice(0, from), sign), ...toldApart(texts.slice(to), sign)]);
  const chosen: Cut[] = [];
  for (const { name, at } of differences(texts, sign)) {
    if (seen.has(name)) continue;
    // The two records that differ stand in the middle of the page.
    const offset = Math.max(0, Math.min(at - 1 - ((limit - 2) >> 1), known.size - limit));
    chosen.push({ offset, limit });
    for (const rival of toldApart(texts.slice(offset, offset + limit), sign)) seen.add(rival);
  }
  return [...chosen, ...spread(between, Math.max(0, PAGES - 2 - chosen.length))];
}

/** A `sort` as a property and a direction; a property's whole name is ascending. */
export function keyOfSort({ properties, trailing }: Resource, sort: string): { property: string; descending: boolean } {
  const named = [...properties, ...(trailing === undefined ? [] : [trailing])].some(({ name }) => name === sort);
  return named || !sort.startsWith('-')
    ? { property: sort, descending: false }
    : { property: sort.slice(1), descending: true };
}

function signOf(resource: Resource, sort: string): 1 | -1 {
  return keyOfSort(resource, sort).descending ? -1 : 1;
}

/** The texts by which records are ordered; undefined for what is ordered by value. */
async function textsOf(
  known: Known,
  sort: string,
  places: readonly number[],
): Promise<readonly (string | undefined)[]> {
  const { written } = await known.set.orderColumn(keyOfSort(known.resource, sort).property);
  return places.map((at) => written[at]);
}

/** What is wrong with an order, in words; undefined where nothing is. */
async function faultIn(
  subject: Subject,
  sort: string,
  { answers, answer }: { readonly answers: readonly Answer[]; readonly answer: Answer },
): Promise<string | undefined> {
  if (subject.whole !== undefined) return faultInPage(subject.whole.known, sort, answer);
  if (answer.page.received === 0) return `nothing came at offset ${answer.cut.offset}`;
  return (await ascends(subject, sort, answers)) ? undefined : `out of order: ${spanOf(answer)}`;
}

/** What is wrong with a page of all records in an order, where all are known; undefined where nothing is. */
export async function faultInPage(known: Known, sort: string, answer: Answer): Promise<string | undefined> {
  const { page, cut } = answer;
  const drafts = page.records;
  const expected = ((await known.exact({ sort })) ?? []).slice(cut.offset, cut.offset + cut.limit);
  if (page.received === 0) return `nothing came at offset ${cut.offset}`;
  if (drafts.some((draft) => known.placeOf(draft) === undefined))
    return `${spanOf(answer)} hold some that were not there before`;
  if (drafts.length !== expected.length) return `${counted(drafts.length, 'record')} came where ${expected.length} are`;
  return (await inSequence(known, expected, { drafts, sort })) ? undefined : `out of order: ${spanOf(answer)}`;
}

function spanOf({ cut, page }: Answer): string {
  return `records ${cut.offset} to ${cut.offset + page.received}`;
}

/** Whether the pages that came, in the order of their offsets, go up. */
export function ascends({ vocabulary }: Subject, sort: string, answers: readonly Answer[]): Promise<boolean> {
  return goesUp(seenIn(vocabulary, answers), sort);
}

async function goesUp(seen: Known, sort: string): Promise<boolean> {
  const order = await seen.order(sort);
  return seen.drafts.every((_, at) => at === 0 || order(at - 1, at) <= 0);
}

/** The records of some pages by their offsets; those of a part that two pages share only once. */
function seenIn(vocabulary: Subject['vocabulary'], answers: readonly Answer[]): Known {
  const drafts: Draft[] = [];
  let end = 0;
  for (const { page, cut } of [...answers].sort((a, b) => a.cut.offset - b.cut.offset)) {
    drafts.push(...page.records.slice(Math.max(0, end - cut.offset)));
    end = Math.max(end, cut.offset + page.records.length);
  }
  return new Known(vocabulary, drafts);
}

async function agreed(subject: Subject, sort: string, answers: readonly Answer[]): Promise<Answered[]> {
  const seen = seenIn(subject.vocabulary, answers);
  const places = seen.drafts.map((_, at) => at);
  const texts = await textsOf(seen, sort, places);
  const order = await seen.order(sort);
  const steps = places.filter((at) => at > 0 && order(at - 1, at) !== 0).length;
  const asked = answers.map(({ target }) => target);
  if (steps < FEW - 1) {
    const evidence = `the records that came are alike in it: ${steps + 1} different`;
    return [{ topic: `sort ${sort}`, verdict: 'open', evidence, asked }];
  }
  const sign = signOf(subject.resource, sort);
  const alike = texts.some((text) => text !== undefined) ? undetected(texts, sign) : [];
  const equal = alike.length === 0 ? [] : await equalThroughout(subject, sort);
  const ordering: Ordering = {
    asked,
    evidence: `${counted(seen.size, 'record')} on ${counted(answers.length, 'page')}, from the first to the last, stand as they should`,
    alike: alike.filter((name) => !equal.includes(name)),
    equal,
    natural: await isNatural(subject, sort),
  };
  subject.memory.agreed.set(sort, ordering);
  return [];
}

/** Names of the rivals that would have put these texts in the same sequence. */
function undetected(texts: readonly (string | undefined)[], sign: number): readonly string[] {
  const apart = toldApart(texts, sign);
  return rivals.map(({ name }) => name).filter((name) => !apart.has(name));
}

/** Names of the rivals that put all records in the same sequence; none is known to where not all were read. */
async function equalThroughout({ whole, resource }: Subject, sort: string): Promise<readonly string[]> {
  if (whole === undefined) return [];
  const { known } = whole;
  return undetected(await textsOf(known, sort, (await known.exact({ sort })) ?? []), signOf(resource, sort));
}

/** Whether what came before anything was asked, all or the first page, stands in this order anyway. */
function isNatural({ vocabulary, looked, whole }: Subject, sort: string): Promise<boolean> {
  return goesUp(whole?.known ?? seenIn(vocabulary, looked.slice(-1)), sort);
}
