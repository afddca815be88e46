import { preparePage, sendPrepared } from './paged-responses.js';
import type { PagingBehaviour } from './paged-responses.js';
import type { RequestHandler } from './upstream-server.js';

const FACTS = { status: 'OK', status_code: 200, version: '1.0' };

/** Handles requests as a repository of teams with the directory interface. */
export function directoryUpstream(records: readonly unknown[], paging: PagingBehaviour = {}): RequestHandler {
  return (request, response) => {
    sendPrepared(response, preparePage(paging.records?.(request) ?? records, request, paging, FACTS), paging);
  };
}
