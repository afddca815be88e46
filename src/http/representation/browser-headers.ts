import { requestFields, responseFields } from './response-fields.js';
import type { HeaderFields } from './validators.js';

/** For pages of other origins (decisions 2.37). */
const READ_METHODS = ['GET', 'HEAD'];

/** Decisions 2.36. */
export const ALLOWED_METHODS: readonly string[] = [...READ_METHODS, 'OPTIONS'];

/**
 * Forbid sniffing, framing and sharing with other windows. Strict-Transport-Security is left to the proxy in front of
 * this gateway, at which TLS ends.
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

/** Data for pages of other sites, and never pages: nothing may be executed, framed or sniffed. */
const securityHeaders = createSecurityHeaders("default-src 'none';frame-ancestors 'none'", 'cross-origin');

/**
 * For pages for browsers and their files. They load script and style sheet from this gateway only. No inline script or
 * style is executed, so that text of a source that were written into a page without escaping would do nothing.
 */
export const pageHeaders = createSecurityHeaders(
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'",
  'same-origin',
);

/** Pages of any origin may read everything, without cookies. */
const defaultHeaders: HeaderFields = {
  ...securityHeaders,
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': responseFields.map(({ name }) => name).join(','),
};

/** A browser may keep the response to a preflight request for a day: the rules never change. */
const preflightHeaders: HeaderFields = {
  ...defaultHeaders,
  'Access-Control-Allow-Methods': READ_METHODS.join(','),
  'Access-Control-Allow-Headers': requestFields.map(({ name }) => name).join(','),
  'Access-Control-Max-Age': '86400',
};

/** CORS and security. They depend on nothing but the method. */
export function getBrowserHeaders(method: string | undefined): HeaderFields {
  return method === 'OPTIONS' ? preflightHeaders : defaultHeaders;
}
