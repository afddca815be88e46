import { SourceFailure, asFailure, isRequestRefusal } from './source-failure.js';
import type { Fetch, HttpRequest } from './http-client-types.js';
import { LoopFailure } from './loop-detection.js';
import type { Clock } from '../../model/clock.js';
import { raceAbort } from './abortable-wait.js';
import { isGivenUp } from './timeout.js';

/** When a source is suspended, and for how long. */
export interface CircuitBreakerOptions {
  /** Number of failures in a row that suspend the source. */
  readonly failures: number;
  /** Milliseconds between the suspension and the trial request that decides whether it ends. */
  readonly cooldown: number;
  /** Called when the source is suspended and when the suspension ends, to inform the operator. */
  readonly onChange: (suspended: boolean) => void;
  readonly clock: Clock;
}

/** A suspension of a source. Times are in milliseconds since 1970. */
export interface Suspension {
  readonly since: number;
  /** From this time on, a request is sent as a trial. */
  readonly trialFrom: number;
}

/**
 * Failure of a request that was not sent because its source is suspended. `reason` and `status` are those of the last
 * failure that suspended it.
 */
export class SuspendedFailure extends SourceFailure {
  constructor({ reason, status }: SourceFailure) {
    super(reason, 'the source is suspended after failures in a row', { status });
    this.name = 'Suspended';
  }
}

/**
 * Suspends a source after failures in a row (decisions 6.13). No request is sent to a suspended source; after the
 * cooldown, one trial request decides. A source works if it refuses a request (HTTP 4xx except 429), if its response
 * leads back to this gateway, or if it is an aggregate that reports that its own sources failed. These responses end a
 * series of failures. Once the source is suspended, requests that were sent before do not count.
 *
 * Clients of one source may share a breaker: those of two configurations while one replaces the other (operation 6.2).
 */
export class CircuitBreaker {
  private failuresInRow = 0;
  /** The failure that suspended the source; undefined while it is not suspended. */
  private cause: SourceFailure | undefined;
  private times: Suspension | undefined;
  /** When the cooldown ends, by the monotonic clock: a change of the system clock does not prolong a suspension. */
  private trialAt = -Infinity;
  /** Resolves when the trial request has ended; undefined while there is none. */
  private trial: Promise<void> | undefined;

  constructor(private readonly options: CircuitBreakerOptions) {}

  /** Whether the source is suspended. */
  get isSuspended(): boolean {
    return this.cause !== undefined;
  }

  /** Since when the source is suspended; undefined while it is not. */
  get suspension(): Suspension | undefined {
    if (this.times === undefined) return undefined;
    const { clock, cooldown } = this.options;
    const now = clock.now();
    // The system clock may have been set back since.
    return { since: Math.min(this.times.since, now), trialFrom: Math.min(this.times.trialFrom, now + cooldown) };
  }

  /** Ends the cooldown: the next request is the trial. */
  endCooldown(): void {
    this.trialAt = -Infinity;
  }

  /**
   * Sends a request, unless the source is suspended; then it rejects with a {@link SuspendedFailure}. A request that is
   * given up by its signal, also while it waits for the trial of another one, is no failure; as the trial of a suspended source it leaves that suspended, for the same reason.
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

/** Finds the circuit breaker of a request by its URL. */
export interface CircuitBreakerLookup {
  of(url: URL): CircuitBreaker;
}

/**
 * The circuit breakers of one source: one for all its requests, or one for each URL, where a source consists of feeds that may
 * fail independently (decisions 4.32.4, 6.13).
 */
export class CircuitBreakers implements CircuitBreakerLookup {
  private readonly breakers = new Map<string, CircuitBreaker>();

  /** `create` gets the URL of the requests, and undefined for all requests of the source. */
  constructor(
    private readonly scope: 'source' | 'url',
    private readonly create: (url: string | undefined) => CircuitBreaker,
  ) {}

  of(url: URL): CircuitBreaker {
    return this.find(this.scope === 'url' ? url.href : undefined);
  }

  /** Since when all requests are suspended; undefined while they are not, and where each URL has its own breaker. */
  get suspension(): Suspension | undefined {
    return this.scope === 'source' ? this.find(undefined).suspension : undefined;
  }

  /** Ends the cooldown of all breakers: the next request of each is its trial. */
  endCooldown(): void {
    for (const breaker of this.breakers.values()) breaker.endCooldown();
  }

  /** Whether the source, or any URL of it, is suspended. */
  get isSuspended(): boolean {
    return [...this.breakers.values()].some((breaker) => breaker.isSuspended);
  }

  private find(url: string | undefined): CircuitBreaker {
    const key = url ?? '';
    const known = this.breakers.get(key) ?? this.create(url);
    this.breakers.set(key, known);
    return known;
  }
}

/** The layer that sends requests through a circuit breaker. */
export function withCircuitBreaker<Reply, Request extends Pick<HttpRequest, 'url'>>(
  next: Fetch<Reply, Request>,
  breakers: CircuitBreakerLookup,
): Fetch<Reply, Request> {
  return (request, signal) => breakers.of(request.url).send(() => next(request, signal), signal);
}

/** Why a request says that its source does not work; `given-up`: it says nothing about the source. */
type RequestFailure = SourceFailure | 'given-up';

/** Sends a request. `result` settles as the request does; `failure` is absent where the source works. Never rejects. */
async function observe<Reply>(
  send: () => Promise<Reply>,
  signal: AbortSignal,
): Promise<{ readonly result: Promise<Reply>; readonly failure?: RequestFailure }> {
  // A request that cannot even be created is a failure like any other.
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
