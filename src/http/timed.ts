import type { List } from '../gateway/gateway.js';
import type { TimedHeaders } from './reply.js';
import { nextAge, sourceStatus } from './source-status.js';
import type { Contribution } from './source-status.js';

const SECOND = 1_000;

/** The headers that change while an answer stays what it is: how long it may be kept, and how old what it rests on is (decisions.md, sections 6 and 7). */
export function timedHeaders(
  { completeness, staleAt }: Pick<List, 'completeness' | 'staleAt'>,
  contributions: readonly Contribution[],
  now: number,
): TimedHeaders {
  const left = secondsLeft(staleAt, now);
  return {
    headers: { 'Cache-Control': cacheControl(completeness, left), 'Source-Status': sourceStatus(contributions, now) },
    // The last millisecond at which so many whole seconds are left is that at which no part of another one is.
    until: Math.min(Math.floor(staleAt - left * SECOND) + 1, nextAge(contributions, now)),
  };
}

/** Whole seconds of time to live that are left; none where nobody was asked, for that costs nothing. */
function secondsLeft(staleAt: number, now: number): number {
  return staleAt === Infinity ? 0 : Math.max(0, Math.floor((staleAt - now) / SECOND));
}

function cacheControl(completeness: List['completeness'], left: number): string {
  if (completeness === 'partial') return 'no-store';
  return completeness === 'stale' ? 'no-cache' : `public, max-age=${left}, stale-while-revalidate=${left}`;
}
