import { parseDate, parseHttpDate } from '../../text/date.js';
import type { HeaderLookup } from '../../source/client/http-client-types.js';

/** Milliseconds, at least (decisions 7.1): else every client would cause a request where caching is forbidden. */
const MIN_LIFETIME = 5_000;

/** Maximum share of the time to live by which it is shortened at random. */
const JITTER = 0.1;

const FRESHNESS_FIELDS = ['cache-control', 'expires', 'pragma', 'vary'] as const;

/** For a shared cache (RFC 9111, section 5.2.2). */
const FORBIDDING_DIRECTIVES = ['no-store', 'no-cache', 'private', 'proxy-revalidate'];

/**
 * Milliseconds from `now` (arrival, since 1970) for a shared cache by Cache-Control or Expires, less Age (RFC 9111,
 * section 4.2). Undefined without these fields; infinite where they state no time, because such a response lasts for
 * `ttl`.
 */
export function freshnessLifetime(reply: HeaderLookup, now: number): number | undefined {
  const [control, expires, pragma, vary] = FRESHNESS_FIELDS.map((name) => reply.header(name));
  if ([control, expires, pragma, vary].every((field) => field === undefined)) return undefined;
  const directives = parseDirectives(control ?? pragma?.match(/no-cache/i)?.[0] ?? '');
  if (vary === '*' || FORBIDDING_DIRECTIVES.some((name) => directives.has(name))) return 0;
  const stated = directives.get('s-maxage') ?? directives.get('max-age');
  const seconds = stated === undefined ? readExpires(expires, reply, now) : Number.parseInt(stated, 10) || 0;
  return Math.max(0, seconds - readAge(reply)) * 1_000;
}

/** Of Cache-Control; the last one of a name counts. One with an empty value is none. */
function parseDirectives(field: string): ReadonlyMap<string, string> {
  const directives = field
    .toLowerCase()
    .split(',')
    .map((directive): [string, string] => {
      const [name = '', value = 'true'] = directive.split('=', 2);
      return [name.trim(), value.trim().replace(/^"|"$/g, '')];
    });
  return new Map([...new Map(directives)].filter(([, value]) => value !== ''));
}

/** Seconds from the response's Date. An invalid Expires is in the past (RFC 9111, section 5.3). */
function readExpires(expires: string | undefined, reply: HeaderLookup, now: number): number {
  if (expires === undefined || expires === '') return Infinity;
  const date = parseDate(reply.header('date') ?? '')?.epochMs ?? now;
  const end = parseHttpDate(expires, now) ?? parseDate(expires)?.epochMs ?? 0;
  return end / 1_000 - Math.floor(date / 1_000);
}

function readAge(reply: HeaderLookup): number {
  const field = reply.header('age')?.trim() ?? '';
  return /^\d{1,9}$/.test(field) ? Number(field) : 0;
}

/**
 * Milliseconds: `ttl`, or `allowed` if that is less. `random` (at least 0, below 1) shortens it by up to a tenth, so
 * that sources are not all refreshed at once.
 */
export function snapshotTimeToLive(ttl: number, allowed: number, random: number): number {
  const most = Math.min(ttl, Math.max(allowed, MIN_LIFETIME));
  const least = Math.min(ttl * (1 - JITTER), MIN_LIFETIME);
  return Math.max(least, most * (1 - JITTER * random));
}
