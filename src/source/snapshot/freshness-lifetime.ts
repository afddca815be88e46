import CachePolicy from 'http-cache-semantics';
import { formatImfFixdate, parseDate } from '../../text/date.js';
import type { HeaderLookup } from '../client/http-client-types.js';

/**
 * Minimum time to live in milliseconds, however little the source allows (decisions 7.1). Without it, every client
 * would cause a request to a source that forbids caching.
 */
const MIN_LIFETIME = 5_000;

/** Share of the time to live by which it is shortened at random, at most (decisions 7.1). */
const JITTER = 0.1;

/** Header fields that define how long a response may be used. */
const FRESHNESS_FIELDS = ['cache-control', 'expires', 'pragma', 'vary'] as const;

/** The cache policy needs a request. All requests for one page are equal, so an empty one represents them. */
const REQUEST = { url: '', headers: {} };

/**
 * Last-Modified that is passed to the library. For a response without an explicit lifetime the library computes a
 * heuristic one from it (RFC 9111, section 4.2.2), which must be longer than any `ttl`, because such a response lasts
 * for `ttl` (decisions 7.1).
 */
const LONG_AGO = formatImfFixdate(0);

/**
 * Returns for how many milliseconds from `now` on (when the response arrived, since 1970) a shared cache may use it by
 * its Cache-Control or Expires, less its Age (RFC 9111, section 4.2). Undefined without these fields.
 */
export function freshnessLifetime(reply: HeaderLookup, now: number): number | undefined {
  if (FRESHNESS_FIELDS.every((name) => reply.header(name) === undefined)) return undefined;
  // The library does not recognise directives in capitals.
  const fields = FRESHNESS_FIELDS.map((name) => [name, reply.header(name)?.toLowerCase()] as const);
  const date = parseDate(reply.header('date') ?? '')?.epochMs ?? now;
  const headers = { date: formatImfFixdate(date), 'last-modified': LONG_AGO, ...Object.fromEntries(fields) };
  // `timeToLive()` of the library would add stale-if-error and read the system clock.
  const seconds = new CachePolicy(REQUEST, { status: 200, headers }, { shared: true, cacheHeuristic: 1 }).maxAge();
  return Math.max(0, seconds - readAge(reply)) * 1_000;
}

function readAge(reply: HeaderLookup): number {
  const field = reply.header('age')?.trim() ?? '';
  return /^\d{1,9}$/.test(field) ? Number(field) : 0;
}

/**
 * Returns the time to live of a snapshot in milliseconds (decisions 7.1): `ttl`, or `allowed` if the source allows
 * less. `random` (at least 0, below 1) shortens it by up to a tenth, so that sources are not all refreshed at the same
 * time.
 */
export function snapshotTimeToLive(ttl: number, allowed: number, random: number): number {
  const most = Math.min(ttl, Math.max(allowed, MIN_LIFETIME));
  const least = Math.min(ttl * (1 - JITTER), MIN_LIFETIME);
  return Math.max(least, most * (1 - JITTER * random));
}
