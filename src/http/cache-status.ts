import type { Answer } from '../gateway/gateway.js';
import { writeCacheStatus } from '../wire/cache-status.js';

/**
 * The Cache-Status field of an answer (decisions.md, section 7). Of a hit it depends on nothing but the time to live that is left,
 * which is what Cache-Control tells too.
 */
export function cacheStatus({ waited, list }: Answer): string {
  if (waited === undefined) return writeCacheStatus({ hit: true, ...(list && { ttl: secondsLeft(list) }) });
  const { why, collapsed } = waited;
  return writeCacheStatus({ fwd: why === 'miss' ? 'uri-miss' : 'stale', collapsed });
}

/** Whole seconds of time to live left; negative when one of the copies is past its end. */
export function secondsLeft({ freshFor }: { readonly freshFor: number }): number {
  return Math.floor(freshFor / 1000);
}
