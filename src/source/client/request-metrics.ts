import { asFailure } from './source-failure.js';
import type { FailureReason } from '../../model/outcome.js';
import type { Fetch } from './fetch.js';

/** Tells what came of each request that was really sent. */
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
