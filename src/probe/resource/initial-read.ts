import type { DraftRecord } from '../../model/record.js';
import { findPropertyPosition } from '../../model/resource.js';
import type { SourceResource } from '../../model/resource.js';
import type { Vocabulary } from '../../query/vocabulary.js';
import type { SourceParameters } from '../../source/dialect/request-url.js';
import { drain } from '../../source/drain/drain.js';
import type { DrainResult } from '../../source/record/drain-result.js';
import { SourceFailure } from '../../source/client/source-failure.js';
import type { FetchPage } from '../../source/body/page.js';
import { requireReadableRecords } from '../../source/body/parse-page-body.js';
import { drainBeyondWindow } from '../../source/drain/drain-beyond-news-window.js';
import { ReferenceRecords } from './reference-records.js';
import type { ProbeResponse, ProbeClient } from '../client/probe-client.js';
import { BudgetExhausted } from '../client/request-budget.js';
import { pluralize } from '../findings/finding.js';
import type { UnreadReason, ProbedResource, CompleteList } from './probed-resource.js';

/** Maximum number of records requested on one large page, out of consideration for an unknown source. */
const MAX_LARGE_PAGE = 1_000;

/** Ratio of the size of a large page to the registered page size. */
const LARGE_PAGE_FACTOR = 10;

/** Result of reading the initial pages of a resource. */
export interface InitialRead extends Pick<
  ProbedResource,
  'client' | 'resource' | 'vocabulary' | 'firstPage' | 'pageSize' | 'limitMax' | 'initialPages'
> {
  /** Page size of a drain. The drain reuses the initial page of that size. */
  readonly drainPageSize: number;
}

/**
 * Requests the first page and, if that is full, a larger one, which shows how large a page may be. Rejects if the
 * first page fails.
 */
export async function readInitialPages(
  client: ProbeClient,
  resource: SourceResource,
  vocabulary: Vocabulary,
): Promise<InitialRead> {
  const limit = client.registration.pageSize;
  const first = await client.fetchPage(resource, {}, { offset: 0, limit });
  requireReadableRecords(first.page, resource);
  const base = { client, resource, vocabulary, firstPage: first };
  const { receivedCount: received, total } = first.page;
  const capped = received < limit && total !== undefined && received < total && received > 0;
  if (capped) return { ...base, pageSize: received, limitMax: received, initialPages: [first], drainPageSize: limit };
  const isComplete = received !== limit || total === received || client.requestsLeft === 0;
  if (isComplete) return { ...base, pageSize: limit, initialPages: [first], drainPageSize: limit };
  return { ...base, ...(await tryLargerPage(client, resource, first)) };
}

/** Requests a larger page than the registered size and derives page size and page limit from it. */
async function tryLargerPage(
  client: ProbeClient,
  resource: SourceResource,
  first: ProbeResponse,
): Promise<Pick<InitialRead, 'pageSize' | 'limitMax' | 'initialPages' | 'drainPageSize'>> {
  const { limit } = first.range;
  const { total = Infinity } = first.page;
  const wanted = Math.max(limit, Math.min(limit * LARGE_PAGE_FACTOR, MAX_LARGE_PAGE, total));
  const response = await client.tryFetchPage(resource, {}, { offset: 0, limit: wanted });
  const unchanged = { pageSize: limit, drainPageSize: limit, initialPages: [first] };
  if ('refused' in response) return { ...unchanged, limitMax: limit };
  const { receivedCount: received } = response.page;
  const initialPages = [first, response];
  const isPlausible = received >= limit && received <= wanted;
  // A page with all records does not show whether a page could be larger.
  const pageLimit =
    isPlausible && (received === wanted ? wanted !== total : Number.isFinite(total)) ? { limitMax: received } : {};
  return { ...unchanged, ...pageLimit, initialPages, drainPageSize: isPlausible ? wanted : limit };
}

/** Maximum number of further requests for a drain; undefined where the source reports no total, or a wrong one. */
export function estimateDrainRequests({
  firstPage: first,
  initialPages,
  drainPageSize: pageSize,
}: InitialRead): number | undefined {
  const { total } = first.page;
  const start = initialPages.at(-1)?.page.receivedCount ?? 0;
  if (start === 0) return 0;
  if (total === undefined) return start < pageSize ? 1 : undefined;
  if (start > total) return undefined;
  return Math.ceil(total / start) - 1 + (total % start === 0 ? 1 : 0);
}

/**
 * Drains a resource. A doubtful result, or a drain beyond the budget, is not usable as a reference for comparisons;
 * `unreadReason` then states why.
 */
export async function readCompleteList(
  initialRead: InitialRead,
): Promise<Pick<ProbedResource, 'completeList' | 'unreadReason'>> {
  const { client, resource, vocabulary } = initialRead;
  const before = client.requestsSent;
  const pages = pageFetcher(initialRead);
  const bounds = { pageSize: initialRead.drainPageSize, concurrency: 1, maxBytes: Infinity, maxRecords: Infinity };
  try {
    const drained = await (resource.pagingWindow < Infinity
      ? drainBeyondWindow(pages, bounds)
      : drain(pages({}), bounds));
    const reason = incompleteDrainReason(drained, client) ?? duplicateIdReason(resource, drained.records);
    if (reason !== undefined) return { unreadReason: { reason, isOverBudget: false } };
    const reference = new ReferenceRecords(vocabulary, drained.records);
    const completeList: CompleteList = {
      reference,
      requests: client.requestsSent - before + initialRead.initialPages.length,
      findings: drained.findings,
    };
    return { completeList };
  } catch (error) {
    if (error instanceof BudgetExhausted) return { unreadReason: overBudgetReason(estimateDrainRequests(initialRead)) };
    if (!(error instanceof SourceFailure)) throw error;
    return { unreadReason: { reason: `a page failed (${error.message})`, isOverBudget: false } };
  }
}

/** `requests` is the number of requests that a drain would take, where known. */
export function overBudgetReason(requests: number | undefined): UnreadReason {
  const cost = requests === undefined ? 'an unknown number of requests' : pluralize(requests, 'further request');
  return { reason: `a complete drain takes ${cost}`, isOverBudget: true };
}

/**
 * Fetches pages of the resource. An initial page is reused once only, because a drain that restarts must see the
 * current state.
 */
function pageFetcher({
  client,
  resource,
  initialPages,
}: InitialRead): (parameters: SourceParameters) => FetchPage<DraftRecord> {
  const unused = new Map(initialPages.map((response) => [response.url.href, response]));
  return (parameters) => async (offset, limit) => {
    const cached = [...unused.values()].find(
      ({ range }) => Object.keys(parameters).length === 0 && range.offset === offset && range.limit === limit,
    );
    if (cached !== undefined) unused.delete(cached.url.href);
    return (cached ?? (await client.fetchPage(resource, parameters, { offset, limit }))).page;
  };
}

/**
 * Of two records with the same id Rollcall keeps one, so the source's totals and pages differ from the reference
 * records (decisions 4.17).
 */
function duplicateIdReason(resource: SourceResource, drafts: readonly DraftRecord[]): string | undefined {
  const position = findPropertyPosition(resource, 'id');
  const ids = drafts.map((draft) => draft.valueAt(position)).filter((id) => id !== undefined);
  return resource.idKind === 'integer' && new Set(ids).size < ids.length
    ? 'several records have the same id'
    : undefined;
}

/**
 * Why the drained records may be incomplete, or may differ from those that the source filters; undefined if neither.
 */
function incompleteDrainReason({ partialReason }: DrainResult<DraftRecord>, client: ProbeClient): string | undefined {
  if (partialReason !== undefined) return `the drain may be incomplete (${partialReason})`;
  return client.isAggregateIncomplete ? 'the response of the aggregate was incomplete' : undefined;
}
