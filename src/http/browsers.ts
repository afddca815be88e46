import cors from 'cors';
import helmet from 'helmet';

/** What pages of other origins may do (decisions.md, section 2). */
const READING = ['GET', 'HEAD'];

/** Methods that are answered. */
export const METHODS: readonly string[] = [...READING, 'OPTIONS'];

/** Answer headers that scripts in a browser may read: every one that decisions.md names and the browser does not keep for itself. */
const EXPOSED = [
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
const ALLOWED = ['Authorization', 'Prefer', 'If-None-Match', 'If-Modified-Since'];

/** Seconds for which a browser may remember what CORS allows here: it never changes. */
const PREFLIGHT_AGE = 86_400;

/** Who may read what from a page of another origin: anybody, everything, without cookies. */
export function crossOrigin(): ReturnType<typeof cors> {
  return cors({
    origin: '*',
    methods: READING,
    allowedHeaders: ALLOWED,
    exposedHeaders: EXPOSED,
    maxAge: PREFLIGHT_AGE,
    preflightContinue: true,
  });
}

/** Data for other sites' pages: nothing here is a page, so nothing may run, be framed or be guessed at. */
export function securityHeaders(): ReturnType<typeof helmet> {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    // TLS ends at the proxy before this gateway: what browsers are told of it is the proxy's to say.
    strictTransportSecurity: false,
  });
}
