import type { List } from '../gateway/gateway.js';
import type { Waited } from '../model/waited.js';
import { writeCacheStatus } from '../wire/cache-status.js';
import type { CacheUse } from '../wire/cache-status.js';
import type { ReportedAnswer } from './answer-cache.js';
import type { TimedHeaders } from './reply.js';
import { statusField } from './source-status.js';
import type { Contribution } from './source-status.js';

type Held = Pick<List, 'completeness' | 'leases'>;

/** What an answer rests on, as far as its headers tell it; no record is kept by it. */
export interface Resting {
  readonly contributions: readonly Contribution[];
  readonly waited?: Waited | undefined;
  /** Absent where there is no list. */
  readonly list?: Held;
}

/** What the headers of an answer are computed from at any moment. */
export function restingOf({ waited, list, report: { contributions } }: ReportedAnswer): Resting {
  if (list === undefined) return { contributions, waited };
  const { completeness, leases } = list;
  return { contributions, waited, list: { completeness, leases } };
}

/**
 * The headers that change while an answer stays what it is (decisions.md, sections 6 and 7): how long it may be kept, how it came by what its
 * sources gave, and how old that is. `now` is in milliseconds since 1970.
 */
export function restingHeaders({ contributions, waited, list }: Resting, now: number): TimedHeaders {
  const left = list && secondsLeft(list, now);
  // In its last millisecond no part of another whole second is left.
  const next = list && left !== undefined ? Math.floor(staleAt(list) - left * SECOND) + 1 : Infinity;
  const status = statusField(contributions, now);
  return {
    headers: {
      'Source-Status': status.text,
      'Cache-Status': writeCacheStatus(cacheUse(waited, left)),
      ...(list && { 'Cache-Control': cacheControl(list, now) }),
    },
    until: Math.min(next, status.until),
  };
}

/**
 * The same of an answer that is sent once more without asking anybody. Undefined when its sources must be asked: one of its copies is past
 * its time, and nobody is fetching what is newer.
 */
export function heldHeaders({ contributions, list }: Resting, now: number): TimedHeaders | undefined {
  const { leases = [] } = list ?? {};
  // A clock that was set back says nothing of how old they are.
  const stands = leases.every(
    ({ verifiedAt, staleAt, waitAt, refreshing }) => verifiedAt <= now && now < (refreshing ? waitAt : staleAt),
  );
  if (!stands) return undefined;
  const { headers, until } = restingHeaders({ contributions, ...(list && { list }) }, now);
  return {
    headers,
    until: Math.min(until, ...leases.map(({ staleAt, waitAt }) => (now < staleAt ? staleAt : waitAt))),
  };
}

const SECOND = 1_000;

/** Whole seconds of time to live that are left, negative when one of the copies is past its end; none where nobody was asked. */
function secondsLeft(list: Held, now: number): number {
  const end = staleAt(list);
  return end === Infinity ? 0 : Math.floor((end - now) / SECOND);
}

function staleAt({ leases }: Held): number {
  return Math.min(...leases.map((lease) => lease.staleAt));
}

function cacheControl(list: Held, now: number): string {
  if (list.completeness === 'partial') return 'no-store';
  const left = Math.max(0, secondsLeft(list, now));
  return list.completeness === 'stale' ? 'no-cache' : `public, max-age=${left}, stale-while-revalidate=${left}`;
}

function cacheUse(waited: Waited | undefined, ttl: number | undefined): CacheUse {
  if (waited === undefined) return { hit: true, ...(ttl !== undefined && { ttl }) };
  return { fwd: waited.why === 'miss' ? 'uri-miss' : 'stale', collapsed: waited.collapsed };
}
