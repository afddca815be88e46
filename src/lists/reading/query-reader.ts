import type { AccessLevel } from '../../model/access-level.js';
import type { DraftRecord } from '../../model/record.js';
import type { Resource } from '../../model/resource.js';
import { dataTeamsWithKeys } from '../../model/resources/data-teams.js';
import { news } from '../../model/resources/news.js';
import type { Dialect, FeedAddress, FeedPaging, LinkedList, OffsetPaging } from '../../source/dialect/dialect.js';
import type { PageFormat } from '../../source/dialect/page-parser.js';
import { MAX_RECORDS, drain } from '../pages/drain.js';
import type { Pages, ReadingLimits } from '../pages/drain.js';
import { drainDocument } from '../pages/drain-document.js';
import { drainTeamKeys } from '../pages/drain-team-keys.js';
import { fetchItem } from '../pages/fetch-item.js';
import { pagesByNewsWindow } from '../pages/pages-by-news-window.js';
import type { NewsPageFetcher, NewsPagesOptions } from '../pages/pages-by-news-window.js';
import { pagesByOffset } from '../pages/pages-by-offset.js';
import type { OffsetPagesOptions } from '../pages/pages-by-offset.js';
import type { ReadableList } from '../pages/pages-by-link.js';
import { pagesOfFeed } from '../pages/pages-of-feed.js';
import { pagesOfFirstRecords } from '../push-down/pages-of-first-records.js';
import type { FirstRecordsChecks } from '../push-down/pages-of-first-records.js';
import type { SourcePage } from '../../source/body/page.js';
import { createExpectedBody } from '../../source/body/parse-page-body.js';
import type { ExpectedBody } from '../../source/body/parse-page-body.js';
import { requirePage } from '../../source/body/read-responses.js';
import type { DrainResult } from '../../source/record/drain-result.js';
import { RecordReader } from '../../source/record/record-reader.js';
import type { SourceSettings, SourceServices } from '../../source/source-settings.js';
import type { TopRecordsCheckPolicy } from '../push-down/check-policy.js';
import { PageValidatorRecorder } from './page-validators.js';
import type { PageFacts } from './page-validators.js';
import type { DrainRequests } from './drain-requests.js';
import { MEMORY_PER_JSON_BYTE, MEMORY_PER_RECORD, estimateDrainMemory } from '../memory-estimate.js';
import type { SourceQuery } from '../../source/request/source-query.js';
import { SourceFailure } from '../../source/client/source-failure.js';

/** With what is recorded about its pages. */
export interface QueryReaderContext {
  readonly session: DrainRequests;
  readonly validatorRecorder: PageValidatorRecorder;
  /** Checked where a pushed-down result is too large and keeps no records. */
  readonly firstPageRecords: DraftRecord[];
}

/** For one source in its dialect: sets limits, and selects how bodies are read. */
export class QueryReader {
  /** By resource, because a `RecordReader` remembers the names of all properties that it has read. */
  private readonly readers = new Map<Resource, RecordReader>();
  /** By resource, one for each format: expressions are compiled once. */
  private readonly expectations = new Map<PageFormat, Map<Resource, ExpectedBody>>();

  constructor(
    private readonly registration: SourceSettings,
    private readonly services: SourceServices,
  ) {}

  /** Rejects when a page fails. `checkPolicy`: for the first records of a list. */
  async drain(
    query: SourceQuery,
    context: QueryReaderContext,
    checkPolicy: TopRecordsCheckPolicy,
  ): Promise<DrainResult<DraftRecord>> {
    const drained = await this.drainPages(query, context, checkPolicy);
    if (query.completeAtAnySize !== true || estimateDrainMemory(drained) <= this.services.maxLargeListBytes)
      return drained;
    // Records and text are bounded separately while pages are read; together they may exceed the memory of one large
    // list (decisions 5.10).
    return { ...drained, records: [], partialReason: 'too-large' };
  }

  private drainPages(
    query: SourceQuery,
    context: QueryReaderContext,
    checkPolicy: TopRecordsCheckPolicy,
  ): Promise<DrainResult<DraftRecord>> {
    const { resource, nativeId: native, pushDown } = query;
    const { paging } = this.dialectOf(resource);
    const requests = { ...context, clock: this.services.clock };
    const limits = this.drainLimits(query);
    if (paging.kind === 'linked') {
      const [list, joined] = [this.readable(resource, paging.list), paging.joined];
      return drainDocument({ list, joined: joined && this.readable(resource, joined), limits }, requests);
    }
    if (paging.kind === 'feeds') {
      const { url, format } = findFeed(query, paging);
      return drain(() => pagesOfFeed({ url, expected: this.expect(resource, format) }, requests), NO_LIMITS);
    }
    if (native !== undefined) return this.fetchItem(query, native, { paging, context });
    const fetcher = this.pageFetcher(query, context);
    if (pushDown?.topRecords !== undefined)
      return this.drainFirstRecords(query, fetcher, {
        first: pushDown.topRecords.first,
        checks: this.buildChecks(query, checkPolicy, context),
      });
    const { pageSize, concurrency } = this.registration;
    const options = { pageSize, concurrency };
    return resource === dataTeamsWithKeys
      ? drainTeamKeys(fetcher({}), (fetchPage) => drain(() => pagesByOffset(fetchPage, options), limits))
      : drain(() => openPages(resource, fetcher, { ...options, order: 'unknown' }), limits);
  }

  /** In the order of the query (decisions 5.15). */
  private drainFirstRecords(
    query: SourceQuery,
    fetcher: NewsPageFetcher,
    { first, checks }: { readonly first: number; readonly checks: FirstRecordsChecks },
  ): Promise<DrainResult<DraftRecord>> {
    const { resource } = query;
    const order = isNewestFirst(query) ? 'newest-first' : 'other';
    const open = (options: OffsetPagesOptions): Pages<DraftRecord> =>
      openPages(resource, fetcher, { ...options, order });
    const { pageSize, concurrency } = this.registration;
    const options = { first, pageSize, concurrency, checks, windowSize: resource.pagingWindow };
    const limits = { maxBytes: this.services.maxDrainBytes, maxRecords: MAX_RECORDS, first };
    return drain(() => pagesOfFirstRecords(open, options), limits);
  }

  /** Check requests have their own validator recorder: the snapshot does not depend on their responses. */
  private buildChecks(
    query: SourceQuery,
    checkPolicy: TopRecordsCheckPolicy,
    context: QueryReaderContext,
  ): FirstRecordsChecks {
    const checkContext: QueryReaderContext = { ...context, validatorRecorder: new PageValidatorRecorder() };
    const { resource } = query;
    return {
      ...checkPolicy,
      fetchCheckPage: this.pageFetcher(query, checkContext)({}),
      countUnfiltered: async () => (await this.pageFetcher({ resource, parameters: {} }, checkContext)({})(0, 1)).total,
    };
  }

  /** Bodies of a source with a second document stay unread: both are needed at once, so a change requests both. */
  revalidationBody(query: SourceQuery): ExpectedBody {
    const { resource, nativeId: native } = query;
    const { paging } = this.dialectOf(resource);
    if (paging.kind === 'feeds') return this.expect(resource, findFeed(query, paging).format);
    if (paging.kind === 'offset')
      return this.expect(resource, native === undefined ? paging.listFormat : paging.itemFormat);
    return this.expect(resource, paging.joined === undefined ? paging.list.format : UNREAD);
  }

  /** Pages lead from one to the next, rather than being counted. */
  isLinked({ resource }: SourceQuery): boolean {
    const { paging } = this.dialectOf(resource);
    return paging.kind === 'linked' && paging.list.step === undefined;
  }

  private readable(resource: Resource, list: LinkedList): ReadableList {
    return { ...list, expected: this.expect(resource, list.format) };
  }

  private expect(resource: Resource, format: PageFormat): ExpectedBody {
    const expectations = this.expectations.get(format) ?? new Map<Resource, ExpectedBody>();
    this.expectations.set(format, expectations);
    const known = expectations.get(resource);
    if (known !== undefined) return known;
    const reader = this.readers.get(resource) ?? new RecordReader(resource, this.registration.provenance);
    this.readers.set(resource, reader);
    const expected = createExpectedBody(reader, format, this.dialectOf(resource).accept);
    expectations.set(resource, expected);
    return expected;
  }

  private dialectOf({ interfaceName }: Resource): Dialect {
    const dialect = this.registration.dialects[interfaceName];
    if (dialect === undefined) throw new Error(`the source does not serve the ${interfaceName} interface`);
    return dialect;
  }

  private offsetPagingOf(resource: Resource): OffsetPaging {
    const { paging } = this.dialectOf(resource);
    if (paging.kind !== 'offset') throw new Error('the source evaluates no parameters');
    return paging;
  }

  private fetchItem(
    { resource }: SourceQuery,
    native: number,
    { paging, context }: { readonly paging: OffsetPaging; readonly context: QueryReaderContext },
  ): Promise<DrainResult<DraftRecord>> {
    const { session, validatorRecorder } = context;
    return fetchItem({ resource, nativeId: native }, this.registration.provenance, async () => {
      const url = paging.itemUrl(resource, native);
      const reply = await session.request(url, this.expect(resource, paging.itemFormat));
      validatorRecorder.recordPage(url, reply, { now: this.services.clock.now() });
      return requireAccess(requirePage(reply), this.registration.upstreamAccess);
    });
  }

  private pageFetcher(
    query: SourceQuery,
    { session, validatorRecorder, firstPageRecords }: QueryReaderContext,
  ): NewsPageFetcher {
    const { resource, parameters, pushDown } = query;
    const { clock } = this.services;
    const paging = this.offsetPagingOf(resource);
    const expected = this.expect(resource, paging.listFormat);
    return (more) => async (offset, limit) => {
      const url = paging.pageUrl(resource, { offset, limit }, { ...parameters, ...more });
      const reply = await session.request(url, expected);
      const now = clock.now();
      const page = requireAccess(requirePage(reply), this.registration.upstreamAccess);
      validatorRecorder.recordPage(url, reply, { now, facts: pageFactsOf(page, limit) });
      if (pushDown !== undefined && firstPageRecords.length === 0)
        for (const draft of page.records) firstPageRecords.push(draft);
      return pushDown?.hasExactTotal === false ? withoutTotal(page) : page;
    };
  }

  private drainLimits({ completeAtAnySize }: SourceQuery): ReadingLimits {
    const { maxDrainBytes, maxLargeListBytes } = this.services;
    if (completeAtAnySize !== true) return { maxBytes: maxDrainBytes, maxRecords: this.registration.drainThreshold };
    return {
      maxBytes: Math.min(maxDrainBytes, maxLargeListBytes / MEMORY_PER_JSON_BYTE),
      maxRecords: Math.floor(maxLargeListBytes / MEMORY_PER_RECORD),
    };
  }
}

/** A feed is one body, and bodies are bounded. */
const NO_LIMITS: ReadingLimits = { maxBytes: Infinity, maxRecords: Infinity };

function openPages(resource: Resource, fetcher: NewsPageFetcher, options: NewsPagesOptions): Pages<DraftRecord> {
  return resource.pagingWindow < Infinity ? pagesByNewsWindow(fetcher, options) : pagesByOffset(fetcher({}), options);
}

function findFeed({ parameters }: SourceQuery, { feeds }: FeedPaging): FeedAddress {
  const found = feeds.find(({ url }) => url.href === parameters['feed']);
  if (found === undefined) throw new Error('the source has no such feed');
  return found;
}

/** For bodies that are not needed. */
const UNREAD: PageFormat = { kind: 'unread' };

/** Only newest first does `before` lead to records beyond the window (decisions 5.9). */
function isNewestFirst({ pushDown }: SourceQuery): boolean {
  const [key, ...more] = pushDown?.topRecords?.order ?? [];
  const { property, descending } = news.defaultSort;
  return more.length === 0 && key?.property === property && key.descending === descending;
}

/**
 * Requires the access level of the request, if the source states one; else throws a `SourceFailure` (`access`). Members
 * data must not enter a public snapshot, and a source that ignores members credentials must not pass for one without
 * further information (decisions 8.3).
 */
export function requireAccess<Page extends Pick<SourcePage<unknown>, 'access'>>(
  page: Page,
  requested: AccessLevel,
): Page {
  const { access } = page;
  const isOther = requested === 'members' ? access === 'public' : access === 'members';
  if (isOther) throw new SourceFailure('access', `answered at ${access} access although asked at ${requested} access`);
  return page;
}

function withoutTotal(page: SourcePage<DraftRecord>): SourcePage<DraftRecord> {
  const stripped: Omit<SourcePage<DraftRecord>, 'total'> & { total?: number } = { ...page };
  delete stripped.total;
  return stripped;
}

function pageFactsOf(
  { receivedCount: received, total, fingerprint }: SourcePage<DraftRecord>,
  requestedLimit: number,
): PageFacts {
  return { receivedCount: received, requestedLimit, fingerprint, ...(total !== undefined && { total }) };
}
