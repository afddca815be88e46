import type { Clock } from '../../model/clock.js';
import type { PartialReason } from '../../model/outcome.js';
import type { DraftRecord } from '../../model/record.js';
import { requirePage } from '../body/read-responses.js';
import type { ExpectedBody } from '../body/parse-page-body.js';
import type { LinkedList } from '../dialect/dialect.js';
import { concatenateJoinedEntries } from '../dialect/document/joined-entries.js';
import type { JoinedEntries } from '../dialect/raw-page.js';
import type { DrainResult } from '../record/drain-result.js';
import { FindingCounter } from '../record/findings.js';
import { drainLinkedPages } from './drain.js';
import type { DrainLimits } from './drain-limits.js';
import type { DrainRequests } from './drain-requests.js';
import { walkLinkedPages } from './linked-pages.js';
import type { LinkedPage } from './linked-pages.js';
import { isOffsetBeyondEnd } from './parameter-refusal-status.js';
import type { PageValidatorRecorder } from './page-validators.js';

/** A list, and what the bodies of its pages contain. */
export interface ReadableList extends LinkedList {
  readonly expected: ExpectedBody;
}

/** The lists of a published document to be drained. */
export interface LinkedDrain {
  readonly list: ReadableList;
  /** The second list, whose entries are added to those of `list`. */
  readonly joined: ReadableList | undefined;
  readonly limits: DrainLimits;
}

/** Stands for the response to a page that does not exist: it has no validators, so that the list is drained again. */
const NO_HEADERS = { header: () => undefined };

/** Drains the lists of a published document (decisions 4.27). */
export class LinkedListFetcher {
  constructor(
    private readonly context: { readonly session: DrainRequests; readonly validatorRecorder: PageValidatorRecorder },
    private readonly clock: Clock,
  ) {}

  /** Fetches all records. Rejects when a page of either list fails. */
  async drain({ list, joined, limits }: LinkedDrain): Promise<DrainResult<DraftRecord>> {
    if (joined === undefined) return withEmptyExpressions(await this.drainList(list, limits));
    const entries = await this.fetchJoined(joined, limits);
    if (entries.partialReason === 'too-large') return { ...NOTHING, ...entries };
    const expected = { ...list.expected, joined: entries.joined };
    const remaining = { ...limits, maxBytes: limits.maxBytes - entries.bytes };
    const drained = await this.drainList({ ...list, expected }, remaining);
    const partialReason = drained.partialReason ?? entries.partialReason;
    const bytes = drained.bytes + entries.bytes;
    return withEmptyExpressions({ ...drained, bytes, ...(partialReason && { partialReason }) });
  }

  private drainList(list: ReadableList, limits: DrainLimits): Promise<DrainResult<DraftRecord>> {
    return drainLinkedPages(() => this.fetchPage(list, list.firstPage), limits);
  }

  private async fetchJoined(
    list: ReadableList,
    limits: DrainLimits,
  ): Promise<{ readonly joined: JoinedEntries; readonly bytes: number; readonly partialReason?: PartialReason }> {
    const { pages, endReason } = await walkLinkedPages(() => this.fetchPage(list, list.firstPage), limits);
    const joined = concatenateJoinedEntries(pages.flatMap(({ document }) => document?.joined ?? []));
    const bytes = pages.reduce((sum, page) => sum + page.bytes, 0);
    const reasons = { end: undefined, repeats: 'offset', 'too-large': 'too-large' } as const;
    const partialReason = reasons[endReason];
    return { joined, bytes, ...(partialReason && { partialReason }) };
  }

  private async fetchPage(list: ReadableList, url: URL): Promise<LinkedPage<DraftRecord> | undefined> {
    const { session, validatorRecorder } = this.context;
    const reply = await session.request(url, list.expected).catch((error: unknown) => {
      if (url === list.firstPage || !list.isCounted || !isOffsetBeyondEnd(error)) throw error;
      return undefined;
    });
    validatorRecorder.recordPage(url, reply ?? NO_HEADERS, { now: this.clock.now() });
    if (reply === undefined) return undefined;
    const page = requirePage(reply);
    const next = list.nextPage(url, page.document);
    return { page, fetchNext: next && (() => this.fetchPage(list, next)) };
  }
}

const NOTHING: DrainResult<never> = { records: [], receivedCount: 0, bytes: 0, findings: new Map() };

/** Counts each expression that gave a value for no record: its property may have another name by now. */
function withEmptyExpressions(drained: DrainResult<DraftRecord>): DrainResult<DraftRecord> {
  const { expressions, receivedCount, findings } = drained;
  if (expressions === undefined || receivedCount === 0) return drained;
  const counter = new FindingCounter();
  counter.addAll(findings);
  for (const [property, count] of expressions.valueCounts) if (count === 0) counter.add(property, 'expression-empty');
  return { ...drained, findings: counter.findings };
}
