import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import cors from 'cors';
import { requestFields, responseFields } from './response-fields.js';
import type { HeaderFields } from './validators.js';

/** Methods that pages of other origins may use (decisions 2.37). */
const READ_METHODS = ['GET', 'HEAD'];

/** The supported methods (decisions 2.36). */
export const ALLOWED_METHODS: readonly string[] = [...READ_METHODS, 'OPTIONS'];

/** Time for which a browser may cache a preflight response, in seconds (decisions 2.37). The rules never change. */
const PREFLIGHT_MAX_AGE = 86_400;

/** CORS: pages of any origin may read everything, without cookies. */
const applyCors = cors({
  origin: '*',
  methods: READ_METHODS,
  allowedHeaders: requestFields.map(({ name }) => name),
  exposedHeaders: responseFields.map(({ name }) => name),
  maxAge: PREFLIGHT_MAX_AGE,
  preflightContinue: true,
});

/**
 * Every response forbids sniffing, framing and sharing with other windows. Strict-Transport-Security is left to the proxy in
 * front of this gateway, at which TLS ends.
 */
function createSecurityHeaders(contentPolicy: string, resourcePolicy: 'cross-origin' | 'same-origin'): HeaderFields {
  return {
    'Content-Security-Policy': contentPolicy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': resourcePolicy,
    'Origin-Agent-Cluster': '?1',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-DNS-Prefetch-Control': 'off',
    'X-Download-Options': 'noopen',
    'X-Frame-Options': 'SAMEORIGIN',
    'X-Permitted-Cross-Domain-Policies': 'none',
    'X-XSS-Protection': '0',
  };
}

/** Responses are data for pages of other sites, and never pages: nothing in them may be executed, framed or sniffed. */
const securityHeaders = createSecurityHeaders("default-src 'none';frame-ancestors 'none'", 'cross-origin');

/**
 * Header fields of every page for browsers and of its files (decisions 2.37). Pages load their script and style sheet from
 * this gateway only. No inline script or style is executed, so that text of a source that were written into a page without
 * escaping would do nothing.
 */
export const pageHeaders = createSecurityHeaders(
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'",
  'same-origin',
);

type HeaderSetter = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/** The header fields that cors sets on a response to a method, with their names as written. */
function captureHeaders(method: string, setters: readonly HeaderSetter[]): HeaderFields {
  const request = new IncomingMessage(new Socket());
  request.method = method;
  const response: ResponseWithRawNames = new ServerResponse(request);
  for (const set of setters) set(request, response, rethrow);
  const names = response.getRawHeaderNames?.() ?? response.getHeaderNames();
  return Object.fromEntries(names.map((name) => [name, String(response.getHeader(name))]));
}

/** Every outgoing message of node:http has this method. Its types declare it for requests of clients only. */
type ResponseWithRawNames = ServerResponse & { readonly getRawHeaderNames?: () => string[] };

function rethrow(error?: unknown): void {
  if (error instanceof Error) throw error;
}

const preflightHeaders = { ...securityHeaders, ...captureHeaders('OPTIONS', [applyCors]) };
const defaultHeaders = { ...securityHeaders, ...captureHeaders('GET', [applyCors]) };

/**
 * Header fields of every response to a method: CORS and security (decisions 2.37). They depend on nothing else of the
 * request, so they are computed once.
 */
export function getBrowserHeaders(method: string | undefined): HeaderFields {
  return method === 'OPTIONS' ? preflightHeaders : defaultHeaders;
}
