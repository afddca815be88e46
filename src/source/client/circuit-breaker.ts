import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel';
import { SourceFailure, asFailure, isRequestRefusal } from './source-failure.js';
import type { Fetch } from './fetch.js';
import { LoopFailure } from './loop-detection.js';

/** When a source is suspended, and how long before one trial request asks whether it is back. */
export interface CircuitBreakerOptions {
  /** Failures in a row. */
  readonly failures: number;
  /** Milliseconds. */
  readonly cooldown: number;
  /** Called with every change, for the operator. */
  readonly onChange: (suspended: boolean) => void;
}

/** A request that was not sent, for its source is suspended; reason and HTTP status are those of the failure that suspended it last. */
export class SuspendedFailure extends SourceFailure {
  constructor({ reason, status }: SourceFailure) {
    super(reason, 'the source is suspended after failures in a row', { status });
    this.name = 'Suspended';
  }
}

/**
 * Suspends a source after failures in a row: while it is suspended nothing is sent, and after the cooldown one trial request decides.
 * An answer that refuses the request (HTTP 4xx, but 429), leads back here, or reports that the aggregate's own sources failed, is the answer of a source that works.
 */
export function withCircuitBreaker<Reply, Request>(
  next: Fetch<Reply, Request>,
  { failures, cooldown, onChange: changed }: CircuitBreakerOptions,
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
    throw error instanceof BrokenCircuitError && cause !== undefined ? new SuspendedFailure(cause) : error;
  };
  return async (request, signal) => {
    const answer = await policy.execute(() => next(request, signal).catch(toAnsweredFailure)).catch(notSent);
    if (answer instanceof AnsweredFailure) throw answer.failure;
    return answer;
  };
}

/** A failure that is an answer: a value to the policy, for what it does not count as a failure does not end a row of failures either. */
class AnsweredFailure {
  constructor(readonly failure: SourceFailure) {}
}

/** Throws a failure that is no answer. */
function toAnsweredFailure(error: unknown): AnsweredFailure {
  const failure = asFailure(error);
  if (isRequestRefusal(failure) || failure.hasSourceStatus || failure instanceof LoopFailure)
    return new AnsweredFailure(failure);
  throw failure;
}
