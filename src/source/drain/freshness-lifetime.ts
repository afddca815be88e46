import CachePolicy from 'http-cache-semantics';
import { formatImfFixdate, parseDate } from '../../text/date.js';
import type { HeaderLookup } from '../client/fetch.js';

/** Milliseconds that a copy is good for however little its source allows: one that forbids caching is not asked by every client. */
const MIN_LIFETIME = 5_000;

/** Share of a copy's time to live that chance may take from it. */
const JITTER = 0.1;

/** Fields that tell how long a reply may be used. */
const FRESHNESS_FIELDS = ['cache-control', 'expires', 'pragma', 'vary'] as const;

/** All requests for one page are alike. */
const REQUEST = { url: '', headers: {} };

/**
 * A reply that says nothing of how long it may be used is good by heuristics (RFC 9111, section 4.2.2), here: for as long as the
 * registered time to live. So its heuristic lifetime is made longer than any.
 */
const LONG_AGO = formatImfFixdate(0);

/**
 * Milliseconds from `now` on (when it came, since 1970) for which a shared cache may use a reply by its own Cache-Control or Expires, its Age
 * counted (RFC 9111, section 4.2); undefined where it says nothing.
 */
export function freshnessLifetime(reply: HeaderLookup, now: number): number | undefined {
  if (FRESHNESS_FIELDS.every((name) => reply.header(name) === undefined)) return undefined;
  // The library does not find a directive that is written in capitals.
  const said = FRESHNESS_FIELDS.map((name) => [name, reply.header(name)?.toLowerCase()] as const);
  const date = parseDate(reply.header('date') ?? '')?.epochMs ?? now;
  const headers = { date: formatImfFixdate(date), 'last-modified': LONG_AGO, ...Object.fromEntries(said) };
  // Its timeToLive() would add the window of stale-if-error, and reads the machine's clock.
  const seconds = new CachePolicy(REQUEST, { status: 200, headers }, { shared: true, cacheHeuristic: 1 }).maxAge();
  return Math.max(0, seconds - readAge(reply)) * 1_000;
}

function readAge(reply: HeaderLookup): number {
  const field = reply.header('age')?.trim() ?? '';
  return /^\d{1,9}$/.test(field) ? Number(field) : 0;
}

/**
 * A copy's time to live in milliseconds: the registered `ttl`, or less where its source allows less, and shortened by up to a tenth by
 * `random` (0 up to, not including, 1), so that sources are not refreshed in step.
 */
export function snapshotTimeToLive(ttl: number, allowed: number, random: number): number {
  const most = Math.min(ttl, Math.max(allowed, MIN_LIFETIME));
  const least = Math.min(ttl * (1 - JITTER), MIN_LIFETIME);
  return Math.max(least, most * (1 - JITTER * random));
}
