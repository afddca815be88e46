import type { Clock } from '../../model/clock.js';
import type { DraftRecord } from '../../model/record.js';
import { findLinkTarget } from '../../headers/link.js';
import type { SourcePage } from '../../source/body/page.js';
import type { ExpectedBody } from '../../source/body/parse-page-body.js';
import { requirePage } from '../../source/body/read-responses.js';
import type { PageResponse } from '../../source/body/source-fetch-types.js';
import type { LinkedList } from '../../source/dialect/dialect.js';
import type { Pages, PagesEnd } from './drain.js';
import type { DrainRequests } from '../reading/drain-requests.js';
import type { PageValidatorRecorder } from '../reading/page-validators.js';
import { doPagesOverlap, findPagingFault } from './paging-faults.js';
import { isOffsetBeyondEnd } from './parameter-refusal-status.js';

/** With what the bodies of its pages contain. */
export interface ReadableList extends LinkedList {
  readonly expected: ExpectedBody;
}

/** What is requested, and what is recorded about it. */
export interface RecordedRequests {
  readonly session: DrainRequests;
  readonly validatorRecorder: PageValidatorRecorder;
  readonly clock: Clock;
}

/** For a page that does not exist: no validators, so that the list is drained again. */
const NO_HEADERS = { header: () => undefined };

/**
 * Each page of a document leads to the next one (decisions 4.27). A page that begins within the one before it ends the
 * list, and is not used.
 */
export async function* pagesByLink(
  list: ReadableList,
  { session, validatorRecorder, clock }: RecordedRequests,
  isFirstPageOnly = false,
): Pages<DraftRecord> {
  const pages: SourcePage<DraftRecord>[] = [];
  const read = new Set<string>();
  const endAs = (kind: 'end' | 'repeats', kept = pages.length): PagesEnd => ({
    kind,
    fault: findPagingFault(list, kind, pages.slice(0, kept)),
  });
  for (let url: URL | undefined = list.firstPage; url !== undefined;) {
    const reply = await requestLinkedPage(list, url, session);
    const now = clock.now();
    if (reply === undefined) {
      validatorRecorder.recordPage(url, NO_HEADERS, { now });
      break;
    }
    const page = withLinkedNext(requirePage(reply), findLinkTarget(reply.header('link') ?? '', 'next'));
    const next = list.nextPage(url, page.document);
    const isLinkedByField = next !== undefined && list.step === undefined && page.document?.next === undefined;
    validatorRecorder.recordPage(url, reply, { now, isLinkedByField });
    const before = pages.at(-1);
    if (before?.fingerprint !== page.fingerprint && doPagesOverlap(list, before?.document, page.document))
      return { kind: 'enough', fault: findPagingFault(list, 'overlaps', pages) };
    pages.push(page);
    const kept = yield { page };
    if (kept !== undefined) return endAs('repeats', kept);
    read.add(url.href);
    if (next !== undefined && read.has(next.href)) return endAs('repeats');
    if (next !== undefined && isFirstPageOnly) return { kind: 'enough' };
    url = next;
  }
  return endAs('end');
}

/** Undefined: there is no such page. */
function requestLinkedPage(list: ReadableList, url: URL, session: DrainRequests): Promise<PageResponse | undefined> {
  return session.request(url, list.expected).catch((error: unknown) => {
    if (url === list.firstPage || list.step === undefined || !isOffsetBeyondEnd(error)) throw error;
    return undefined;
  });
}

function withLinkedNext(page: SourcePage<DraftRecord>, linkedNext: string | undefined): SourcePage<DraftRecord> {
  const { document } = page;
  return document === undefined || linkedNext === undefined ? page : { ...page, document: { ...document, linkedNext } };
}
