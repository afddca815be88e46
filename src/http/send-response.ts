import type { IncomingMessage, ServerResponse } from 'node:http';
import { joinLinks } from '../headers/link.js';
import type { Clock } from '../model/clock.js';
import type { Problem } from '../model/error-catalogue.js';
import { getBrowserHeaders, pageHeaders } from './representation/browser-headers.js';
import { createRawHeaders } from './representation/raw-header-list.js';
import type { ResponseCache } from './cache/response-cache.js';
import { BodyTooLargeError } from './cache/render-cache.js';
import type { RenderCache } from './cache/render-cache.js';
import type { RenderedBody } from './cache/rendered-body.js';
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

export interface SendDependencies {
  readonly renderCache: RenderCache;
  readonly responseCache: ResponseCache;
  readonly clock: Clock;
  /** In every response with a body. */
  readonly vary: string;
  /** In every response with a body that is not a page (decisions 2.42). */
  readonly descriptionLinks: string;
}

/**
 * Evaluates the preconditions, renders, compresses and sends (decisions 3.13, 7.11, 7.12). Rendering ends before the
 * first byte is sent, so that HEAD has the Content-Length of GET. It stops when the client has disconnected and no
 * other client waits for the same body. Returns the number of body bytes sent.
 */
export async function sendResponse(
  request: IncomingMessage,
  response: ServerResponse,
  outgoing: OutgoingResponse,
  dependencies: SendDependencies,
): Promise<number> {
  const { renderCache, responseCache, clock } = dependencies;
  const { status, body, validatorInput, renderKey, createError } = outgoing;
  const browserHeaders = outgoing.isPage === true ? pageHeaders : getBrowserHeaders(request.method);
  const send = (code: number, fields: readonly HeaderFields[], bytes?: Uint8Array): void => {
    response.writeHead(code, createRawHeaders([browserHeaders, ...fields], clock.now())).end(bytes);
  };
  if (body === undefined) {
    send(status, [outgoing.headers]);
    return 0;
  }
  const headers = createBodyResponseHeaders(outgoing, dependencies);
  let rendered: RenderedBody | undefined;
  try {
    rendered = await renderCache.render(outgoing, body, request);
  } catch (error) {
    if (!(error instanceof BodyTooLargeError) || createError === undefined) throw error;
    return sendResponse(request, response, createError(BODY_TOO_LARGE), dependencies);
  }
  if (rendered === undefined) return 0;
  const coding = rendered.chooseCoding(readAcceptEncoding(request));
  const etag = validatorInput && rendered.createEntityTag(coding, headers, validatorInput.sourceStates);
  if (createError !== undefined && hasFailedPrecondition(request, etag, validatorInput)) {
    return sendResponse(request, response, createError(PRECONDITION_FAILED), dependencies);
  }
  outgoing.beforeDisclosure?.();
  const cacheResponse = (): void => {
    if (etag === undefined || validatorInput === undefined || renderKey?.reusePolicy === undefined) return;
    const { name, reusePolicy } = renderKey;
    responseCache.put(request, { name, body: rendered, coding, etag, validatorInput, headers, reusePolicy });
  };
  if (
    validatorInput !== undefined &&
    etag !== undefined &&
    isUnmodifiedForClient(readCachePreconditions(request), etag, validatorInput)
  ) {
    cacheResponse();
    send(304, [createNotModifiedHeaders(headers, etag)]);
    return 0;
  }
  const bytes = await rendered.getEncoded(coding);
  cacheResponse();
  send(
    status,
    [headers, createBodyHeaders({ etag, coding, length: bytes.length })],
    request.method === 'HEAD' ? undefined : bytes,
  );
  return bytes.length;
}

const PRECONDITION_FAILED: Problem = {
  kind: 'precondition-failed',
  message: 'If-Match or If-Unmodified-Since does not match the current response',
};

const BODY_TOO_LARGE: Problem = {
  kind: 'bad-request',
  message:
    'the response would be larger than 64 MiB: request fewer records (limit), fewer properties (fields) or fewer sources',
};

/** Without the fields that describe the bytes of the body. */
function createBodyResponseHeaders(
  { isPage, headers }: OutgoingResponse,
  { vary, descriptionLinks }: SendDependencies,
): HeaderFields {
  const links = headers['Link'] === undefined ? undefined : String(headers['Link']);
  return { Vary: vary, ...headers, ...(isPage !== true && { Link: joinLinks(links, descriptionLinks) }) };
}
