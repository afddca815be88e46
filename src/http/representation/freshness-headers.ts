import type { ListPage } from '../../gateway/gateway.js';
import type { SourceWait } from '../../model/cache-result.js';
import { serializeCacheStatus } from '../../headers/cache-status.js';
import type { CacheStatus } from '../../headers/cache-status.js';
import type { AnswerWithReport } from '../source-report/answer-source-report.js';
import type { TimedHeaders } from './outgoing-response.js';
import { getSourceStatusField } from '../source-report/source-status-header.js';
import type { SourceContribution } from '../source-report/source-status-header.js';

type ListFreshness = Pick<ListPage, 'completeness' | 'leases'>;

/** What an answer rests on, as far as its headers tell it; no record is kept by it. */
export interface AnswerFreshness {
  readonly contributions: readonly SourceContribution[];
  readonly waited?: SourceWait | undefined;
  /** Absent where there is no list. */
  readonly list?: ListFreshness;
}

/** What the headers of an answer are computed from at any moment. */
export function getAnswerFreshness({
  waitReason: waited,
  list,
  report: { contributions },
}: AnswerWithReport): AnswerFreshness {
  if (list === undefined) return { contributions, waited };
  const { completeness, leases } = list;
  return { contributions, waited, list: { completeness, leases } };
}

/**
 * The headers that change while an answer stays what it is (decisions.md, sections 6 and 7): how long it may be kept, how it came by what its
 * sources gave, and how old that is. `now` is in milliseconds since 1970.
 */
export function createFreshnessHeaders({ contributions, waited, list }: AnswerFreshness, now: number): TimedHeaders {
  const left = list && remainingSeconds(list, now);
  // In its last millisecond no part of another whole second is left.
  const next = list && left !== undefined ? Math.floor(earliestStaleAt(list) - left * SECOND_MS) + 1 : Infinity;
  const status = getSourceStatusField(contributions, now);
  return {
    headers: {
      'Source-Status': status.text,
      'Cache-Status': serializeCacheStatus(toCacheUse(waited, left)),
      ...(list && { 'Cache-Control': formatCacheControl(list, now) }),
    },
    validUntil: Math.min(next, status.validUntil),
  };
}

/**
 * The same of an answer that is sent once more without asking anybody. Undefined when its sources must be asked: one of its copies is past
 * its time, and nobody is fetching what is newer.
 */
export function createCachedFreshnessHeaders(
  { contributions, list }: AnswerFreshness,
  now: number,
): TimedHeaders | undefined {
  const { leases = [] } = list ?? {};
  // A clock that was set back says nothing of how old they are.
  const stands = leases.every(
    ({ verifiedAt, staleAt, waitAt, refreshing }) => verifiedAt <= now && now < (refreshing ? waitAt : staleAt),
  );
  if (!stands) return undefined;
  const { headers, validUntil: until } = createFreshnessHeaders({ contributions, ...(list && { list }) }, now);
  return {
    headers,
    validUntil: Math.min(until, ...leases.map(({ staleAt, waitAt }) => (now < staleAt ? staleAt : waitAt))),
  };
}

const SECOND_MS = 1_000;

/** Whole seconds of time to live that are left, negative when one of the copies is past its end; none where nobody was asked. */
function remainingSeconds(list: ListFreshness, now: number): number {
  const end = earliestStaleAt(list);
  return end === Infinity ? 0 : Math.floor((end - now) / SECOND_MS);
}

function earliestStaleAt({ leases }: ListFreshness): number {
  return Math.min(...leases.map((lease) => lease.staleAt));
}

function formatCacheControl(list: ListFreshness, now: number): string {
  if (list.completeness === 'partial') return 'no-store';
  const left = Math.max(0, remainingSeconds(list, now));
  return list.completeness === 'stale' ? 'no-cache' : `public, max-age=${left}, stale-while-revalidate=${left}`;
}

function toCacheUse(waited: SourceWait | undefined, ttl: number | undefined): CacheStatus {
  if (waited === undefined) return { hit: true, ...(ttl !== undefined && { ttl }) };
  return { fwd: waited.reason === 'miss' ? 'uri-miss' : 'stale', collapsed: waited.collapsed };
}
