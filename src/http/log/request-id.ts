import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** In requests and responses (decisions 2.39). */
export const REQUEST_ID_FIELD = 'X-Request-Id';

/** Safe in a header field, a log line and a shell. node:http joins repeated fields with a comma. */
const WELL_FORMED_ID = /^[\w.~+/=-]{1,128}$/;

/** That of the X-Request-Id field if it is well-formed, else a new one. */
export function createRequestId(request?: Pick<IncomingMessage, 'headers'>): string {
  const id = request?.headers['x-request-id'];
  return typeof id === 'string' && WELL_FORMED_ID.test(id) ? id : randomUUID();
}
