import { asFailure } from './source-failure.js';
import type { FailureReason } from '../../model/reasons.js';
import type { Fetch } from './http-client-types.js';
import { isGivenUp } from './timeout.js';

/** `ok`, or the reason of the failure; not for a request that was given up. */
export function withResultCount<Reply, Request>(
  next: Fetch<Reply, Request>,
  count: (result: 'ok' | FailureReason) => void,
): Fetch<Reply, Request> {
  const ok = (reply: Reply): Reply => {
    count('ok');
    return reply;
  };
  return (request, signal) =>
    next(request, signal).then(ok, (error: unknown) => {
      if (!isGivenUp(signal)) count(asFailure(error).reason);
      throw error;
    });
}
