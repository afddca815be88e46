import type { Clock } from '../model/clock.js';
import type { Draft } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import { pageUrl } from '../source/dialect.js';
import type { Parameters } from '../source/dialect.js';
import { SourceFailure, asFailure, isRefusal } from '../source/failure.js';
import type { PageReply, Transport } from '../source/fetch.js';
import { limiter } from '../source/limit.js';
import type { Page } from '../source/page.js';
import type { Reading } from '../source/read-body.js';
import { pageOf } from '../source/read-replies.js';
import { RecordReader } from '../source/record-reader.js';
import type { Registration } from '../source/registration.js';
import { stack } from '../source/stack.js';
import type { Witness } from '../source/testimony.js';
import { Visit } from '../source/visit.js';
import { writeVia } from '../wire/via.js';
import { Purse, Spent } from './purse.js';

/** What a probe needs to ask a source. */
export interface LineParts {
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
export interface Cut {
  readonly offset: number;
  readonly limit: number;
}

/** A page as it came. */
export interface Answer {
  /** What was asked, as a person reads it. */
  readonly target: string;
  readonly url: URL;
  readonly cut: Cut;
  readonly page: Page<Draft>;
  readonly reply: PageReply;
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
}

/** The source's answer that it will not do what was asked. */
export interface Refusal {
  readonly target: string;
  /** Such as `HTTP status 400`. */
  readonly refused: string;
}

/** Failures in a row after which a source is left alone. */
const PATIENCE = 2;

/** The line of one source as a probe uses it: one request at a time, none of them twice, and a bound on all. */
export class Line {
  readonly registration: Registration;
  readonly clock: Clock;
  private readonly purse: Purse;
  private readonly visit: Visit;
  private failures = 0;
  private stoppedBy: string | undefined;
  private closed = false;

  constructor({ registration, transport, clock, timeout, maxBody, budget, name, signal }: LineParts) {
    this.registration = registration;
    this.clock = clock;
    this.purse = new Purse(budget);
    const fetch = stack({
      transport: this.purse.over(transport),
      clock,
      name,
      house: limiter(1),
      own: limiter(1),
      timeout,
      maxBody,
      breaker: { failures: Number.MAX_SAFE_INTEGER, cooldown: 1, changed: () => undefined },
      retry: { retries: 0, longestWait: 0, random: () => 0 },
      count: () => undefined,
    });
    this.visit = new Visit({ fetch, via: writeVia([name]), signal });
  }

  /** Requests that were sent. */
  get spent(): number {
    return this.purse.spent;
  }

  /** Requests that may still be sent; none to a source that asked for peace or failed twice in a row. */
  get left(): number {
    return this.stoppedBy === undefined ? this.purse.budget - this.purse.spent : 0;
  }

  /** Why nothing more is sent. */
  get ended(): string {
    return this.stoppedBy ?? `the budget of ${this.purse.budget} requests`;
  }

  /**
   * Whether a step of so many requests may begin. Once one does not fit, no later one may: so what a probe asks within a budget is always the beginning of
   * what it asks within a larger one, and more requests never prove less.
   */
  affords(cost: number): boolean {
    if (cost > this.left) this.closed = true;
    return cost === 0 || !this.closed;
  }

  /** Whether an aggregate told of a source of its own that did not give all. */
  get doubtful(): boolean {
    return this.visit.doubtful;
  }

  /** A page. Rejects with a `SourceFailure`, a refusal included. */
  async fetch(resource: Resource, parameters: Parameters, cut: Cut): Promise<Answer> {
    const { bases } = this.registration;
    const url = pageUrl(`${bases[resource.face] ?? ''}/${resource.path}`, cut, parameters);
    const reply = await this.minded(() => this.visit.request(url, this.reading(resource)));
    const page = pageOf(reply);
    return { target: readable(resource, parameters, cut), url, cut, page, reply, at: this.clock.now() };
  }

  /** The same with a refusal as a value. */
  async ask(resource: Resource, parameters: Parameters, cut: Cut): Promise<Answer | Refusal> {
    try {
      return await this.fetch(resource, parameters, cut);
    } catch (error) {
      if (!(error instanceof SourceFailure) || !isRefusal(error)) throw error;
      return { target: readable(resource, parameters, cut), refused: error.message };
    }
  }

  /** Asks for a page if it has changed: undefined where the source says that it has not. */
  async askAgain(witness: Witness, resource: Resource): Promise<Page<Draft> | undefined> {
    const reply = await this.minded(() => this.visit.askAgain(witness, this.reading(resource)));
    return 'notModified' in reply ? undefined : pageOf(reply);
  }

  private reading(resource: Resource): Reading {
    return { reader: new RecordReader(resource, this.registration.provenance), item: false };
  }

  private async minded<T>(request: () => Promise<T>): Promise<T> {
    if (this.left === 0) throw new Spent();
    try {
      const reply = await request();
      this.failures = 0;
      return reply;
    } catch (error) {
      this.mind(asFailure(error));
      throw asFailure(error);
    }
  }

  private mind(failure: SourceFailure): void {
    if (failure instanceof Spent) return;
    this.failures = isRefusal(failure) ? 0 : this.failures + 1;
    const wantsPeace = failure.status === 429 || failure.retryAfter !== undefined;
    if (wantsPeace || this.failures === PATIENCE)
      this.stoppedBy = `a source that no longer answers (${failure.message})`;
  }
}

function readable({ path }: Resource, parameters: Parameters, { offset, limit }: Cut): string {
  const pairs = Object.entries({ ...parameters, limit, offset });
  return `${path}?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`;
}
