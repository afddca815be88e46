import type { Layer, HttpResponse } from '../client/http-client-types.js';
import type { SourceResponse, SourceRequest, ClientObserver } from './source-fetch-types.js';

/** For `rollcall explain` (operation 1.6). */
export class TrafficCounter implements ClientObserver {
  /** Path and query as sent, including retries and redirects. */
  readonly requestTargets: string[] = [];
  /** In the received pages, whether they match or not. */
  records = 0;
  /** Decoded. */
  bytes = 0;

  /** `redact` replaces credentials, which a redirect may repeat (decisions 8.4). */
  constructor(private readonly redact: (text: string) => string = (text) => text) {}

  readonly requestLayer: Layer<HttpResponse> = (next) => (request, signal) => {
    this.requestTargets.push(this.redact(request.url.pathname + request.url.search));
    return next(request, signal);
  };

  readonly responseLayer: Layer<SourceResponse, SourceRequest> = (next) => async (request, signal) => {
    const reply = await next(request, signal);
    if ('notModified' in reply) return reply;
    this.bytes += reply.bytes;
    // An unreadable response has no records; the drain reports the failure.
    if ('records' in reply.pageOrFailure) this.records += reply.pageOrFailure.receivedCount;
    return reply;
  };
}
