import { preparePage, sendPrepared } from './paged-responses.js';
import type { PagingBehaviour } from './paged-responses.js';
import type { RequestHandler } from './upstream-server.js';

const FACTS = { status: 'OK', status_code: 200, version: '1.0' };

/** Answers as a repository of teams with these records and manners, on the directory interface. */
export function directoryUpstream(records: readonly unknown[], paging: PagingBehaviour = {}): RequestHandler {
  return (asked, response) => {
    sendPrepared(response, preparePage(paging.records?.(asked) ?? records, asked, paging, FACTS), paging);
  };
}
