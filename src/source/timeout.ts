import type { Fetch } from './fetch.js';

/** Ends a request, reading of its body included, after `milliseconds`. */
export function timeout<Reply>(next: Fetch<Reply>, milliseconds: number): Fetch<Reply> {
  return (request, signal) => next(request, AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]));
}
