import type { InterfaceHandler } from './json-response.js';
import { errorResponse } from './json-response.js';

export interface PublishedFileOptions {
  /** In the folder of the samples, such as `ledger.csv`. */
  readonly file: string;
  /** Such as `/teams.csv`. */
  readonly path: string;
  readonly contentType: string;
  /** HTTP date. */
  readonly lastModified: string;
}

interface PublishedFile extends Omit<PublishedFileOptions, 'file'> {
  readonly body: string;
}

/** Each file at its path, whatever the query, and 404 elsewhere. */
export function createPublishedFiles(files: readonly PublishedFile[]): InterfaceHandler {
  const responses = new Map(
    files.map(({ path, contentType, lastModified, body }) => [
      path,
      { status: 200, headers: { 'Content-Type': contentType, 'Last-Modified': lastModified }, body },
    ]),
  );
  return (path) => responses.get(path) ?? errorResponse(404, { status: 'Not Found', status_code: 404 });
}
