import type { Layer, SourceReply, SourceRequest, Watching, WireReply } from './fetch.js';

/** Counts what one source is asked for, and what it gives. */
export class Tally implements Watching {
  /** Path and query of each request on the wire, further attempts and redirects included, as they were sent. */
  readonly asked: string[] = [];
  /** Records in the pages that came, whether or not they match. */
  records = 0;
  /** Decoded bytes of the bodies that came. */
  bytes = 0;

  readonly wire: Layer<WireReply> = (next) => (request, signal) => {
    this.asked.push(request.url.pathname + request.url.search);
    return next(request, signal);
  };

  readonly replies: Layer<SourceReply, SourceRequest> = (next) => async (request, signal) => {
    const reply = await next(request, signal);
    if ('notModified' in reply) return reply;
    this.bytes += reply.bytes;
    // What cannot be read has none: the drain will say so.
    if ('records' in reply.read) this.records += reply.read.received;
    return reply;
  };
}
