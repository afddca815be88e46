import type { SourcePage } from '../body/page.js';
import type { DrainLimits } from './drain-limits.js';
import { MAX_PAGES, MAX_RECORDS } from './page-walk.js';
import type { PageWalkResult } from './page-walk.js';

/** Fetches a page and returns it with the request for the page after it; undefined: there is no such page. */
export type FetchLinkedPage<T> = () => Promise<LinkedPage<T> | undefined>;

/** A page, and the request for the page after it. Absent: it is the last one. */
export interface LinkedPage<T> {
  readonly page: SourcePage<T>;
  readonly fetchNext?: FetchLinkedPage<T> | undefined;
}

/**
 * Reads the pages of a list that lead from one to the next (decisions 4.27), within the bounds of (decisions 5.8).
 * Rejects when a page fails. A page that equals an earlier one ends the walk: the source ignores the number of the page,
 * or its links form a circle.
 */
export async function walkLinkedPages<T>(
  fetchFirst: FetchLinkedPage<T>,
  { maxBytes, maxRecords }: Pick<DrainLimits, 'maxBytes' | 'maxRecords'>,
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
    fingerprints.add(fingerprint);
    pages.push(page);
    bytes += page.bytes;
    records += receivedCount;
    if (bytes > maxBytes || records > Math.min(maxRecords, MAX_RECORDS) || pages.length >= MAX_PAGES)
      return { pages, endReason: 'too-large' };
    fetchPage = linked.fetchNext;
  }
  return { pages, endReason: 'end' };
}
