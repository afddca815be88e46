import type { DraftRecord } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import { createExpectedBody } from '../source/body/parse-page-body.js';
import type { ExpectedBody } from '../source/body/parse-page-body.js';
import type { SourcePage } from '../source/body/page.js';
import { requirePage } from '../source/body/read-responses.js';
import type { PageResponse } from '../source/body/source-fetch-types.js';
import { createConditionalHeaders } from '../source/client/conditional-request.js';
import { SourceFailure, asFailure, isRequestRefusal } from '../source/client/source-failure.js';
import type { OffsetPaging, PageRange } from '../source/dialect/dialect.js';
import type { SourceParameters } from '../source/dialect/request-url.js';
import type { DrainRequests } from '../lists/reading/drain-requests.js';
import { RecordReader } from '../source/record/record-reader.js';
import { createExaminationRequests } from '../lists/reading/examination-requests.js';
import type { ExaminationOptions } from '../lists/reading/examination-requests.js';
import type { SourceSettings } from '../source/source-settings.js';

export interface ProbeResponse {
  readonly url: URL;
  readonly range: PageRange;
  readonly page: SourcePage<DraftRecord>;
  readonly reply: PageResponse;
}

interface RefusedRequest {
  readonly refused: string;
}

/** No more requests are sent after these failures (decisions 5.19). */
const MAX_CONSECUTIVE_FAILURES = 2;

/** A request was not sent because the probe has stopped. */
export class ProbeStopped extends SourceFailure {
  constructor(reason: string) {
    super('internal', reason);
    this.name = 'ProbeStopped';
  }
}

/** For a request that failed, or that was not sent. */
export function describeProbeFailure(failure: SourceFailure): string {
  return `${failure instanceof ProbeStopped ? 'not requested' : 'request failed'}: ${failure.message}`;
}

/** Redirects included. */
export class CountedRequests {
  count = 0;
  readonly requests: DrainRequests;

  constructor(options: ExaminationOptions) {
    this.requests = createExaminationRequests(options, (next) => (request, signal) => {
      this.count += 1;
      return next(request, signal);
    });
  }
}

/** One request at a time, without retries. */
export class ProbeClient {
  readonly registration: SourceSettings;
  private readonly counted: CountedRequests;
  private consecutiveFailures = 0;
  private stopReason: string | undefined;

  constructor(options: ExaminationOptions) {
    this.registration = options.registration;
    this.counted = new CountedRequests(options);
  }

  get requestsSent(): number {
    return this.counted.count;
  }

  /** An aggregate reported that one of its own sources is incomplete. */
  get isAggregateIncomplete(): boolean {
    return this.counted.requests.hasIncompleteUpstream;
  }

  /** Rejects with a `SourceFailure`, also for a refused request. */
  async fetchPage(resource: Resource, parameters: SourceParameters, range: PageRange): Promise<ProbeResponse> {
    const url = this.pagingOf(resource).pageUrl(resource, range, parameters);
    const reply = await this.send(() => this.counted.requests.request(url, this.expectedBodyOf(resource)));
    return { url, range, page: requirePage(reply), reply };
  }

  /** As `fetchPage`, but a refusal is returned as a value. */
  async tryFetchPage(
    resource: Resource,
    parameters: SourceParameters,
    range: PageRange,
  ): Promise<ProbeResponse | RefusedRequest> {
    try {
      return await this.fetchPage(resource, parameters, range);
    } catch (error) {
      if (!(error instanceof SourceFailure) || !isRequestRefusal(error)) throw error;
      return { refused: error.message };
    }
  }

  /** Returns the name of the condition and the page, which a 304 does not have. */
  async revalidate(
    { url, reply }: ProbeResponse,
    resource: Resource,
  ): Promise<{ readonly condition: string; readonly page?: SourcePage<DraftRecord> } | undefined> {
    const condition = createConditionalHeaders(reply, reply.readAt);
    if (condition === undefined) return undefined;
    const validator = { url, condition, freshnessLifetime: Infinity };
    const second = await this.send(() =>
      this.counted.requests.revalidatePage(validator, this.expectedBodyOf(resource)),
    );
    const names = Object.keys(condition).join();
    return 'notModified' in second ? { condition: names } : { condition: names, page: requirePage(second) };
  }

  private expectedBodyOf(resource: Resource): ExpectedBody {
    const { provenance, dialects } = this.registration;
    const accept = dialects[resource.interfaceName]?.accept ?? '';
    return createExpectedBody(new RecordReader(resource, provenance), this.pagingOf(resource).listFormat, accept);
  }

  /** Only a source that evaluates parameters is probed (operation 1.5.1). */
  private pagingOf({ interfaceName }: Resource): OffsetPaging {
    const paging = this.registration.dialects[interfaceName]?.paging;
    if (paging?.kind !== 'offset') throw new Error('the source does not evaluate parameters');
    return paging;
  }

  private async send<T>(request: () => Promise<T>): Promise<T> {
    if (this.stopReason !== undefined) throw new ProbeStopped(this.stopReason);
    try {
      const reply = await request();
      this.consecutiveFailures = 0;
      return reply;
    } catch (error) {
      this.recordFailure(asFailure(error));
      throw asFailure(error);
    }
  }

  private recordFailure(failure: SourceFailure): void {
    this.consecutiveFailures = isRequestRefusal(failure) ? 0 : this.consecutiveFailures + 1;
    const isThrottled = failure.status === 429 || failure.retryAfter !== undefined;
    if (isThrottled || this.consecutiveFailures === MAX_CONSECUTIVE_FAILURES)
      this.stopReason = `the probe stopped after a failure of the source (${failure.message})`;
  }
}
