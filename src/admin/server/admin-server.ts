import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AdminConfig } from '../../config/config.js';
import { parseRequestTarget } from '../../http/request/request-target.js';
import { discardRequestBody } from '../../http/server/discard-request-body.js';
import type { Publish } from '../../events/event.js';
import { refuseWithoutAdminKey } from './admin-key.js';
import { ParameterProblem } from './admin-format.js';
import { ADMIN_HEADERS, createTextResponse } from './admin-response.js';
import type { AdminResponse } from './admin-response.js';
import { findAdminRoute, listAllowedMethods } from './admin-route.js';
import type { AdminRoute } from './admin-route.js';
import { isCrossSiteRequest, refuseForeignBrowserRequest } from './browser-request.js';

interface AdminServerOptions {
  readonly routes: readonly AdminRoute[];
  /** Read for each request: a reload replaces the settings. */
  readonly settings: () => AdminConfig;
  readonly publish: Publish;
}

/** In bytes. The head holds a target of `/explain`, percent-encoded. */
const MAX_HEAD_BYTES = 64 * 1024;

/** A target of the public port (decisions 2.3), of which every byte is percent-encoded. */
const MAX_TARGET_LENGTH = 25 * 1024;

/** In bytes. Bodies are read and dropped. */
const MAX_BODY_BYTES = 64 * 1024;

/** For the head of a request, in milliseconds. */
const HEAD_TIMEOUT = 15_000;
const REQUEST_TIMEOUT = 30_000;

/**
 * Finds the route, checks who sends the request, and adds {@link ADMIN_HEADERS} (operation 3.1). An error of a route is
 * a response, and never stops the process.
 */
export function createAdminHttpServer(options: AdminServerOptions): Server {
  const limits = { maxHeaderSize: MAX_HEAD_BYTES, headersTimeout: HEAD_TIMEOUT, requestTimeout: REQUEST_TIMEOUT };
  return createServer(limits, (request, response) => {
    response.on('error', () => undefined);
    discardRequestBody(request, MAX_BODY_BYTES, (fits) => {
      if (!fits) sendResponse(request, response, BODY_TOO_LARGE);
      else void respond(request, options).then((created) => sendResponse(request, response, created));
    });
  });
}

const BODY_TOO_LARGE = createTextResponse(413, `a body has at most ${MAX_BODY_BYTES} bytes`, { Connection: 'close' });

/** 400 for a wrong parameter; 500 and a line in the log for any other error. */
async function respond(request: IncomingMessage, options: AdminServerOptions): Promise<AdminResponse> {
  try {
    return await dispatch(request, options);
  } catch (error) {
    if (error instanceof ParameterProblem) return createTextResponse(400, error.message);
    const { path } = parseRequestTarget(request.url ?? '');
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const facts = { path: path.slice(0, MAX_LOGGED_PATH), error: text };
    options.publish({ type: 'request of the operator failed', ...facts });
    return createTextResponse(500, 'the request failed; the log has the error');
  }
}

/** In characters. */
const MAX_LOGGED_PATH = 200;

async function dispatch(request: IncomingMessage, options: AdminServerOptions): Promise<AdminResponse> {
  const { url = '', method = '', headers, headersDistinct } = request;
  const { host, keySha256 } = options.settings();
  const foreign = refuseForeignBrowserRequest(request, host);
  if (foreign !== undefined) return foreign;
  if (url.length > MAX_TARGET_LENGTH) {
    return createTextResponse(414, `a request target has at most ${MAX_TARGET_LENGTH} characters`);
  }
  const { path, rawQuery } = parseRequestTarget(url);
  const found = findAdminRoute(options.routes, path);
  if (found === undefined) return createTextResponse(404, describePaths(options.routes));
  const { route, pathParameters } = found;
  const handle = method === 'POST' ? route.post : method === 'GET' || method === 'HEAD' ? route.get : undefined;
  if (handle === undefined) {
    const allowed = listAllowedMethods(route);
    return createTextResponse(405, `the methods of this path are ${allowed}`, { Allow: allowed });
  }
  const refused =
    method === 'POST' ? refuseWithoutAdminKey(headersDistinct['authorization'] ?? [], keySha256) : undefined;
  if (refused !== undefined) return refused;
  return handle({
    parameters: new URLSearchParams(rawQuery),
    pathParameters,
    accept: headers.accept ?? '',
    isCrossSite: isCrossSiteRequest(request),
  });
}

function describePaths(routes: readonly AdminRoute[]): string {
  return `nothing is at this path; the operator's endpoints are ${routes.map(({ path }) => path).join(', ')}`;
}

function sendResponse(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: AdminResponse,
): void {
  response.writeHead(status, { ...ADMIN_HEADERS, ...headers, 'Content-Length': Buffer.byteLength(body) });
  response.end(method === 'HEAD' ? undefined : body);
}
