import type { Clock } from '../../model/clock.js';
import type { PartialReason } from '../../model/reasons.js';
import type { DraftRecord } from '../../model/record.js';
import { findLinkTarget } from '../../headers/link.js';
import type { SourcePage } from '../body/page.js';
import { requirePage } from '../body/read-responses.js';
import type { ExpectedBody } from '../body/parse-page-body.js';
import type { LinkedList } from '../dialect/dialect.js';
import { concatenateJoinedEntries } from '../dialect/document/joined-entries.js';
import type { JoinedEntries } from '../dialect/raw-page.js';
import type { DrainResult } from '../record/drain-result.js';
import { FindingCounter } from '../record/findings.js';
import { drainLinkedPages, withPagingFault } from './drain.js';
import type { DrainLimits } from './drain-limits.js';
import type { DrainRequests } from './drain-requests.js';
import { walkLinkedPages } from './linked-pages.js';
import type { LinkedPage, LinkedWalkOptions } from './linked-pages.js';
import { doPagesOverlap, findPagingFault } from './paging-faults.js';
import type { PagingFault } from './paging-faults.js';
import { isOffsetBeyondEnd } from './parameter-refusal-status.js';
import type { PageValidatorRecorder } from './page-validators.js';

/** With what the bodies of its pages contain. */
export interface ReadableList extends LinkedList {
  readonly expected: ExpectedBody;
}

/** Of a published document. */
interface LinkedDrain {
  readonly list: ReadableList;
  /** Its entries are added to those of `list`. */
  readonly joined: ReadableList | undefined;
  readonly limits: DrainLimits;
  /** Of `list`. Absent: all pages. */
  readonly firstPageOnly?: boolean;
}

/** For a page that does not exist: no validators, so that the list is drained again. */
const NO_HEADERS = { header: () => undefined };

/** Decisions 4.27. */
export class LinkedListFetcher {
  constructor(
    private readonly context: { readonly session: DrainRequests; readonly validatorRecorder: PageValidatorRecorder },
    private readonly clock: Clock,
  ) {}

  /** Rejects when a page of either list fails. */
  async drain({ list, joined, limits, firstPageOnly }: LinkedDrain): Promise<DrainResult<DraftRecord>> {
    if (joined === undefined) return withEmptyExpressions(await this.drainList(list, { ...limits, firstPageOnly }));
    const entries = await this.fetchJoined(joined, limits);
    if (entries.partialReason === 'too-large') return { ...NOTHING, bytes: entries.bytes, partialReason: 'too-large' };
    const expected = { ...list.expected, joined: entries.joined };
    const remaining = { ...limits, maxBytes: limits.maxBytes - entries.bytes, firstPageOnly };
    const drained = withPagingFault(await this.drainList({ ...list, expected }, remaining), entries.fault);
    const partialReason = drained.partialReason ?? entries.partialReason;
    const bytes = drained.bytes + entries.bytes;
    return withEmptyExpressions({ ...drained, bytes, ...(partialReason && { partialReason }) });
  }

  private drainList(list: ReadableList, options: LinkedListOptions): Promise<DrainResult<DraftRecord>> {
    return drainLinkedPages(
      () => this.fetchPage(list, list.firstPage),
      walkOptions(list, options),
      (walked) => findPagingFault(list, walked),
    );
  }

  private async fetchJoined(list: ReadableList, limits: DrainLimits): Promise<JoinedList> {
    const walked = await walkLinkedPages(() => this.fetchPage(list, list.firstPage), walkOptions(list, limits));
    const { pages, endReason } = walked;
    const joined = concatenateJoinedEntries(pages.flatMap(({ document }) => document?.joined ?? []));
    const bytes = pages.reduce((sum, page) => sum + page.bytes, 0);
    const partialReason = endReason === 'repeats' ? 'offset' : endReason === 'too-large' ? 'too-large' : undefined;
    const fault = findPagingFault(list, walked);
    return { joined, bytes, partialReason, fault: fault && { ...fault, detail: `second document: ${fault.detail}` } };
  }

  /** `read`: the addresses of this walk. */
  private async fetchPage(
    list: ReadableList,
    url: URL,
    read = new Set<string>(),
  ): Promise<LinkedPage<DraftRecord> | undefined> {
    const { session, validatorRecorder } = this.context;
    const reply = await session.request(url, list.expected).catch((error: unknown) => {
      if (url === list.firstPage || list.step === undefined || !isOffsetBeyondEnd(error)) throw error;
      return undefined;
    });
    const now = this.clock.now();
    if (reply === undefined) {
      validatorRecorder.recordPage(url, NO_HEADERS, { now });
      return undefined;
    }
    const page = withLinkedNext(requirePage(reply), findLinkTarget(reply.header('link') ?? '', 'next'));
    const next = list.nextPage(url, page.document);
    const isLinkedByField = next !== undefined && list.step === undefined && page.document?.next === undefined;
    validatorRecorder.recordPage(url, reply, { now, isLinkedByField });
    read.add(url.href);
    if (next !== undefined && read.has(next.href)) return { page, leadsBack: true };
    return { page, leadsBack: false, fetchNext: next && (() => this.fetchPage(list, next, read)) };
  }
}

interface JoinedList {
  readonly joined: JoinedEntries;
  readonly bytes: number;
  readonly partialReason: PartialReason | undefined;
  readonly fault: PagingFault | undefined;
}

type LinkedListOptions = Pick<LinkedWalkOptions, 'maxBytes' | 'maxRecords' | 'firstPageOnly'>;

function walkOptions(list: ReadableList, options: LinkedListOptions): LinkedWalkOptions {
  return { ...options, overlaps: (before, page) => doPagesOverlap(list, before.document, page.document) };
}

function withLinkedNext(page: SourcePage<DraftRecord>, linkedNext: string | undefined): SourcePage<DraftRecord> {
  const { document } = page;
  return document === undefined || linkedNext === undefined ? page : { ...page, document: { ...document, linkedNext } };
}

const NOTHING: DrainResult<never> = { records: [], receivedCount: 0, bytes: 0, findings: new Map() };

/** Counts expressions that gave no value for any record: their properties may have other names by now. */
function withEmptyExpressions(drained: DrainResult<DraftRecord>): DrainResult<DraftRecord> {
  const { expressions, receivedCount, findings } = drained;
  if (expressions === undefined || receivedCount === 0) return drained;
  const counter = new FindingCounter();
  counter.addAll(findings);
  for (const [property, count] of expressions.valueCounts) if (count === 0) counter.add(property, 'expression-empty');
  return { ...drained, findings: counter.findings };
}
