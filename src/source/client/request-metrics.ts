import { asFailure } from './source-failure.js';
import type { FailureReason } from '../../model/outcome.js';
import type { Fetch } from './http-client-types.js';

/** Counts the result of each request that was sent: `ok`, or the reason of the failure. */
export function withResultCount<Reply, Request>(
  next: Fetch<Reply, Request>,
  count: (result: 'ok' | FailureReason) => void,
): Fetch<Reply, Request> {
  const ok = (reply: Reply): Reply => {
    count('ok');
    return reply;
  };
  const failed = (error: unknown): never => {
    count(asFailure(error).reason);
    throw error;
  };
  return (request, signal) => next(request, signal).then(ok, failed);
}
