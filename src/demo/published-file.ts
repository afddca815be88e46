import type { InterfaceHandler } from './json-response.js';
import { errorResponse } from './json-response.js';

/** How a sample publishes a document, as a web server serves a file. */
export interface PublishedFileOptions {
  /** Path of its address, such as `/teams.csv`. */
  readonly path: string;
  readonly contentType: string;
  /** HTTP date of the last change. */
  readonly lastModified: string;
}

/** Creates a handler that serves one text at one path, whatever the query, and 404 elsewhere. */
export function createPublishedFile(
  body: string,
  { path: published, contentType, lastModified }: PublishedFileOptions,
): InterfaceHandler {
  const headers = { 'Content-Type': contentType, 'Last-Modified': lastModified };
  return (path) =>
    path === published ? { status: 200, headers, body } : errorResponse(404, { status: 'Not Found', status_code: 404 });
}
