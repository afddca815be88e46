import { SourceFailure, asFailure, isRequestRefusal } from './source-failure.js';
import type { Fetch, HttpRequest } from './http-client-types.js';
import { LoopFailure } from './loop-detection.js';
import type { PublishOfSource } from '../../events/event.js';
import type { Clock } from '../../model/clock.js';
import { raceAbort } from './abortable-wait.js';
import { isGivenUp } from './timeout.js';

interface CircuitBreakerOptions {
  /** In a row, to suspend the source. */
  readonly failures: number;
  /** Milliseconds from the suspension to the trial request that decides whether it ends. */
  readonly cooldown: number;
  readonly onChange: (suspended: boolean) => void;
  readonly clock: Clock;
}

/** In milliseconds since 1970. */
export interface Suspension {
  readonly since: number;
  /** From then on a request is sent as a trial. */
  readonly trialFrom: number;
}

/** The request was not sent. `reason` and `status` are those of the failure that suspended the source last. */
export class SuspendedFailure extends SourceFailure {
  constructor({ reason, status }: SourceFailure) {
    super(reason, 'the source is suspended after failures in a row', { status });
    this.name = 'Suspended';
  }
}

/**
 * Suspends a source after failures in a row; after the cooldown one trial request decides (decisions 6.13). A source
 * works, and its series of failures ends, if it refuses a request (HTTP 4xx except 429), if its response leads back to
 * this gateway, or if it is an aggregate that reports that its own sources failed. Requests sent before a suspension do
 * not count.
 *
 * Clients of one source may share a breaker: those of two configurations while one replaces the other (operation 6.2).
 */
export class CircuitBreaker {
  private failuresInRow = 0;
  /** The failure that suspended the source; undefined while it works. */
  private cause: SourceFailure | undefined;
  private times: Suspension | undefined;
  /** By the monotonic clock: a change of the system clock does not prolong a suspension. */
  private trialAt = -Infinity;
  /** Resolves when the trial ends; undefined while there is none. */
  private trial: Promise<void> | undefined;

  constructor(private readonly options: CircuitBreakerOptions) {}

  get isSuspended(): boolean {
    return this.cause !== undefined;
  }

  /** Undefined while the source is not suspended. */
  get suspension(): Suspension | undefined {
    if (this.times === undefined) return undefined;
    const { clock, cooldown } = this.options;
    const now = clock.now();
    // The system clock may have been set back since.
    return { since: Math.min(this.times.since, now), trialFrom: Math.min(this.times.trialFrom, now + cooldown) };
  }

  /** The next request is the trial. */
  endCooldown(): void {
    this.trialAt = -Infinity;
  }

  /**
   * Rejects with a {@link SuspendedFailure} while suspended. A request given up by its signal, even while it waits for
   * another's trial, is no failure; as the trial it leaves the source suspended, for the same reason.
   */
  async send<Reply>(send: () => Promise<Reply>, signal: AbortSignal): Promise<Reply> {
    while (this.cause !== undefined) {
      if (this.trial === undefined) {
        if (performance.now() < this.trialAt) throw new SuspendedFailure(this.cause);
        return this.sendTrial(send, { signal, cause: this.cause });
      }
      await raceAbort(this.trial, signal, () => undefined);
      signal.throwIfAborted();
    }
    const { result, failure } = await observe(send, signal);
    // Only the trial decides about a source that has been suspended meanwhile.
    if (!this.isSuspended) this.count(failure);
    return result;
  }

  private async sendTrial<Reply>(
    send: () => Promise<Reply>,
    { signal, cause }: { readonly signal: AbortSignal; readonly cause: SourceFailure },
  ): Promise<Reply> {
    const observed = observe(send, signal);
    this.trial = observed.then(({ failure }) => {
      this.trial = undefined;
      if (failure !== undefined) this.suspend(failure === 'given-up' ? cause : failure);
      else this.resume();
    });
    await this.trial;
    return (await observed).result;
  }

  private count(failure: RequestFailure | undefined): void {
    if (failure === 'given-up') return;
    this.failuresInRow = failure === undefined ? 0 : this.failuresInRow + 1;
    if (failure !== undefined && this.failuresInRow >= this.options.failures) this.suspend(failure);
  }

  private suspend(cause: SourceFailure): void {
    const { clock, cooldown, onChange } = this.options;
    const wasSuspended = this.isSuspended;
    const now = clock.now();
    this.cause = cause;
    this.times = { since: this.times?.since ?? now, trialFrom: now + cooldown };
    this.trialAt = performance.now() + cooldown;
    // A failed trial request leaves the source suspended, which is not a change.
    if (!wasSuspended) onChange(true);
  }

  private resume(): void {
    this.failuresInRow = 0;
    this.cause = undefined;
    this.times = undefined;
    this.options.onChange(false);
  }
}

export interface CircuitBreakerLookup {
  of(url: URL): CircuitBreaker;
}

/** One for all requests, or one per URL for feeds, which may fail independently (decisions 4.32.4). */
export class CircuitBreakers implements CircuitBreakerLookup {
  private readonly breakers = new Map<string, CircuitBreaker>();

  constructor(
    private readonly scope: 'source' | 'url',
    private readonly options: Omit<CircuitBreakerOptions, 'onChange'> & { readonly publish: PublishOfSource },
  ) {}

  of(url: URL): CircuitBreaker {
    return this.find(this.scope === 'url' ? url.href : undefined);
  }

  /** Of all requests; undefined where each URL has its own breaker. */
  get suspension(): Suspension | undefined {
    return this.scope === 'source' ? this.find(undefined).suspension : undefined;
  }

  /** The next request of each breaker is its trial. */
  endCooldown(): void {
    for (const breaker of this.breakers.values()) breaker.endCooldown();
  }

  /** The source, or any URL of it. */
  get isSuspended(): boolean {
    return [...this.breakers.values()].some((breaker) => breaker.isSuspended);
  }

  private find(url: string | undefined): CircuitBreaker {
    const key = url ?? '';
    const known = this.breakers.get(key) ?? this.create(url);
    this.breakers.set(key, known);
    return known;
  }

  private create(feed: string | undefined): CircuitBreaker {
    const { publish, ...options } = this.options;
    const onChange = (isSuspended: boolean): void => {
      const type = isSuspended ? 'source suspended' : 'source resumed';
      publish({ type, ...(feed !== undefined && { feed }), isSuspended: this.isSuspended });
    };
    return new CircuitBreaker({ ...options, onChange });
  }
}

export function withCircuitBreaker<Reply, Request extends Pick<HttpRequest, 'url'>>(
  next: Fetch<Reply, Request>,
  breakers: CircuitBreakerLookup,
): Fetch<Reply, Request> {
  return (request, signal) => breakers.of(request.url).send(() => next(request, signal), signal);
}

/** `given-up` says nothing about the source. */
type RequestFailure = SourceFailure | 'given-up';

/** `result` settles as the request does; `failure` is absent where the source works. Never rejects. */
async function observe<Reply>(
  send: () => Promise<Reply>,
  signal: AbortSignal,
): Promise<{ readonly result: Promise<Reply>; readonly failure?: RequestFailure }> {
  // A request that cannot be created fails like any other.
  const result = (async () => send())();
  try {
    await result;
    return { result };
  } catch (error) {
    if (isGivenUp(signal)) return { result, failure: 'given-up' };
    const failure = asFailure(error);
    const works = isRequestRefusal(failure) || failure.hasSourceStatus || failure instanceof LoopFailure;
    return works ? { result } : { result, failure };
  }
}
