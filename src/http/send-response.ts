import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../model/clock.js';
import { getBrowserHeaders } from './representation/browser-headers.js';
import { createRawHeaders } from './representation/raw-header-list.js';
import type { ResponseCache } from './cache/response-cache.js';
import type { RenderCache } from './cache/render-cache.js';
import type { OutgoingResponse } from './representation/outgoing-response.js';
import {
  createBodyHeaders,
  readAcceptEncoding,
  readCachePreconditions,
  isUnmodifiedForClient,
  createNotModifiedHeaders,
  hasFailedPrecondition,
} from './representation/validators.js';
import type { HeaderFields } from './representation/validators.js';

/** The caches of rendered bodies and of complete responses, and the clock. */
export interface SendDependencies {
  readonly renderCache: RenderCache;
  readonly responseCache: ResponseCache;
  /** Time of the Date field. */
  readonly clock: Clock;
}

/**
 * Renders, compresses and sends a response, after evaluating the preconditions of the request (decisions 3.13, 7.11,
 * 7.12). Rendering ends before the first byte is sent, so that HEAD has the Content-Length of GET. It stops when the
 * client has disconnected and no other client waits for the same body. Returns the number of body bytes sent.
 */
export async function sendResponse(
  request: IncomingMessage,
  response: ServerResponse,
  reply: OutgoingResponse,
  out: SendDependencies,
): Promise<number> {
  const { renderCache: renderings, responseCache: ready, clock } = out;
  const { status, headers, body, validatorInput: validity, renderKey: sharing } = reply;
  const told = getBrowserHeaders(request.method);
  const leave = (code: number, beside: readonly HeaderFields[], bytes?: Uint8Array): void => {
    response.writeHead(code, createRawHeaders([told, ...beside], clock.now())).end(bytes);
  };
  if (body === undefined) {
    leave(status, [headers]);
    return 0;
  }
  const rendered = await renderings.render(reply, body, request);
  if (rendered === undefined) return 0;
  const coding = rendered.chooseCoding(readAcceptEncoding(request));
  const etag = validity && rendered.createEntityTag(coding, headers, validity.sourceStates);
  if (reply.createPreconditionFailed !== undefined && hasFailedPrecondition(request, etag, validity)) {
    return sendResponse(request, response, reply.createPreconditionFailed(), out);
  }
  const keep = (): void => {
    if (etag === undefined || validity === undefined || sharing?.reusePolicy === undefined) return;
    const { name, reusePolicy: holding } = sharing;
    ready.put(request, { name, body: rendered, coding, etag, validatorInput: validity, headers, reusePolicy: holding });
  };
  if (
    validity !== undefined &&
    etag !== undefined &&
    isUnmodifiedForClient(readCachePreconditions(request), etag, validity)
  ) {
    keep();
    leave(304, [createNotModifiedHeaders(headers, etag)]);
    return 0;
  }
  const bytes = await rendered.getEncoded(coding);
  keep();
  leave(
    status,
    [headers, createBodyHeaders({ etag, coding, length: bytes.length })],
    request.method === 'HEAD' ? undefined : bytes,
  );
  return bytes.length;
}
