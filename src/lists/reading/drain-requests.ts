import { parseSourceStates } from '../../headers/source-status.js';
import { parseViaNames } from '../../headers/via.js';
import type { TraceSpan } from '../../model/tracer.js';
import { SourceFailure } from '../../source/client/source-failure.js';
import type { PageResponse, SourceFetch, SourceResponse } from '../../source/body/source-fetch-types.js';
import { FindingExampleCollector } from '../../source/record/finding-examples.js';
import type { FindingExamples } from '../../source/record/findings.js';
import type { ExpectedBody } from '../../source/body/parse-page-body.js';
import type { PageValidator } from './page-validators.js';

interface DrainRequestsOptions {
  readonly fetch: SourceFetch;
  /** The name of this gateway, in every request (decisions 5.22). */
  readonly via: string;
  readonly signal: AbortSignal;
  /** Absent: not traced. */
  readonly trace?: TraceSpan | undefined;
}

/** Of one drain or revalidation, with what the responses' header fields report. */
export class DrainRequests {
  private names: Set<string> | undefined;
  /** An aggregate reported a source of its own that is neither `fresh` nor `excluded` (decisions 5.21). */
  hasIncompleteUpstream = false;
  private readonly exampleCollector = new FindingExampleCollector();

  /** `preloaded`: responses by URL, each used once, so that a drain that restarts requests the page again. */
  constructor(
    private readonly options: DrainRequestsOptions,
    private readonly preloaded?: Map<string, PageResponse>,
  ) {}

  /** Gateways behind the responses. */
  get via(): ReadonlySet<string> {
    return this.names ?? NO_NAMES;
  }

  get findingExamples(): FindingExamples {
    return this.exampleCollector.examples;
  }

  /** Rejects on a 304, because the request is unconditional (decisions 6.14). */
  async request(url: URL, expected: ExpectedBody): Promise<PageResponse> {
    const preloadedReply = this.preloaded?.get(url.href);
    this.preloaded?.delete(url.href);
    if (preloadedReply !== undefined) return this.recordResponse(preloadedReply);
    const reply = await this.send(url, expected);
    if ('notModified' in reply)
      throw new SourceFailure('status', 'HTTP status 304 to an unconditional request', { status: 304 });
    return reply;
  }

  revalidatePage({ url, condition }: PageValidator, expected: ExpectedBody): Promise<SourceResponse> {
    return this.send(url, expected, condition);
  }

  private send(url: URL, expected: ExpectedBody, condition?: PageValidator['condition']): Promise<SourceResponse> {
    const { fetch, via, signal, trace } = this.options;
    const headers = { via, prefer: PREFER_LENIENT, accept: expected.accept, ...condition };
    return fetch({ url, headers, expected, trace }, signal).then(
      (reply) => this.recordResponse(reply),
      (error: unknown) => {
        // Error responses carry `Via` too, such as that of a missing item.
        if (error instanceof SourceFailure) this.recordNames(error.via);
        throw error;
      },
    );
  }

  private recordNames(names: readonly string[] = []): void {
    for (const name of names) (this.names ??= new Set()).add(name);
  }

  private recordResponse<Reply extends SourceResponse>(reply: Reply): Reply {
    this.recordNames(parseViaNames(reply.header('via')));
    this.hasIncompleteUpstream ||= parseSourceStates(reply.header('source-status')).some(
      (state) => !COMPLETE_STATES.has(state),
    );
    if ('pageOrFailure' in reply && !(reply.pageOrFailure instanceof SourceFailure))
      this.exampleCollector.addAll(reply.pageOrFailure.findingExamples);
    return reply;
  }
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Lets an aggregate with failed sources and no match send an incomplete list, not an error (decisions 6.7). */
const PREFER_LENIENT = 'handling=lenient';

/** They leave an aggregate's response complete. */
const COMPLETE_STATES: ReadonlySet<string> = new Set(['fresh', 'excluded']);
