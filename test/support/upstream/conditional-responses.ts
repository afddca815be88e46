import type { RequestHandler, UpstreamRequest } from './upstream-server.js';

/** Validators of a page. Without validators every request gets the complete page. */
export interface PageValidators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/**
 * Adds validators to the responses of `handler`; a conditional request with a matching validator gets a 304. Entity tags are compared
 * as text, character by character, so a client must return them unchanged.
 */
export function withValidators(
  handler: RequestHandler,
  validatorsOf: (request: UpstreamRequest) => PageValidators,
): RequestHandler {
  return (request, response) => {
    const { etag, lastModified } = validatorsOf(request);
    if (etag !== undefined) response.setHeader('ETag', etag);
    if (lastModified !== undefined) response.setHeader('Last-Modified', lastModified);
    const { 'if-none-match': tag, 'if-modified-since': date } = request.headers;
    const unchanged = tag === undefined ? date !== undefined && date === lastModified : tag === etag;
    if (unchanged) response.writeHead(304).end();
    else handler(request, response);
  };
}

/** Whether a request is conditional. */
export function isConditional({ headers }: UpstreamRequest): boolean {
  return headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
}

/** Adds a distinct entity tag to each page: that of `entityTagOf`. */
export function withEntityTags(handler: RequestHandler, version = 'v1'): RequestHandler {
  return withValidators(handler, (request) => ({ etag: entityTagOf(request, version) }));
}

/** The entity tag of a page: its version, path and query. */
export function entityTagOf({ path, query }: UpstreamRequest, version = 'v1'): string {
  return `"${version} ${path}?${query.toString()}"`;
}
