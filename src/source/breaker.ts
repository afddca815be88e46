import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel';
import type { FailureReason } from '../model/outcome.js';
import { SourceFailure, asFailure, isRefusal } from './failure.js';
import type { Fetch } from './fetch.js';
import { Loop } from './loop.js';

/** When a source is suspended, and how long before one trial request asks whether it is back. */
export interface BreakerOptions {
  /** Failures in a row. */
  readonly failures: number;
  /** Milliseconds. */
  readonly cooldown: number;
  /** Told of every change, for the operator. */
  readonly changed: (suspended: boolean) => void;
}

/** What is remembered of the failure that suspends a source. */
interface LastFailure {
  readonly reason: FailureReason;
  readonly status?: number | undefined;
}

/** A request that was not sent, for its source is suspended; reason and HTTP status are those of its last failure. */
export class Suspended extends SourceFailure {
  constructor({ reason, status }: LastFailure) {
    super(reason, 'the source is suspended after failures in a row', { status });
    this.name = 'Suspended';
  }
}

/**
 * Suspends a source after failures in a row: while it is suspended nothing is sent, and after the cooldown one trial request decides.
 * An answer that refuses the request (HTTP 4xx, but 429), leads back here, or reports that the aggregate's own sources failed, is the answer of a source that works.
 */
export function broken<Reply, Request>(
  next: Fetch<Reply, Request>,
  { failures, cooldown, changed }: BreakerOptions,
): Fetch<Reply, Request> {
  let last: LastFailure = { reason: 'connect' };
  const policy = circuitBreaker(handleAll, {
    halfOpenAfter: cooldown,
    breaker: new ConsecutiveBreaker(failures),
  });
  let told = false;
  policy.onStateChange((state) => {
    const suspended = state !== CircuitState.Closed;
    // A trial that fails leaves the source as it was.
    if (suspended !== told) changed((told = suspended));
  });
  /** Whether there was an answer since the last failure. Then the policy, which takes longer than all else around a request, need not hear of more of them. */
  let isWell = true;
  const answered = <Answer>(answer: Answer): Answer => {
    isWell = true;
    return answer;
  };
  /** A refusal is handed on as a value, so that it ends a row of failures, as every answer does. */
  const refused = (error: unknown): Refusal => {
    const failure = asFailure(error);
    if (isRefusal(failure) || failure.relayed || failure instanceof Loop) return answered(new Refusal(failure));
    isWell = false;
    last = { reason: failure.reason, status: failure.status };
    throw failure;
  };
  const settled = (reply: Reply | Refusal): Reply => {
    if (reply instanceof Refusal) throw reply.failure;
    return reply;
  };
  const failed = (error: unknown): never => {
    throw error instanceof BrokenCircuitError ? new Suspended(last) : error;
  };
  const watched = (work: () => Promise<Reply>): Promise<Reply> =>
    policy.execute(() => work().then(answered, refused)).then(settled, failed);
  /** What comes of a request that was sent while all was well. A source that was suspended meanwhile is judged by its trial alone. */
  const replied = (reply: Reply): Reply | Promise<Reply> =>
    isWell || policy.state !== CircuitState.Closed ? reply : watched(() => Promise.resolve(reply));
  const broke = (error: unknown): Promise<Reply> => {
    const failure = asFailure(error);
    if (policy.state !== CircuitState.Closed) throw failure;
    return watched(() => Promise.reject(failure));
  };
  return (request, signal) =>
    isWell ? next(request, signal).then(replied, broke) : watched(() => next(request, signal));
}

/** A failure that is an answer. */
class Refusal {
  constructor(readonly failure: SourceFailure) {}
}
