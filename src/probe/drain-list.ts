import type { DraftRecord } from '../model/record.js';
import { findPropertyPosition } from '../model/resource.js';
import type { SourceResource } from '../model/resource.js';
import type { Vocabulary } from '../query/vocabulary.js';
import type { FetchPage } from '../source/body/page.js';
import { requireReadableRecords } from '../source/body/parse-page-body.js';
import { SourceFailure } from '../source/client/source-failure.js';
import type { SourceParameters } from '../source/dialect/request-url.js';
import { drain } from '../lists/pages/drain.js';
import { pagesByNewsWindow } from '../lists/pages/pages-by-news-window.js';
import { pagesByOffset } from '../lists/pages/pages-by-offset.js';
import type { FindingCounts } from '../source/record/findings.js';
import type { SourceSettings } from '../source/source-settings.js';
import { describeProbeFailure } from './probe-client.js';
import type { ProbeClient, ProbeResponse } from './probe-client.js';
import { ReferenceRecords } from './reference-records.js';

/** Records of one page, out of consideration for an unknown source. */
const MAX_PAGE_SIZE = 1_000;

/** A larger list is not drained: at one request at a time it would take minutes. */
const MAX_PAGES = 100;

/** In place of a check (operation 1.5.2). */
export const TOO_LARGE = 'too large to prove: declare it';

export interface ProbedList {
  readonly client: ProbeClient;
  readonly resource: SourceResource;
  /** The first page of the registered size and, where that was full, a larger one. */
  readonly pages: readonly ProbeResponse[];
  /** No more than the source returned on any page, unless one page has all. */
  readonly pageSize: number;
  /** In the source's own order. */
  readonly reference?: ReferenceRecords;
  /** Why there is no `reference`; empty where there is one. */
  readonly obstacle: string;
  readonly findings: FindingCounts;
}

/** Rejects if the first page fails. */
export async function drainList(client: ProbeClient, resource: SourceResource): Promise<ProbedList> {
  const pages = await readFirstPages(client, resource);
  const received = pages.map(({ page }) => page.receivedCount);
  const largest = Math.max(1, ...received);
  const requested = pages.find(({ page }) => page.receivedCount === largest)?.range.limit ?? largest;
  const options = { pageSize: Math.max(largest, requested), concurrency: 1 };
  const read = { client, resource, pages };
  const fetcher = createPageFetcher(read);
  try {
    const { records, partialReason, findings } = await drain(
      () =>
        resource.pagingWindow < Infinity
          ? pagesByNewsWindow(fetcher, { ...options, order: 'unknown' })
          : pagesByOffset(fetcher({}), options),
      { maxBytes: Infinity, maxRecords: MAX_PAGES * largest },
    );
    const pageSize = largest < records.length ? largest : options.pageSize;
    const obstacle =
      partialReason === 'too-large'
        ? `${TOO_LARGE} (more than ${MAX_PAGES} pages)`
        : partialReason !== undefined
          ? `not drained whole: ${partialReason}`
          : client.isAggregateIncomplete
            ? 'not drained whole: the response of the aggregate was incomplete'
            : describeDuplicateIds(resource, records);
    if (obstacle !== '') return { ...read, pageSize, obstacle, findings };
    const reference = new ReferenceRecords(createVocabulary(client.registration, resource), records);
    return { ...read, pageSize, reference, obstacle, findings };
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    const [first] = pages;
    const obstacle = `not drained whole: ${describeProbeFailure(error)}`;
    return { ...read, pageSize: largest, obstacle, findings: first?.page.findings ?? new Map() };
  }
}

async function readFirstPages(client: ProbeClient, resource: SourceResource): Promise<readonly ProbeResponse[]> {
  const limit = client.registration.pageSize;
  const first = await client.fetchPage(resource, {}, { offset: 0, limit });
  requireReadableRecords(first.page, resource);
  const { receivedCount, total = Infinity } = first.page;
  const larger = Math.min(MAX_PAGE_SIZE, total);
  if (receivedCount !== limit || larger <= limit) return [first];
  const second = await client.tryFetchPage(resource, {}, { offset: 0, limit: larger });
  return 'refused' in second || second.page.receivedCount < limit ? [first] : [first, second];
}

/** A first page is reused once only, because a drain that restarts must see the present state. */
function createPageFetcher({
  client,
  resource,
  pages,
}: Pick<ProbedList, 'client' | 'resource' | 'pages'>): (parameters: SourceParameters) => FetchPage<DraftRecord> {
  const unused = [...pages];
  return (parameters) => async (offset, limit) => {
    const isFirst = offset === 0 && Object.keys(parameters).length === 0;
    const at = isFirst ? unused.findIndex(({ range }) => range.limit === limit) : -1;
    const [response = await client.fetchPage(resource, parameters, { offset, limit })] =
      at < 0 ? [] : unused.splice(at, 1);
    return response.page;
  };
}

/** Of two records with one id Rollcall keeps one (decisions 4.17), so that the source's pages and totals are others. */
function describeDuplicateIds(resource: SourceResource, records: readonly DraftRecord[]): string {
  const position = findPropertyPosition(resource, 'id');
  const ids = records.map((record) => record.valueAt(position)).filter((id) => id !== undefined);
  const isRepeated = resource.idKind === 'integer' && new Set(ids).size < ids.length;
  return isRepeated ? 'not comparable: several records have the same id' : '';
}

function createVocabulary({ provenance }: SourceSettings, resource: SourceResource): Vocabulary {
  const { sourceName, codes, isAggregate } = provenance;
  return { resource, sourceNames: [sourceName], codes, properties: [], aggregate: isAggregate };
}
