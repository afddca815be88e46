import type { Clock } from '../../model/clock.js';
import type { DraftRecord } from '../../model/record.js';
import type { Resource } from '../../model/resource.js';
import type { OffsetPaging, PageRange } from '../../source/dialect/dialect.js';
import type { SourceParameters } from '../../source/dialect/request-url.js';
import { SourceFailure, asFailure, isRequestRefusal } from '../../source/client/source-failure.js';
import type { PageResponse } from '../../source/body/source-fetch-types.js';
import type { SourcePage } from '../../source/body/page.js';
import { createExpectedBody } from '../../source/body/parse-page-body.js';
import type { ExpectedBody } from '../../source/body/parse-page-body.js';
import { requirePage } from '../../source/body/read-responses.js';
import { RecordReader } from '../../source/record/record-reader.js';
import type { SourceSettings } from '../../source/source-settings.js';
import type { PageValidator } from '../../source/drain/page-validators.js';
import type { DrainRequests } from '../../source/drain/drain-requests.js';
import { createProbeRequests } from './probe-requests.js';
import type { ProbeClientOptions } from './probe-requests.js';
import { RequestBudget, BudgetExhausted } from './request-budget.js';

/** A page as received. */
export interface ProbeResponse {
  /** Path and query in readable form, for the report. */
  readonly target: string;
  readonly url: URL;
  readonly range: PageRange;
  readonly page: SourcePage<DraftRecord>;
  readonly reply: PageResponse;
  /** Time of receipt in milliseconds since 1970. */
  readonly receivedAt: number;
}

/** A request that the source refused. */
export interface RefusedRequest {
  readonly target: string;
  /** Description such as `HTTP status 400`. */
  readonly refused: string;
}

/** Consecutive failures after which no more requests are sent (decisions 5.19). */
const MAX_CONSECUTIVE_FAILURES = 2;

/** HTTP client for probing one source: one request at a time, no retries, and a bounded number of requests. */
export class ProbeClient {
  readonly registration: SourceSettings;
  readonly clock: Clock;
  private readonly requestBudget: RequestBudget;
  private readonly drainRequests: DrainRequests;
  private consecutiveFailures = 0;
  private stopReason: string | undefined;
  private hasDeclinedStep = false;

  constructor(options: ProbeClientOptions) {
    const { registration, clock, budget } = options;
    this.registration = registration;
    this.clock = clock;
    this.requestBudget = new RequestBudget(budget);
    this.drainRequests = createProbeRequests(options, this.requestBudget);
  }

  /** Number of requests sent, redirects included. */
  get requestsSent(): number {
    return this.requestBudget.used;
  }

  /** Number of requests that may still be sent. 0 after a 429, a `Retry-After`, or two consecutive failures. */
  get requestsLeft(): number {
    return this.stopReason === undefined ? this.requestBudget.limit - this.requestBudget.used : 0;
  }

  /** Why no more requests are sent. */
  get exhaustedReason(): string {
    return this.stopReason ?? `beyond the budget of ${this.requestBudget.limit} requests`;
  }

  /**
   * Whether a step with this number of requests may begin. Once a step exceeds the budget, no later step may begin. So
   * the requests within a budget are always a prefix of those within a larger one, and a larger budget never proves
   * less (decisions 5.19).
   */
  hasBudgetFor(cost: number): boolean {
    if (cost > this.requestsLeft) this.hasDeclinedStep = true;
    return cost === 0 || !this.hasDeclinedStep;
  }

  /** Whether an aggregate reported that one of its own sources is incomplete. */
  get isAggregateIncomplete(): boolean {
    return this.drainRequests.hasIncompleteUpstream;
  }

  /** Fetches a page. Rejects with a `SourceFailure`, also for a refused request. */
  async fetchPage(resource: Resource, parameters: SourceParameters, range: PageRange): Promise<ProbeResponse> {
    const url = this.pagingOf(resource).pageUrl(resource, range, parameters);
    const reply = await this.trackFailures(() => this.drainRequests.request(url, this.expectedBodyOf(resource)));
    const page = requirePage(reply);
    return {
      target: formatTarget(resource, parameters, range),
      url,
      range,
      page,
      reply,
      receivedAt: this.clock.now(),
    };
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
      return { target: formatTarget(resource, parameters, range), refused: error.message };
    }
  }

  /** Requests a page conditionally; undefined if the source responds with 304. */
  async revalidatePage(validator: PageValidator, resource: Resource): Promise<SourcePage<DraftRecord> | undefined> {
    const reply = await this.trackFailures(() =>
      this.drainRequests.revalidatePage(validator, this.expectedBodyOf(resource)),
    );
    return 'notModified' in reply ? undefined : requirePage(reply);
  }

  private expectedBodyOf(resource: Resource): ExpectedBody {
    const { listFormat } = this.pagingOf(resource);
    const { provenance, dialects } = this.registration;
    const accept = dialects[resource.interfaceName]?.accept ?? '';
    return createExpectedBody(new RecordReader(resource, provenance), listFormat, accept);
  }

  /** Only a source that evaluates parameters is probed (operation 1.5.1). */
  private pagingOf({ interfaceName }: Resource): OffsetPaging {
    const paging = this.registration.dialects[interfaceName]?.paging;
    if (paging?.kind !== 'offset') throw new Error(`the source does not evaluate parameters`);
    return paging;
  }

  private async trackFailures<T>(request: () => Promise<T>): Promise<T> {
    if (this.requestsLeft === 0) throw new BudgetExhausted();
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
    if (failure instanceof BudgetExhausted) return;
    this.consecutiveFailures = isRequestRefusal(failure) ? 0 : this.consecutiveFailures + 1;
    const isThrottled = failure.status === 429 || failure.retryAfter !== undefined;
    if (isThrottled || this.consecutiveFailures === MAX_CONSECUTIVE_FAILURES)
      this.stopReason = `the probe stopped after a failure of the source (${failure.message})`;
  }
}

function formatTarget({ path }: Resource, parameters: SourceParameters, { offset, limit }: PageRange): string {
  const pairs = Object.entries({ ...parameters, limit, offset });
  return `${path}?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`;
}
