import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import type { CircuitBreakerPolicy } from 'cockatiel';
import { SourceFailure, asFailure, isRequestRefusal } from './source-failure.js';
import type { Fetch, HttpRequest } from './http-client-types.js';
import { LoopFailure } from './loop-detection.js';
import type { Clock } from '../../model/clock.js';
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
 * series of failures.
 *
 * Clients of one source may share a breaker: those of two configurations while one replaces the other (operation 6.2).
 */
export class CircuitBreaker {
  private readonly policy: CircuitBreakerPolicy;
  /** The failure that suspended the source; undefined while it is not suspended. */
  private cause: SourceFailure | undefined;
  private times: Suspension | undefined;

  constructor({ failures, cooldown, onChange, clock }: CircuitBreakerOptions) {
    const isCounted = handleWhen((error) => !(error instanceof GivenUpRequest));
    this.policy = circuitBreaker(isCounted, { halfOpenAfter: cooldown, breaker: new ConsecutiveBreaker(failures) });
    this.policy.onBreak((failed) => {
      const wasSuspended = this.isSuspended;
      this.cause = asFailure('error' in failed ? failed.error : failed);
      const now = clock.now();
      this.times = { since: this.times?.since ?? now, trialFrom: now + cooldown };
      // A failed trial request leaves the source suspended, which is not a change.
      if (!wasSuspended) onChange(true);
    });
    this.policy.onReset(() => {
      this.cause = undefined;
      this.times = undefined;
      onChange(false);
    });
  }

  /** Whether the source is suspended. */
  get isSuspended(): boolean {
    return this.cause !== undefined;
  }

  /** Since when the source is suspended; undefined while it is not. */
  get suspension(): Suspension | undefined {
    return this.times;
  }

  /**
   * Sends a request, unless the source is suspended; then it rejects with a {@link SuspendedFailure}. A request that is
   * given up by its signal is no failure; as the trial of a suspended source it leaves that suspended, for the same reason.
   */
  async send<Reply>(send: () => Promise<Reply>, signal: AbortSignal): Promise<Reply> {
    const execute = (): Promise<Reply | WorkingSourceFailure> =>
      send().catch((error: unknown) => {
        if (!isGivenUp(signal)) return toWorkingSourceFailure(error);
        throw this.cause ?? new GivenUpRequest('the request was given up', { cause: error });
      });
    const result = await this.policy.execute(execute).catch(this.rejectUnsent);
    if (result instanceof WorkingSourceFailure) throw result.failure;
    return result;
  }

  private readonly rejectUnsent = (error: unknown): never => {
    if (error instanceof GivenUpRequest) throw error.cause;
    throw error instanceof BrokenCircuitError && this.cause !== undefined ? new SuspendedFailure(this.cause) : error;
  };
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

/**
 * A failure that came as a response of a working source. The policy receives it as a value: an error that the policy
 * does not count would not end a series of failures (decision record 0019).
 */
class WorkingSourceFailure {
  constructor(readonly failure: SourceFailure) {}
}

/** A request that was given up, which the policy does not count. */
class GivenUpRequest extends Error {}

/** Turns the failure into a value if it is a response of a working source; otherwise throws it. */
function toWorkingSourceFailure(error: unknown): WorkingSourceFailure {
  const failure = asFailure(error);
  if (isRequestRefusal(failure) || failure.hasSourceStatus || failure instanceof LoopFailure)
    return new WorkingSourceFailure(failure);
  throw failure;
}
