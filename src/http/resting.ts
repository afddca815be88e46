import type { Answer, List } from '../gateway/gateway.js';
import type { Waited } from '../model/waited.js';
import { writeCacheStatus } from '../wire/cache-status.js';
import type { CacheUse } from '../wire/cache-status.js';
import type { TimedHeaders } from './reply.js';
import { contributionsOf, nextAge, sourceStatus } from './source-status.js';
import type { Contribution } from './source-status.js';

/** What an answer rests on, as far as its headers tell it; no record is kept by it. */
export interface Resting {
  readonly contributions: readonly Contribution[];
  readonly waited?: Waited | undefined;
  /** Absent where there is no list. */
  readonly list?: Pick<List, 'completeness' | 'staleAt'>;
}

/** What is to be told of an answer at any moment. */
export function restingOf({ outcomes, waited, list }: Answer): Resting {
  const contributions = contributionsOf(outcomes);
  if (list === undefined) return { contributions, waited };
  const { completeness, staleAt } = list;
  return { contributions, waited, list: { completeness, staleAt } };
}

/**
 * The headers that change while an answer stays what it is (decisions.md, sections 6 and 7): how long it may be kept, how it came by what its
 * sources gave, and how old that is. `now` is in milliseconds since 1970.
 */
export function restingHeaders({ contributions, waited, list }: Resting, now: number): TimedHeaders {
  const left = list && secondsLeft(list, now);
  // In its last millisecond no part of another whole second is left.
  const next = list && left !== undefined ? Math.floor(list.staleAt - left * SECOND) + 1 : Infinity;
  return {
    headers: {
      ...(list && { 'Cache-Control': cacheControl(list, now) }),
      'Source-Status': sourceStatus(contributions, now),
      'Cache-Status': writeCacheStatus(cacheUse(waited, left)),
    },
    until: Math.min(next, nextAge(contributions, now)),
  };
}

const SECOND = 1_000;

/** Whole seconds of time to live that are left, negative when one of the copies is past its end; none where nobody was asked. */
function secondsLeft({ staleAt }: Pick<List, 'staleAt'>, now: number): number {
  return staleAt === Infinity ? 0 : Math.floor((staleAt - now) / SECOND);
}

function cacheControl(list: Pick<List, 'completeness' | 'staleAt'>, now: number): string {
  if (list.completeness === 'partial') return 'no-store';
  const left = Math.max(0, secondsLeft(list, now));
  return list.completeness === 'stale' ? 'no-cache' : `public, max-age=${left}, stale-while-revalidate=${left}`;
}

function cacheUse(waited: Waited | undefined, ttl: number | undefined): CacheUse {
  if (waited === undefined) return { hit: true, ...(ttl !== undefined && { ttl }) };
  return { fwd: waited.why === 'miss' ? 'uri-miss' : 'stale', collapsed: waited.collapsed };
}
