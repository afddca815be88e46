import { readItem, readPage } from './dialect.js';
import type { Layer, SourceReply, Watching, WireReply } from './fetch.js';

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

  readonly replies: Layer<SourceReply> = (next) => async (request, signal) => {
    const reply = await next(request, signal);
    if ('notModified' in reply) return reply;
    this.bytes += reply.bytes;
    this.records += recordsIn(reply, ITEM.test(request.url.pathname));
    return reply;
  };
}

/** Path of an item. */
const ITEM = /\/\d+$/;

/** What cannot be read has none: the drain will say so. */
function recordsIn(reply: Parameters<typeof readPage>[0], item: boolean): number {
  try {
    if (!item) return readPage(reply).records.length;
    return readItem(reply) === undefined ? 0 : 1;
  } catch {
    return 0;
  }
}
