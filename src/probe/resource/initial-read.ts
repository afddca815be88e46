import type { DraftRecord } from '../../model/record.js';
import { findPropertyPosition } from '../../model/resource.js';
import type { Resource } from '../../model/resource.js';
import type { Vocabulary } from '../../query/vocabulary.js';
import type { SourceParameters } from '../../source/dialect/request-url.js';
import { drain } from '../../source/drain/drain.js';
import type { DrainResult } from '../../source/record/drain-result.js';
import { SourceFailure } from '../../source/client/source-failure.js';
import type { FetchPage } from '../../source/body/page.js';
import { requireReadableRecords } from '../../source/body/read-body.js';
import { drainBeyondWindow } from '../../source/drain/news-window.js';
import { ReferenceRecords } from './reference-records.js';
import type { ProbeResponse, ProbeClient } from '../client/probe-client.js';
import { BudgetExhausted } from '../client/request-budget.js';
import { pluralize } from '../findings/finding.js';
import type { UnreadReason, ProbedResource, CompleteList } from './probed-resource.js';

/** Records of one large page at most: more is not asked of a source that nobody knows. */
const MAX_LARGE_PAGE = 1_000;

/** A large page is so many times the registered one. */
const LARGE_PAGE_FACTOR = 10;

/** What a first look at a resource brought. */
export interface InitialRead extends Pick<
  ProbedResource,
  'client' | 'resource' | 'vocabulary' | 'firstPage' | 'pageSize' | 'limitMax' | 'initialPages'
> {
  /** Records of the page that the drain begins with: it need not be asked for again. */
  readonly drainPageSize: number;
}

/** Asks for the first page; where it is full, for a larger one, which tells how large a page may be. Rejects when the first page fails. */
export async function readInitialPages(
  line: ProbeClient,
  resource: Resource,
  vocabulary: Vocabulary,
): Promise<InitialRead> {
  const limit = line.registration.pageSize;
  const first = await line.fetchPage(resource, {}, { offset: 0, limit });
  requireReadableRecords(first.page, resource);
  const base = { client: line, resource, vocabulary, firstPage: first };
  const { receivedCount: received, total } = first.page;
  const capped = received < limit && total !== undefined && received < total && received > 0;
  if (capped) return { ...base, pageSize: received, limitMax: received, initialPages: [first], drainPageSize: limit };
  const whole = received !== limit || total === received || line.requestsLeft === 0;
  if (whole) return { ...base, pageSize: limit, initialPages: [first], drainPageSize: limit };
  return { ...base, ...(await tryLargerPage(line, resource, first)) };
}

/** What a larger page than the registered one tells. */
async function tryLargerPage(
  line: ProbeClient,
  resource: Resource,
  first: ProbeResponse,
): Promise<Pick<InitialRead, 'pageSize' | 'limitMax' | 'initialPages' | 'drainPageSize'>> {
  const { limit } = first.range;
  const { total = Infinity } = first.page;
  const wanted = Math.max(limit, Math.min(limit * LARGE_PAGE_FACTOR, MAX_LARGE_PAGE, total));
  const answer = await line.tryFetchPage(resource, {}, { offset: 0, limit: wanted });
  const usual = { pageSize: limit, drainPageSize: limit, initialPages: [first] };
  if ('refused' in answer) return { ...usual, limitMax: limit };
  const { receivedCount: received } = answer.page;
  const looked = [first, answer];
  const sane = received >= limit && received <= wanted;
  // As many as there are says nothing of how many there could be.
  const known = sane && (received === wanted ? wanted !== total : Number.isFinite(total)) ? { limitMax: received } : {};
  return { ...usual, ...known, initialPages: looked, drainPageSize: sane ? wanted : limit };
}

/** Requests that a drain takes from here on, at most; undefined where the source does not count, or not rightly. */
export function estimateDrainRequests({
  firstPage: first,
  initialPages: looked,
  drainPageSize: step,
}: InitialRead): number | undefined {
  const { total } = first.page;
  const start = looked.at(-1)?.page.receivedCount ?? 0;
  if (start === 0) return 0;
  if (total === undefined) return start < step ? 1 : undefined;
  if (start > total) return undefined;
  return Math.ceil(total / start) - 1 + (total % start === 0 ? 1 : 0);
}

/**
 * Reads all that a resource has. What is in doubt, or takes more requests than are left, is no ground to compare answers with: `lacks` says why.
 */
export async function readCompleteList(
  look: InitialRead,
): Promise<Pick<ProbedResource, 'completeList' | 'unreadReason'>> {
  const { client: line, resource, vocabulary } = look;
  const before = line.requestsSent;
  const pages = pageFetcher(look);
  const bounds = { pageSize: look.drainPageSize, concurrency: 1, maxBytes: Infinity, maxRecords: Infinity };
  try {
    const drained = await (resource.pagingWindow < Infinity
      ? drainBeyondWindow(pages, bounds)
      : drain(pages({}), bounds));
    const lacks = incompleteDrainReason(drained, line) ?? duplicateIdReason(resource, drained.records);
    if (lacks !== undefined) return { unreadReason: { reason: lacks, isOverBudget: false } };
    const known = new ReferenceRecords(vocabulary, drained.records);
    const whole: CompleteList = {
      reference: known,
      requests: line.requestsSent - before + look.initialPages.length,
      findings: drained.findings,
    };
    return { completeList: whole };
  } catch (error) {
    if (error instanceof BudgetExhausted) return { unreadReason: overBudgetReason(estimateDrainRequests(look)) };
    if (!(error instanceof SourceFailure)) throw error;
    return { unreadReason: { reason: `a page that failed (${error.message})`, isOverBudget: false } };
  }
}

/** `requests` is what it would take, where that is known. */
export function overBudgetReason(requests: number | undefined): UnreadReason {
  const takes = requests === undefined ? 'nobody knows how many requests' : pluralize(requests, 'further request');
  return { reason: `reading all takes ${takes}`, isOverBudget: true };
}

/** Pages of the resource; those that came already are handed over once, for a drain that starts again must see anew. */
function pageFetcher({
  client: line,
  resource,
  initialPages: looked,
}: InitialRead): (parameters: SourceParameters) => FetchPage<DraftRecord> {
  const given = new Map(looked.map((answer) => [answer.url.href, answer]));
  return (parameters) => async (offset, limit) => {
    const known = [...given.values()].find(
      ({ range: cut }) => Object.keys(parameters).length === 0 && cut.offset === offset && cut.limit === limit,
    );
    if (known !== undefined) given.delete(known.url.href);
    return (known ?? (await line.fetchPage(resource, parameters, { offset, limit }))).page;
  };
}

/** Of two records with one id this house shows one: what the source counts and gives is something else. */
function duplicateIdReason(resource: Resource, drafts: readonly DraftRecord[]): string | undefined {
  const position = findPropertyPosition(resource, 'id');
  const ids = drafts.map((draft) => draft.valueAt(position)).filter((id) => id !== undefined);
  return resource.idKind === 'integer' && new Set(ids).size < ids.length ? 'several records with one id' : undefined;
}

/** Why what was read is not surely all, or not surely what the source would filter. */
function incompleteDrainReason(
  { partialReason: doubt }: DrainResult<DraftRecord>,
  line: ProbeClient,
): string | undefined {
  if (doubt !== undefined) return `a doubt whether what was read is all (${doubt})`;
  return line.isAggregateIncomplete ? 'an aggregate whose own answer was not complete' : undefined;
}
