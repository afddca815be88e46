import { asFailure } from './failure.js';
import type { FailureReason } from '../model/outcome.js';
import type { Fetch } from './fetch.js';

/** Tells what came of each request that was really sent. */
export function counted<Reply>(next: Fetch<Reply>, count: (result: 'ok' | FailureReason) => void): Fetch<Reply> {
  return async (request, signal) => {
    try {
      const reply = await next(request, signal);
      count('ok');
      return reply;
    } catch (error) {
      count(asFailure(error).reason);
      throw error;
    }
  };
}
