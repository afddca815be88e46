import type { PartialReason } from '../../model/reasons.js';
import { FindingCounter } from '../record/findings.js';
import type { FindingCounts, FindingRule } from '../record/findings.js';
import type { DrainLimits } from './drain-limits.js';
import type { FetchPage, SourcePage } from '../body/page.js';
import { sumExpressionResults } from '../body/expression-results.js';
import { isParameterRefusal } from './parameter-refusal-status.js';
import { walkLinkedPages } from './linked-pages.js';
import type { FetchLinkedPage, LinkedWalkOptions } from './linked-pages.js';
import { PageWalk } from './page-walk.js';
import type { PagingFault } from './paging-faults.js';
import type { PageWalkResult } from './page-walk.js';
import type { DrainResult } from '../record/drain-result.js';

/** After changes of the source during the drain (decisions 5.7). */
const MAX_RESTARTS = 2;

/** For a source that ignores `offset` and reports no usable total (decisions 5.6). */
const SINGLE_PAGE_LIMIT = 10_000;

/** Decisions 5.5 to 5.8. Rejects with the failure of a page. */
export function drain<T>(fetchPage: FetchPage<T>, limits: DrainLimits): Promise<DrainResult<T>> {
  return drainUntilStable(
    () => new PageWalk(fetchPage, limits).walk(),
    (walked) => concludeDrain(walked, fetchPage, limits),
  );
}

/** Pages lead from one to the next (decisions 4.27). Rejects with the failure of a page. */
export function drainLinkedPages<T>(
  fetchFirst: FetchLinkedPage<T>,
  options: LinkedWalkOptions,
  findFault: (walked: PageWalkResult<T>) => PagingFault | undefined,
): Promise<DrainResult<T>> {
  return drainUntilStable(
    () => walkLinkedPages(fetchFirst, options),
    (walked) => withPagingFault(concludeLinkedPages(walked), findFault(walked)),
    (walked) => withPagingFault(concludeDrift(walked), findFault(walked)),
  );
}

/**
 * Adds why pages are not the whole list, unless a reason is known. Drift and a wrong total may be tolerated: beside
 * them, unread pages are judged by themselves.
 */
export function withPagingFault<T>(drained: DrainResult<T>, fault: PagingFault | undefined): DrainResult<T> {
  const { partialReason: known = 'total' } = drained;
  if (fault === undefined || (known !== 'total' && known !== 'drift')) return drained;
  const { reason: partialReason, detail: partialDetail, field, rule } = fault;
  const counter = new FindingCounter();
  counter.addAll(drained.findings);
  counter.add(field, rule);
  const staysKnown = drained.partialReason !== undefined && partialReason === 'paging';
  return { ...drained, ...(!staysKnown && { partialReason }), partialDetail, findings: counter.findings };
}

/** Repeats the walk if the source changes meanwhile, at most `MAX_RESTARTS` times. */
async function drainUntilStable<T>(
  walk: () => Promise<PageWalkResult<T>>,
  conclude: (walked: PageWalkResult<T>) => DrainResult<T> | Promise<DrainResult<T>>,
  concludeUnstable: (walked: PageWalkResult<T>) => DrainResult<T> = concludeDrift,
): Promise<DrainResult<T>> {
  let before: string | undefined;
  for (let restarts = 0; ; restarts += 1) {
    const walked = await walk();
    if (!hasDrifted(walked.pages)) return conclude(walked);
    const seen = walked.pages.map((page) => `${page.fingerprint} ${page.total ?? ''}`).join('\n');
    // Some sources date every response with the current time. Two walks in a row with the same pages and totals agree.
    if (seen === before) return conclude(walked);
    if (restarts === MAX_RESTARTS) return concludeUnstable(walked);
    before = seen;
  }
}

function concludeDrift<T>({ pages }: PageWalkResult<T>): DrainResult<T> {
  return buildDrainResult(pages, 'drift', ['drift']);
}

function hasDrifted(pages: readonly SourcePage<unknown>[]): boolean {
  const [first] = pages;
  return pages.some((page) => page.total !== first?.total || page.lastModified !== first?.lastModified);
}

async function concludeDrain<T>(
  walked: PageWalkResult<T>,
  fetchPage: FetchPage<T>,
  limits: DrainLimits,
): Promise<DrainResult<T>> {
  const { pages, endReason } = walked;
  const [first, ...others] = pages;
  if (endReason === 'too-large' || first === undefined)
    return { ...buildDrainResult(pages, 'too-large', []), records: [] };
  const pagingFindings: FindingRule[] = pages.some((page) => page.receivedCount > limits.pageSize)
    ? ['limit-ignored']
    : [];
  if (endReason === 'end') return compareWithTotal(pages, pagingFindings);
  if (others.length > 0) return concludeRepeatedPages(pages, pagingFindings);
  if (hadRoomForMore(first, limits.pageSize)) return compareWithTotal(pages, [...pagingFindings, 'offset-ignored']);
  const rescued = await fetchWithoutOffset(first, fetchPage, limits.pageSize);
  return buildDrainResult([rescued.page], rescued.partialReason, [...pagingFindings, 'offset-ignored']);
}

function concludeLinkedPages<T>({ pages, endReason }: PageWalkResult<T>): DrainResult<T> {
  if (endReason === 'too-large') return { ...buildDrainResult(pages, 'too-large', []), records: [] };
  if (endReason === 'repeats') return concludeRepeatedPages(pages, []);
  return endReason === 'end' ? compareWithTotal(pages, []) : buildDrainResult(pages, undefined, []);
}

/**
 * For a source that followed `offset` before it repeated a page. It has ended if the repeated page is shorter than the
 * first, or it returned no more records than its total. Else it may ignore offsets that large, and its total may count
 * only one page.
 */
function concludeRepeatedPages<T>(
  pages: readonly SourcePage<T>[],
  pagingFindings: readonly FindingRule[],
): DrainResult<T> {
  const [first, last, total] = [pages[0], pages.at(-1), findReportedTotal(pages)];
  const short = first !== undefined && last !== undefined && last.receivedCount < first.receivedCount;
  if (short || (total !== undefined && countReceived(pages) <= total)) return compareWithTotal(pages, pagingFindings);
  return buildDrainResult(pages, 'offset', [...pagingFindings, 'offset-ignored']);
}

/**
 * One page has all records counted, and not exactly the requested number: such a page may be cut off, and its total may
 * count only this page.
 */
function hadRoomForMore({ receivedCount: received, total }: SourcePage<unknown>, pageSize: number): boolean {
  return total !== undefined && received >= total && received !== pageSize;
}

/**
 * In one page, with `limit` set to the total: works if the source ignores `limit` too, or grants a larger one. If the
 * longer page reports another total, the totals count only the records of a page.
 */
async function fetchWithoutOffset<T>(
  first: SourcePage<T>,
  fetchPage: FetchPage<T>,
  pageSize: number,
): Promise<{ page: SourcePage<T>; partialReason?: PartialReason }> {
  const { receivedCount: received, total } = first;
  if (total === undefined && (await isLimitIgnored(first, fetchPage, pageSize))) return { page: first };
  const longer = total === undefined || total <= received ? SINGLE_PAGE_LIMIT : total;
  const large = await fetchPage(0, longer).catch((failure: unknown) => {
    if (isParameterRefusal(failure)) return undefined;
    throw failure;
  });
  if (large === undefined) return { page: first, partialReason: 'offset' };
  const page = large.receivedCount > received ? large : first;
  const all = total !== undefined && page.receivedCount >= total && (large.total ?? total) === total;
  return all ? { page } : { page, partialReason: 'offset' };
}

/** Too few received: records are missing, or the total is wrong; the response does not show which. Too many: the total is wrong. */
function compareWithTotal<T>(pages: readonly SourcePage<T>[], pagingFindings: readonly FindingRule[]): DrainResult<T> {
  const [received, total] = [countListed(pages), findReportedTotal(pages)];
  if (total === undefined || total === received) return buildDrainResult(pages, undefined, pagingFindings);
  return buildDrainResult(pages, received < total ? 'total' : undefined, [...pagingFindings, 'wrong-total']);
}

/** Of a document, includes entries that `only` leaves out: a source counts them. */
function countListed(pages: readonly SourcePage<unknown>[]): number {
  return pages.reduce((sum, { document, receivedCount }) => sum + (document?.entryCount ?? receivedCount), 0);
}

function countReceived(pages: readonly SourcePage<unknown>[]): number {
  return pages.reduce((sum, page) => sum + page.receivedCount, 0);
}

/** The largest of all pages: some sources report it on the first page only, others what is left. */
function findReportedTotal(pages: readonly SourcePage<unknown>[]): number | undefined {
  const totals = pages.map(({ total }) => total).filter((total) => total !== undefined);
  return totals.length === 0 ? undefined : Math.max(...totals);
}

async function isLimitIgnored<T>(first: SourcePage<T>, fetchPage: FetchPage<T>, pageSize: number): Promise<boolean> {
  if (first.receivedCount > pageSize) return true;
  if (first.receivedCount === 1) return pageSize > 1;
  const shorter = await fetchPage(0, first.receivedCount - 1);
  return shorter.receivedCount === first.receivedCount;
}

function buildDrainResult<T>(
  pages: readonly SourcePage<T>[],
  partialReason: PartialReason | undefined,
  pagingFindings: readonly FindingRule[],
): DrainResult<T> {
  const total = findReportedTotal(pages);
  const dates = pages.map((page) => page.lastModified).filter((date) => date !== undefined);
  return {
    ...joinPages(pages),
    receivedCount: countReceived(pages),
    bytes: pages.reduce((sum, page) => sum + page.bytes, 0),
    ...(total !== undefined && { total }),
    ...(dates.length > 0 && { lastModified: Math.max(...dates) }),
    ...(partialReason && { partialReason }),
    findings: collectFindings(pages, pagingFindings),
    ...sumExpressionResults(pages),
  };
}

/** In a loop: a walk has up to thousands of pages, and `flatMap` takes ten times as long. */
function joinPages<T>(pages: readonly SourcePage<T>[]): Required<Pick<DrainResult<T>, 'records' | 'pageStarts'>> {
  const [records, starts]: [T[], number[]] = [[], []];
  for (const page of pages) {
    starts.push(records.length);
    for (const record of page.records) records.push(record);
  }
  return { records, pageStarts: starts };
}

function collectFindings(pages: readonly SourcePage<unknown>[], pagingFindings: readonly FindingRule[]): FindingCounts {
  const counter = new FindingCounter();
  for (const page of pages) counter.addAll(page.findings);
  for (const rule of pagingFindings) counter.add('(paging)', rule);
  return counter.findings;
}
