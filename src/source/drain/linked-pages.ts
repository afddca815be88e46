import type { SourcePage } from '../body/page.js';
import type { DrainLimits } from './drain-limits.js';
import { MAX_PAGES, MAX_RECORDS } from './page-walk.js';
import type { PageWalkResult } from './page-walk.js';

/** Undefined: there is no such page. */
export type FetchLinkedPage<T> = () => Promise<LinkedPage<T> | undefined>;

/** With the request for the page after it; absent for the last one. */
export interface LinkedPage<T> {
  readonly page: SourcePage<T>;
  readonly fetchNext?: FetchLinkedPage<T> | undefined;
  /** The page names one as the next that was read before. */
  readonly leadsBack: boolean;
}

export interface LinkedWalkOptions extends Pick<DrainLimits, 'maxBytes' | 'maxRecords'> {
  readonly firstPageOnly?: boolean | undefined;
  /** A page begins within the one before it. Then neither it nor those after it are used. */
  readonly overlaps: (before: SourcePage<unknown>, page: SourcePage<unknown>) => boolean;
}

/**
 * Pages that lead from one to the next (decisions 4.27), within the bounds of decisions 5.8. Rejects when a page fails.
 * Ends at a page that equals an earlier one: the source ignores the page's number, or its links form a circle.
 */
export async function walkLinkedPages<T>(
  fetchFirst: FetchLinkedPage<T>,
  { maxBytes, maxRecords, firstPageOnly, overlaps }: LinkedWalkOptions,
): Promise<PageWalkResult<T>> {
  const pages: SourcePage<T>[] = [];
  const fingerprints = new Set<string>();
  let [bytes, records] = [0, 0];
  for (let fetchPage: FetchLinkedPage<T> | undefined = fetchFirst; fetchPage !== undefined;) {
    const linked: LinkedPage<T> | undefined = await fetchPage();
    if (linked === undefined) break;
    const { page } = linked;
    const { fingerprint, receivedCount, document } = page;
    if (document?.entryCount !== 0 && fingerprints.has(fingerprint)) return { pages, endReason: 'repeats' };
    const before = pages.at(-1);
    if (before !== undefined && overlaps(before, page)) return { pages, endReason: 'overlaps' };
    fingerprints.add(fingerprint);
    pages.push(page);
    bytes += page.bytes;
    records += receivedCount;
    if (bytes > maxBytes || records > Math.min(maxRecords, MAX_RECORDS) || pages.length >= MAX_PAGES)
      return { pages, endReason: 'too-large' };
    if (linked.leadsBack) return { pages, endReason: 'repeats' };
    if (firstPageOnly === true && linked.fetchNext !== undefined) return { pages, endReason: 'first-page' };
    fetchPage = linked.fetchNext;
  }
  return { pages, endReason: 'end' };
}
