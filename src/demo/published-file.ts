import type { InterfaceHandler } from './json-response.js';
import { errorResponse } from './json-response.js';

/** How a sample publishes a document or a feed, as a web server serves a file. */
export interface PublishedFileOptions {
  /** Name of the file in the folder of the samples, such as `ledger.csv`. */
  readonly file: string;
  /** Path of its address, such as `/teams.csv`. */
  readonly path: string;
  readonly contentType: string;
  /** HTTP date of the last change. */
  readonly lastModified: string;
}

/** A published file with its text. */
export interface PublishedFile extends Omit<PublishedFileOptions, 'file'> {
  readonly body: string;
}

/** Creates a handler that serves each file at its path, whatever the query, and 404 elsewhere. */
export function createPublishedFiles(files: readonly PublishedFile[]): InterfaceHandler {
  const responses = new Map(
    files.map(({ path, contentType, lastModified, body }) => [
      path,
      { status: 200, headers: { 'Content-Type': contentType, 'Last-Modified': lastModified }, body },
    ]),
  );
  return (path) => responses.get(path) ?? errorResponse(404, { status: 'Not Found', status_code: 404 });
}
