import type { Layer, HttpResponse } from '../client/fetch.js';
import type { SourceResponse, SourceRequest, ClientObserver } from './source-fetch.js';

/** Counts what one source is asked for, and what it gives. */
export class TrafficCounter implements ClientObserver {
  /** Path and query of each request on the wire, further attempts and redirects included, as they were sent. */
  readonly requestTargets: string[] = [];
  /** Records in the pages that came, whether or not they match. */
  records = 0;
  /** Decoded bytes of the bodies that came. */
  bytes = 0;

  readonly requestLayer: Layer<HttpResponse> = (next) => (request, signal) => {
    this.requestTargets.push(request.url.pathname + request.url.search);
    return next(request, signal);
  };

  readonly responseLayer: Layer<SourceResponse, SourceRequest> = (next) => async (request, signal) => {
    const reply = await next(request, signal);
    if ('notModified' in reply) return reply;
    this.bytes += reply.bytes;
    // What cannot be read has none: the drain will say so.
    if ('records' in reply.pageOrFailure) this.records += reply.pageOrFailure.receivedCount;
    return reply;
  };
}
