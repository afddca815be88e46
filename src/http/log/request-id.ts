import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Header field with the id of a request, in requests and responses (decisions 2.39). */
export const REQUEST_ID_FIELD = 'X-Request-Id';

/** An id that is safe in a header field, a log line and a shell. node:http joins repeated fields with a comma. */
const WELL_FORMED_ID = /^[\w.~+/=-]{1,128}$/;

/**
 * The id of a request: that of its X-Request-Id field if it is well-formed, else a new one. Without a request, a new
 * id.
 */
export function createRequestId(request?: Pick<IncomingMessage, 'headers'>): string {
  const id = request?.headers['x-request-id'];
  return typeof id === 'string' && WELL_FORMED_ID.test(id) ? id : randomUUID();
}
