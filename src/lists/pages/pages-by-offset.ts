import { MISSING_PAGE } from '../../source/body/page.js';
import type { FetchPage, SourcePage } from '../../source/body/page.js';
import { MAX_PAGES } from './drain.js';
import type { Pages, PagesEnd } from './drain.js';
import { isOffsetBeyondEnd, isParameterRefusal } from './parameter-refusal-status.js';

/** For a source that ignores `offset` and reports no usable total (decisions 5.6). */
const SINGLE_PAGE_LIMIT = 10_000;

export interface OffsetPagesOptions {
  /** `limit`. */
  readonly pageSize: number;
  /** Of requests, once the total and the effective page size are known. */
  readonly concurrency: number;
  /** Of the record at an offset, if it exists. Absent: all are. */
  readonly isWanted?: (offset: number) => boolean;
}

/**
 * Advances by records received (decisions 5.5): `concurrency` requests at a time while pages are as the first one and
 * its total let expect, else one by one until an empty page, whatever the total is: a source whose pages deviate may
 * count wrongly too.
 */
export async function* pagesByOffset<T>(fetchPage: FetchPage<T>, options: OffsetPagesOptions): Pages<T> {
  const { pageSize, isWanted = () => true } = options;
  const first = await fetchPage(0, pageSize);
  let [page, received, isLimitIgnored] = [first, 0, false];
  let ahead: AsyncGenerator<SourcePage<T>, void> | undefined;
  const fetchAt = (offset: number): Promise<SourcePage<T>> =>
    fetchPage(offset, pageSize).catch((error: unknown) => {
      if (isBeyondEnd(offset, page.total, error)) return MISSING_PAGE;
      throw error;
    });
  const endAs = (end: PagesEnd<T>): PagesEnd<T> =>
    isLimitIgnored ? { ...end, findings: [...(end.findings ?? []), 'limit-ignored'] } : end;
  try {
    do {
      const offset = received;
      const kept = yield { page };
      if (kept !== undefined)
        return endAs(kept > 1 ? { kind: 'repeats' } : yield* pageWithoutOffset(first, fetchPage, pageSize));
      received += page.receivedCount;
      isLimitIgnored ||= page.receivedCount > pageSize;
      if (received === 0) break;
      if (page === first) {
        const offsets = expectOffsets(first, options);
        if (offsets !== undefined && offsets.length >= MAX_PAGES) return { kind: 'too-large' };
        ahead = offsets && fetchAhead(offsets, options.concurrency, fetchAt);
      } else if (!isAsExpected(page, first, offset)) {
        await ahead?.return();
        ahead = undefined;
      }
      const next = await ahead?.next();
      if (next?.done === true && received === first.total) break;
      if (next?.done !== false && !isWanted(received)) return endAs({ kind: 'enough' });
      page = next?.done === false ? next.value : await fetchAt(received);
    } while (page.receivedCount > 0);
    return endAs({ kind: 'end' });
  } finally {
    await ahead?.return();
  }
}

/** Of all further pages, ascending; undefined if the first page does not show what to expect. */
function expectOffsets<T>(
  { receivedCount: step, total, limit }: SourcePage<T>,
  { pageSize, isWanted = () => true }: OffsetPagesOptions,
): readonly number[] | undefined {
  if (total === undefined || step > total || step > pageSize) return undefined;
  // If the last page is as long as the first one, the page after the total is requested too: it reveals a total that
  // counts only the page, or is too low; not if the envelope shows that the first page had room for more.
  const showsEnd = total % step > 0 || (limit !== undefined && step < limit);
  const last = showsEnd ? total - 1 : total;
  const offsets: number[] = [];
  for (let offset = step; offset <= last && (offset === total || isWanted(offset)); offset += step)
    offsets.push(offset);
  return offsets;
}

/** It has the expected number of records and is not the first page again. */
function isAsExpected<T>(page: SourcePage<T>, first: SourcePage<T>, offset: number): boolean {
  const expected = Math.min(first.receivedCount, (first.total ?? 0) - offset);
  return page.receivedCount === expected && page.fingerprint !== first.fingerprint;
}

/** In order, `concurrency` requests at a time. */
async function* fetchAhead<T>(
  offsets: readonly number[],
  concurrency: number,
  fetchAt: (offset: number) => Promise<SourcePage<T>>,
): AsyncGenerator<SourcePage<T>, void> {
  const requests: Promise<SourcePage<T>>[] = [];
  const waiting = offsets[Symbol.iterator]();
  for (;;) {
    while (requests.length < concurrency) {
      const { value: offset, done } = waiting.next();
      if (done === true) break;
      const request = fetchAt(offset);
      // Nobody may wait for it any more.
      request.catch(() => undefined);
      requests.push(request);
    }
    const request = requests.shift();
    if (request === undefined) return;
    yield await request;
  }
}

/**
 * Sources need not accept a request after the total (decision record 0002). Without a total, only 404 and 416 mean the
 * end; other statuses may refuse an offset that is too large.
 */
function isBeyondEnd(offset: number, total: number | undefined, error: unknown): boolean {
  return total === undefined ? isOffsetBeyondEnd(error) : offset >= total && isParameterRefusal(error);
}

/**
 * For a source that ignores `offset`, in one page, with `limit` set to the total: works if the source ignores `limit`
 * too, or grants a larger one. If the longer page reports another total, the totals count only the records of a page.
 */
async function* pageWithoutOffset<T>(first: SourcePage<T>, fetchPage: FetchPage<T>, pageSize: number): Pages<T> {
  const { receivedCount: received, total } = first;
  const findings = ['offset-ignored'] as const;
  // A page of exactly the requested length may be cut off, and its total may count only this page.
  if (total !== undefined && received >= total && received !== pageSize) return { kind: 'end', findings };
  if (total === undefined && (await ignoresLimit(first, fetchPage, pageSize))) return { kind: 'enough', findings };
  const longer = total === undefined || total <= received ? SINGLE_PAGE_LIMIT : total;
  const large = await fetchPage(0, longer).catch((failure: unknown) => {
    if (isParameterRefusal(failure)) return undefined;
    throw failure;
  });
  const page = large !== undefined && large.receivedCount > received ? large : first;
  if (page !== first) yield { page, begins: 'anew' };
  const isWhole =
    total !== undefined && page.receivedCount >= total && large !== undefined && (large.total ?? total) === total;
  return { kind: 'enough', findings, ...(!isWhole && { partialReason: 'offset' }) };
}

async function ignoresLimit<T>(first: SourcePage<T>, fetchPage: FetchPage<T>, pageSize: number): Promise<boolean> {
  if (first.receivedCount > pageSize) return true;
  if (first.receivedCount === 1) return pageSize > 1;
  const shorter = await fetchPage(0, first.receivedCount - 1);
  return shorter.receivedCount === first.receivedCount;
}
