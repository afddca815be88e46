import type { Clock } from '../../model/clock.js';
import type { DraftRecord } from '../../model/record.js';
import type { Resource } from '../../model/resource.js';
import { buildPageUrl } from '../../source/dialect/request-url.js';
import type { SourceParameters } from '../../source/dialect/request-url.js';
import { SourceFailure, asFailure, isRequestRefusal } from '../../source/client/source-failure.js';
import type { PageResponse } from '../../source/body/source-fetch.js';
import type { Transport } from '../../source/client/fetch.js';
import { createLimiter } from '../../source/client/concurrency-limit.js';
import type { SourcePage } from '../../source/body/page.js';
import type { ExpectedBody } from '../../source/body/read-body.js';
import { requirePage } from '../../source/body/read-responses.js';
import { RecordReader } from '../../source/record/record-reader.js';
import type { Registration } from '../../source/registration.js';
import { createSourceClient } from '../../source/source-client.js';
import type { PageValidator } from '../../source/drain/page-validators.js';
import { RequestSession } from '../../source/drain/request-session.js';
import { serializeVia } from '../../headers/via.js';
import { RequestBudget, BudgetExhausted } from './request-budget.js';

/** What a probe needs to ask a source. */
export interface ProbeClientOptions {
  readonly registration: Registration;
  readonly transport: Transport;
  readonly clock: Clock;
  /** Milliseconds for one request. */
  readonly timeout: number;
  /** Decoded bytes of a body. */
  readonly maxBody: number;
  /** Requests at most. */
  readonly budget: number;
  /** This gateway's name in Via. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/** Where a page begins, and how many records it is to have. */
export interface PageRange {
  readonly offset: number;
  readonly limit: number;
}

/** A page as it came. */
export interface ProbeResponse {
  /** What was asked, as a person reads it. */
  readonly target: string;
  readonly url: URL;
  readonly range: PageRange;
  readonly page: SourcePage<DraftRecord>;
  readonly reply: PageResponse;
  /** When it came, in milliseconds since 1970. */
  readonly receivedAt: number;
}

/** The source's answer that it will not do what was asked. */
export interface RefusedRequest {
  readonly target: string;
  /** Such as `HTTP status 400`. */
  readonly refused: string;
}

/** Failures in a row after which a source is left alone. */
const MAX_CONSECUTIVE_FAILURES = 2;

/** The line of one source as a probe uses it: one request at a time, none of them twice, and a bound on all. */
export class ProbeClient {
  readonly registration: Registration;
  readonly clock: Clock;
  private readonly requestBudget: RequestBudget;
  private readonly visit: RequestSession;
  private consecutiveFailures = 0;
  private stopReason: string | undefined;
  private hasDeclinedStep = false;

  constructor({ registration, transport, clock, timeout, maxBody, budget, name, signal }: ProbeClientOptions) {
    this.registration = registration;
    this.clock = clock;
    this.requestBudget = new RequestBudget(budget);
    const fetch = createSourceClient({
      transport: this.requestBudget.limitTransport(transport),
      clock,
      gatewayName: name,
      sharedLimit: createLimiter(1),
      sourceLimit: createLimiter(1),
      timeout,
      maxBody,
      breaker: { failures: Number.MAX_SAFE_INTEGER, cooldown: 1, onChange: () => undefined },
      retry: { retries: 0, maxDelay: 0, random: () => 0 },
      onResult: () => undefined,
    });
    this.visit = new RequestSession({ fetch, via: serializeVia([name]), signal });
  }

  /** Requests that were sent. */
  get requestsSent(): number {
    return this.requestBudget.used;
  }

  /** Requests that may still be sent; none to a source that asked for peace or failed twice in a row. */
  get requestsLeft(): number {
    return this.stopReason === undefined ? this.requestBudget.limit - this.requestBudget.used : 0;
  }

  /** Why nothing more is sent. */
  get exhaustedReason(): string {
    return this.stopReason ?? `the budget of ${this.requestBudget.limit} requests`;
  }

  /**
   * Whether a step of so many requests may begin. Once one does not fit, no later one may: so what a probe asks within a budget is always the beginning of
   * what it asks within a larger one, and more requests never prove less.
   */
  hasBudgetFor(cost: number): boolean {
    if (cost > this.requestsLeft) this.hasDeclinedStep = true;
    return cost === 0 || !this.hasDeclinedStep;
  }

  /** Whether an aggregate told of a source of its own that did not give all. */
  get isAggregateIncomplete(): boolean {
    return this.visit.hasIncompleteUpstream;
  }

  /** A page. Rejects with a `SourceFailure`, a refusal included. */
  async fetchPage(resource: Resource, parameters: SourceParameters, cut: PageRange): Promise<ProbeResponse> {
    const { baseUrls: bases } = this.registration;
    const url = buildPageUrl(`${bases[resource.interfaceName] ?? ''}/${resource.path}`, cut, parameters);
    const reply = await this.trackFailures(() => this.visit.request(url, this.readingFor(resource)));
    const page = requirePage(reply);
    return {
      target: formatTarget(resource, parameters, cut),
      url,
      range: cut,
      page,
      reply,
      receivedAt: this.clock.now(),
    };
  }

  /** The same with a refusal as a value. */
  async tryFetchPage(
    resource: Resource,
    parameters: SourceParameters,
    cut: PageRange,
  ): Promise<ProbeResponse | RefusedRequest> {
    try {
      return await this.fetchPage(resource, parameters, cut);
    } catch (error) {
      if (!(error instanceof SourceFailure) || !isRequestRefusal(error)) throw error;
      return { target: formatTarget(resource, parameters, cut), refused: error.message };
    }
  }

  /** Asks for a page if it has changed: undefined where the source says that it has not. */
  async revalidatePage(witness: PageValidator, resource: Resource): Promise<SourcePage<DraftRecord> | undefined> {
    const reply = await this.trackFailures(() => this.visit.revalidatePage(witness, this.readingFor(resource)));
    return 'notModified' in reply ? undefined : requirePage(reply);
  }

  private readingFor(resource: Resource): ExpectedBody {
    return { recordReader: new RecordReader(resource, this.registration.provenance), isItem: false };
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
    const wantsPeace = failure.status === 429 || failure.retryAfter !== undefined;
    if (wantsPeace || this.consecutiveFailures === MAX_CONSECUTIVE_FAILURES)
      this.stopReason = `a source that no longer answers (${failure.message})`;
  }
}

function formatTarget({ path }: Resource, parameters: SourceParameters, { offset, limit }: PageRange): string {
  const pairs = Object.entries({ ...parameters, limit, offset });
  return `${path}?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`;
}
