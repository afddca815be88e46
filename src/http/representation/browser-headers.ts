import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import cors from 'cors';
import helmet from 'helmet';
import type { HeaderFields } from './validators.js';

/** What pages of other origins may do (decisions.md, section 2). */
const READ_METHODS = ['GET', 'HEAD'];

/** Methods that are answered. */
export const ALLOWED_METHODS: readonly string[] = [...READ_METHODS, 'OPTIONS'];

/** Answer headers that scripts in a browser may read: every one that decisions.md names and the browser does not keep for itself. */
const EXPOSED_HEADERS = [
  'X-Total-Count',
  'X-Version',
  'Link',
  'Last-Modified',
  'ETag',
  'Content-Disposition',
  'Source-Status',
  'Preference-Applied',
  'Cache-Control',
  'Cache-Status',
  'Via',
  'Vary',
  'Allow',
  'WWW-Authenticate',
  'Retry-After',
];

/** Request headers that scripts in a browser may send. */
const ALLOWED_REQUEST_HEADERS = ['Authorization', 'Prefer', 'If-None-Match', 'If-Modified-Since'];

/** Seconds for which a browser may remember what CORS allows here: it never changes. */
const PREFLIGHT_MAX_AGE = 86_400;

/** Who may read what from a page of another origin: anybody, everything, without cookies. */
const applyCors = cors({
  origin: '*',
  methods: READ_METHODS,
  allowedHeaders: ALLOWED_REQUEST_HEADERS,
  exposedHeaders: EXPOSED_HEADERS,
  maxAge: PREFLIGHT_MAX_AGE,
  preflightContinue: true,
});

/** Data for other sites' pages: nothing here is a page, so nothing may run, be framed or be guessed at. */
const applySecurityHeaders = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  // TLS ends at the proxy before this gateway: what browsers are told of it is the proxy's to say.
  strictTransportSecurity: false,
});

/** The headers that these set on an answer to a method, by their names as they are written. */
function captureHeaders(method: string): HeaderFields {
  const request = new IncomingMessage(new Socket());
  request.method = method;
  const response: ResponseWithRawNames = new ServerResponse(request);
  for (const handler of [applySecurityHeaders, applyCors]) handler(request, response, rethrow);
  const names = response.getRawHeaderNames?.() ?? response.getHeaderNames();
  return Object.fromEntries(names.map((name) => [name, String(response.getHeader(name))]));
}

/** Every outgoing message of node:http has this; its types know it of a client's request only. */
type ResponseWithRawNames = ServerResponse & { readonly getRawHeaderNames?: () => string[] };

function rethrow(error?: unknown): void {
  if (error instanceof Error) throw error;
}

const preflightHeaders = captureHeaders('OPTIONS');
const defaultHeaders = captureHeaders('GET');

/** What browsers are told with every answer to a method. Nothing else of a request makes a difference, and so it is found once. */
export function getBrowserHeaders(method: string | undefined): HeaderFields {
  return method === 'OPTIONS' ? preflightHeaders : defaultHeaders;
}
