import type { RequestHandler, UpstreamRequest } from './upstream-server.js';

/** Validators of a page; none: it is answered in full, whatever is asked. */
export interface PageValidators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/**
 * Answers as `answering`, with validators; a request with one of them that is true gets a 304. Tags are compared to the letter: an
 * upstream that gets back another text than it sent has never heard of it.
 */
export function withValidators(
  handler: RequestHandler,
  validatorsOf: (asked: UpstreamRequest) => PageValidators,
): RequestHandler {
  return (asked, response) => {
    const { etag, lastModified } = validatorsOf(asked);
    if (etag !== undefined) response.setHeader('ETag', etag);
    if (lastModified !== undefined) response.setHeader('Last-Modified', lastModified);
    const { 'if-none-match': tag, 'if-modified-since': date } = asked.headers;
    const unchanged = tag === undefined ? date !== undefined && date === lastModified : tag === etag;
    if (unchanged) response.writeHead(304).end();
    else handler(asked, response);
  };
}

/** Whether a request asks on a condition. */
export function isConditional({ headers }: UpstreamRequest): boolean {
  return headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
}

/** A tag of each page of its own. */
export function withEntityTags(handler: RequestHandler, version = 'v1'): RequestHandler {
  return withValidators(handler, ({ query }) => ({ etag: `"${version} ${query.get('offset') ?? 'item'}"` }));
}
