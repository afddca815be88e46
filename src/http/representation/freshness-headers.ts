import type { ListPage } from '../../gateway/gateway.js';
import type { AccessLevel } from '../../model/access-level.js';
import type { SourceWait } from '../../model/cache-result.js';
import { serializeCacheStatus } from '../../headers/cache-status.js';
import type { CacheStatus } from '../../headers/cache-status.js';
import type { AnswerWithReport } from '../source-report/answer-source-report.js';
import type { TimedHeaders } from './outgoing-response.js';
import { getSourceStatusField } from '../source-report/source-status-header.js';
import type { SourceContribution } from '../source-report/source-status-header.js';

interface ListFreshness extends Pick<ListPage, 'completeness' | 'lists'> {
  /** When equal records get another content, in milliseconds since 1970. Absent: time does not change it. */
  readonly contentChangesAt?: number | undefined;
}

/** What time-dependent header fields are computed from. It references no record. */
export interface AnswerFreshness {
  /** No cache stores members answers, not even the client's (decisions 7.14). */
  readonly access: AccessLevel;
  readonly contributions: readonly SourceContribution[];
  readonly waited?: SourceWait | undefined;
  /** Absent where there is no list. */
  readonly list?: ListFreshness;
}

export function getAnswerFreshness(
  { waitReason: waited, list, report: { contributions } }: AnswerWithReport,
  access: AccessLevel,
): AnswerFreshness {
  if (list === undefined) return { access, contributions, waited };
  const { completeness, lists } = list;
  return { access, contributions, waited, list: { completeness, lists } };
}

/** The content changes at a time, in milliseconds since 1970, although the records do not. */
export function limitFreshness(freshness: AnswerFreshness, contentChangesAt: number | undefined): AnswerFreshness {
  const { list } = freshness;
  return list === undefined || contentChangesAt === undefined
    ? freshness
    : { ...freshness, list: { ...list, contentChangesAt } };
}

/** Fields that change while the records stay the same. `now` is in milliseconds since 1970. */
export function createFreshnessHeaders(freshness: AnswerFreshness, now: number): TimedHeaders {
  const { access, contributions, waited, list } = freshness;
  const secondsLeft = list && remainingSeconds(list, now);
  // The number of whole seconds decreases one millisecond after exactly that many are left.
  const nextChange =
    list && secondsLeft !== undefined ? Math.floor(earliestStaleAt(list) - secondsLeft * SECOND_MS) + 1 : Infinity;
  const sourceStatus = getSourceStatusField(contributions, now);
  return {
    headers: {
      'Source-Status': sourceStatus.text,
      'Cache-Status': serializeCacheStatus(toCacheUse(waited, secondsLeft)),
      ...(list && { 'Cache-Control': formatCacheControl(access, list, now) }),
    },
    validUntil: Math.min(nextChange, sourceStatus.validUntil),
  };
}

/**
 * For a response that is sent again without querying the sources. Undefined where these must be queried: the time to
 * live of a snapshot has ended and it is not being refreshed, or `stale-while-revalidate` has ended.
 */
export function createCachedFreshnessHeaders(
  { access, contributions, list }: AnswerFreshness,
  now: number,
): TimedHeaders | undefined {
  const times = (list?.lists ?? []).map((used) => used.times);
  // After the clock was set back, the age of a snapshot is unknown.
  const isUsable = times.every(
    ({ verifiedAt, staleAt, waitAt, isRefreshing }) => verifiedAt <= now && now < (isRefreshing ? waitAt : staleAt),
  );
  if (!isUsable) return undefined;
  const { headers, validUntil: until } = createFreshnessHeaders({ access, contributions, ...(list && { list }) }, now);
  return {
    headers,
    validUntil: Math.min(until, ...times.map(({ staleAt, waitAt }) => (now < staleAt ? staleAt : waitAt))),
  };
}

const SECOND_MS = 1_000;

/** Until the first time to live of a snapshot ends, negative after its end; 0 where no source was queried. */
function remainingSeconds(list: ListFreshness, now: number): number {
  const end = earliestStaleAt(list);
  return end === Infinity ? 0 : Math.floor((end - now) / SECOND_MS);
}

function earliestStaleAt({ lists, contentChangesAt = Infinity }: ListFreshness): number {
  return Math.min(contentChangesAt, ...lists.map(({ times }) => times.staleAt));
}

function formatCacheControl(access: AccessLevel, list: ListFreshness, now: number): string {
  if (access === 'members') return 'private, no-store';
  if (list.completeness === 'partial') return 'no-store';
  const secondsLeft = Math.max(0, remainingSeconds(list, now));
  // A cache must not use content that has changed while it revalidates.
  const contentSeconds = Math.floor(((list.contentChangesAt ?? Infinity) - now) / SECOND_MS);
  const extraSeconds = Math.max(0, Math.min(secondsLeft, contentSeconds - secondsLeft));
  return list.completeness === 'stale'
    ? 'no-cache'
    : `public, max-age=${secondsLeft}, stale-while-revalidate=${extraSeconds}`;
}

function toCacheUse(waited: SourceWait | undefined, ttl: number | undefined): CacheStatus {
  if (waited === undefined) return { hit: true, ...(ttl !== undefined && { ttl }) };
  return { fwd: waited.reason === 'miss' ? 'uri-miss' : 'stale', collapsed: waited.collapsed };
}
