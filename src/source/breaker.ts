import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel';
import { SourceFailure, asFailure, isRefusal } from './failure.js';
import type { Fetch } from './fetch.js';
import { Loop } from './loop.js';

/** When a source is suspended, and how long before one trial request asks whether it is back. */
export interface BreakerOptions {
  /** Failures in a row. */
  readonly failures: number;
  /** Milliseconds. */
  readonly cooldown: number;
  /** Called with every change, for the operator. */
  readonly changed: (suspended: boolean) => void;
}

/** A request that was not sent, for its source is suspended; reason and HTTP status are those of the failure that suspended it last. */
export class Suspended extends SourceFailure {
  constructor({ reason, status }: SourceFailure) {
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
  const policy = circuitBreaker(handleAll, { halfOpenAfter: cooldown, breaker: new ConsecutiveBreaker(failures) });
  /** The failure that the source is suspended for; undefined while it is not. */
  let cause: SourceFailure | undefined;
  policy.onBreak((failed) => {
    // A trial that fails leaves the source as it was.
    if (cause === undefined) changed(true);
    cause = asFailure('error' in failed ? failed.error : failed);
  });
  policy.onReset(() => {
    cause = undefined;
    changed(false);
  });
  const notSent = (error: unknown): never => {
    throw error instanceof BrokenCircuitError && cause !== undefined ? new Suspended(cause) : error;
  };
  return async (request, signal) => {
    const answer = await policy.execute(() => next(request, signal).catch(refusal)).catch(notSent);
    if (answer instanceof Refusal) throw answer.failure;
    return answer;
  };
}

/** A failure that is an answer: a value to the policy, for what it does not count as a failure does not end a row of failures either. */
class Refusal {
  constructor(readonly failure: SourceFailure) {}
}

/** Throws a failure that is no answer. */
function refusal(error: unknown): Refusal {
  const failure = asFailure(error);
  if (isRefusal(failure) || failure.relayed || failure instanceof Loop) return new Refusal(failure);
  throw failure;
}
