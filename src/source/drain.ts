import type { Doubt } from '../model/outcome.js';
import { FindingCounter } from './findings.js';
import type { Findings, Rule } from './findings.js';
import type { DrainBounds, FetchPage, Page } from './page.js';
import { refusesParameter } from './refusal.js';
import { Walk } from './walk.js';
import type { Walked } from './walk.js';

/** All that a source has, as far as it could be had. */
export interface Drained<T> {
  /** In the source's own order. Empty when the source is too large. */
  readonly records: readonly T[];
  /** Records that were sent, those that could not be read included. */
  readonly received: number;
  /** Positions in `records` at which a page begins, ascending; absent where that is not known. */
  readonly starts?: readonly number[];
  /** What the source counts. */
  readonly total?: number;
  /** Newest that the source said, in milliseconds since 1970. */
  readonly lastModified?: number;
  /** Decoded bytes of all pages. */
  readonly bytes: number;
  /** Why this may not be all; absent when it is. */
  readonly doubt?: Doubt;
  /** What was odd about its records, and how it departs from the interface in its paging. */
  readonly findings: Findings;
}

/** decisions.md, section 5: a drain that sees the source change starts again, twice at most. */
const RESTARTS = 2;

/** What a source that ignores `offset` and says no total is asked for in one page. */
const ONE_PAGE = 10_000;

/** Fetches every record of a source (decisions.md, section 5, "Draining"). Rejects with the failure of the page that failed. */
export async function drain<T>(fetchPage: FetchPage<T>, bounds: DrainBounds): Promise<Drained<T>> {
  let before: string | undefined;
  for (let restarts = 0; ; restarts += 1) {
    const walked = await new Walk(fetchPage, bounds).toTheEnd();
    if (!drifted(walked.pages)) return concluded(walked, fetchPage, bounds);
    const seen = walked.pages.map((page) => `${page.fingerprint} ${page.total ?? ''}`).join('\n');
    // A source that dates every answer with the hour changes nothing but its Last-Modified: two walks that saw the same agree.
    if (seen === before) return concluded(walked, fetchPage, bounds);
    if (restarts === RESTARTS) return drained(walked.pages, 'drift', ['drift']);
    before = seen;
  }
}

function drifted(pages: readonly Page<unknown>[]): boolean {
  const [first] = pages;
  return pages.some((page) => page.total !== first?.total || page.lastModified !== first?.lastModified);
}

async function concluded<T>(walked: Walked<T>, fetchPage: FetchPage<T>, bounds: DrainBounds): Promise<Drained<T>> {
  const { pages, ended } = walked;
  const [first, ...others] = pages;
  if (ended === 'too-large' || first === undefined) return { ...drained(pages, 'too-large', []), records: [] };
  const quirks: Rule[] = pages.some((page) => page.received > bounds.pageSize) ? ['limit-ignored'] : [];
  if (ended === 'end') return counted(pages, quirks);
  if (others.length > 0) return repeating(pages, quirks);
  if (hadRoom(first, bounds.pageSize)) return counted(pages, [...quirks, 'offset-ignored']);
  const rescued = await withoutOffset(first, fetchPage, bounds.pageSize);
  return drained([rescued.page], rescued.doubt, [...quirks, 'offset-ignored']);
}

/**
 * A source that listened to `offset` before it began to repeat itself has come to its end when the page that it repeats is a short one, or
 * when it has given no more than it counts. Else it may listen to no offset that large, and count what is on a page.
 */
function repeating<T>(pages: readonly Page<T>[], quirks: readonly Rule[]): Drained<T> {
  const [first, last, total] = [pages[0], pages.at(-1), countedIn(pages)];
  const short = first !== undefined && last !== undefined && last.received < first.received;
  if (short || (total !== undefined && receivedIn(pages) <= total)) return counted(pages, quirks);
  return drained(pages, 'offset', [...quirks, 'offset-ignored']);
}

/** Whether one page has all that a source counts, and is not just as long as was asked for: then it may count what is on the page. */
function hadRoom({ received, total }: Page<unknown>, pageSize: number): boolean {
  return total !== undefined && received >= total && received !== pageSize;
}

/**
 * A source that ignores `offset` can still give everything in one page, when it ignores `limit` too or grants a larger one. One that counts another
 * number then counts what is on a page.
 */
async function withoutOffset<T>(
  first: Page<T>,
  fetchPage: FetchPage<T>,
  pageSize: number,
): Promise<{ page: Page<T>; doubt?: Doubt }> {
  const { received, total } = first;
  if (total === undefined && (await ignoresLimit(first, fetchPage, pageSize))) return { page: first };
  const longer = total === undefined || total <= received ? ONE_PAGE : total;
  const large = await fetchPage(0, longer).catch((failure: unknown) => {
    if (refusesParameter(failure)) return undefined;
    throw failure;
  });
  if (large === undefined) return { page: first, doubt: 'offset' };
  const page = large.received > received ? large : first;
  const all = total !== undefined && page.received >= total && (large.total ?? total) === total;
  return all ? { page } : { page, doubt: 'offset' };
}

/** Fewer records than the source counts: some are missing, or its total is wrong; nobody can tell. More: the total is wrong. */
function counted<T>(pages: readonly Page<T>[], quirks: readonly Rule[]): Drained<T> {
  const [received, total] = [receivedIn(pages), countedIn(pages)];
  if (total === undefined || total === received) return drained(pages, undefined, quirks);
  return drained(pages, received < total ? 'total' : undefined, [...quirks, 'wrong-total']);
}

function receivedIn(pages: readonly Page<unknown>[]): number {
  return pages.reduce((sum, page) => sum + page.received, 0);
}

/** What a source counts: the most that any page says, for some count on their first page only, or what is left. */
function countedIn(pages: readonly Page<unknown>[]): number | undefined {
  const totals = pages.map(({ total }) => total).filter((total) => total !== undefined);
  return totals.length === 0 ? undefined : Math.max(...totals);
}

async function ignoresLimit<T>(first: Page<T>, fetchPage: FetchPage<T>, pageSize: number): Promise<boolean> {
  if (first.received > pageSize) return true;
  if (first.received === 1) return pageSize > 1;
  const shorter = await fetchPage(0, first.received - 1);
  return shorter.received === first.received;
}

function drained<T>(pages: readonly Page<T>[], doubt: Doubt | undefined, quirks: readonly Rule[]): Drained<T> {
  const total = countedIn(pages);
  const dates = pages.map((page) => page.lastModified).filter((date) => date !== undefined);
  return {
    ...joined(pages),
    received: receivedIn(pages),
    bytes: pages.reduce((sum, page) => sum + page.bytes, 0),
    ...(total !== undefined && { total }),
    ...(dates.length > 0 && { lastModified: Math.max(...dates) }),
    ...(doubt && { doubt }),
    findings: findingsOf(pages, quirks),
  };
}

/** One by one, for a walk has thousands of pages at most, and `flatMap` takes ten times as long. */
function joined<T>(pages: readonly Page<T>[]): Required<Pick<Drained<T>, 'records' | 'starts'>> {
  const [records, starts]: [T[], number[]] = [[], []];
  for (const page of pages) {
    starts.push(records.length);
    for (const record of page.records) records.push(record);
  }
  return { records, starts };
}

function findingsOf(pages: readonly Page<unknown>[], quirks: readonly Rule[]): Findings {
  const counter = new FindingCounter();
  for (const page of pages) counter.addAll(page.findings);
  for (const rule of quirks) counter.add('(paging)', rule);
  return counter.findings;
}
