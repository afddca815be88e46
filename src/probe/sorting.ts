import type { Resource } from '../model/resource.js';
import { counted } from './finding.js';
import type { Answered } from './finding.js';
import { Known } from './known.js';
import type { Answer } from './line.js';
import { inSequence } from './matching.js';
import { rivals, toldApart } from './rivals.js';
import { reachable } from './subject.js';
import type { Ordering, Subject } from './subject.js';

/** Pages that one order is asked for at most. */
export const PAGES = 4;

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

interface Cuts {
  readonly offset: number;
  readonly limit: number;
}

/**
 * The pages that tell most: the first and the last, for an order may end with the first page, and those between them on which another order
 * would differ. Never all in one page: an order of each page, and none of all, would not be seen.
 */
async function cutsOf({ whole, pageSize }: Subject, sort: string, size: number): Promise<readonly Cuts[]> {
  const limit = Math.min(pageSize, Math.ceil(size / 2));
  const offsets = Array.from({ length: Math.ceil(size / limit) }, (_, page) => page * limit);
  const between = offsets.slice(1, -1);
  const most = PAGES - 2;
  const chosen =
    whole === undefined ? spread(between, most) : await telling(whole.known, sort, { between, limit, most });
  const last = offsets.at(-1) ?? 0;
  return [0, ...chosen, ...(last > 0 ? [last] : [])].map((offset) => ({ offset, limit }));
}

function spread(offsets: readonly number[], most: number): readonly number[] {
  const step = Math.max(1, Math.floor(offsets.length / most));
  return offsets.filter((_, at) => at % step === 0).slice(0, most);
}

async function telling(
  known: Known,
  sort: string,
  { between, limit, most }: { readonly between: readonly number[]; readonly limit: number; readonly most: number },
): Promise<readonly number[]> {
  const texts = await textsOf(known, sort, (await known.exact({ sort })) ?? []);
  const sign = signOf(known.resource, sort);
  const seen = new Set<string>();
  const chosen: number[] = [];
  while (chosen.length < Math.min(most, between.length)) {
    const gains = between
      .filter((offset) => !chosen.includes(offset))
      .map((offset) => ({ offset, apart: toldApart(texts.slice(offset, offset + limit), sign) }))
      .map(({ offset, apart }) => ({ offset, apart, gain: [...apart].filter((name) => !seen.has(name)).length }));
    const best = gains.reduce((one, other) => (other.gain > one.gain ? other : one));
    for (const name of best.apart) seen.add(name);
    chosen.push(best.offset);
  }
  return chosen.sort((a, b) => a - b);
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
  const { whole } = subject;
  const { page, cut } = answer;
  const drafts = page.records;
  const span = `records ${cut.offset} to ${cut.offset + page.received}`;
  if (page.received === 0) return `nothing came at offset ${cut.offset}`;
  if (whole === undefined) return (await ascends(subject, sort, answers)) ? undefined : `out of order: ${span}`;
  const { known } = whole;
  if (drafts.some((draft) => known.placeOf(draft) === undefined)) return `${span} hold some that were not there before`;
  const expected = ((await known.exact({ sort })) ?? []).slice(cut.offset, cut.offset + cut.limit);
  if (drafts.length !== expected.length) return `${counted(drafts.length, 'record')} came where ${expected.length} are`;
  return (await inSequence(known, expected, { drafts, sort })) ? undefined : `out of order: ${span}`;
}

/** Whether the pages that came, one behind the other, go up. */
export function ascends({ vocabulary }: Subject, sort: string, answers: readonly Answer[]): Promise<boolean> {
  return goesUp(seenIn(vocabulary, answers), sort);
}

async function goesUp(seen: Known, sort: string): Promise<boolean> {
  const order = await seen.order(sort);
  return seen.drafts.every((_, at) => at === 0 || order(at - 1, at) <= 0);
}

function seenIn(vocabulary: Subject['vocabulary'], answers: readonly Answer[]): Known {
  return new Known(
    vocabulary,
    answers.flatMap(({ page }) => page.records),
  );
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
  const ordering: Ordering = {
    asked,
    evidence: `${counted(seen.size, 'record')} on ${counted(answers.length, 'page')}, from the first to the last, stand as they should`,
    alike: texts.some((text) => text !== undefined) ? alikeOf(texts, signOf(subject.resource, sort)) : [],
    natural: await isNatural(subject, sort),
  };
  subject.memory.agreed.set(sort, ordering);
  return [];
}

function alikeOf(texts: readonly (string | undefined)[], sign: number): readonly string[] {
  const apart = toldApart(texts, sign);
  return rivals.map(({ name }) => name).filter((name) => !apart.has(name));
}

/** Whether what came before anything was asked, all or the first page, stands in this order anyway. */
function isNatural({ vocabulary, looked, whole }: Subject, sort: string): Promise<boolean> {
  return goesUp(whole?.known ?? seenIn(vocabulary, looked.slice(-1)), sort);
}
