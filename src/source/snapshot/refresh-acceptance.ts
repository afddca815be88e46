import { findSnapshot, isTooLarge } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import { countListedRecords } from './listed-records.js';
import { hasShrunk } from './shrink-guard.js';
import type { ShrinkGuard } from './shrink-guard.js';
import { serveStaleOrFail, serveStale } from './snapshot.js';
import type { Snapshot, SnapshotKey } from './snapshot.js';

/**
 * Milliseconds after which a `partial` or `inconsistent` result is fetched again, because the next one may be better
 * (decisions 6.9).
 */
const PARTIAL_RESULT_TTL = 5_000;

/** Settings and state on which admission depends, in addition to the result. */
export interface RefreshAcceptancePolicy {
  /** Time to live of a snapshot, in milliseconds. */
  readonly ttl: number;
  readonly drainThreshold: number;
  /** One guard for all snapshots of a source. */
  readonly shrinkGuard: ShrinkGuard;
}

/**
 * Decision about a result: it becomes the snapshot, or the outcome `rejected` is served until `retryIn` milliseconds
 * have passed.
 */
export type RefreshDecision =
  | { readonly admitted: Snapshot }
  | {
      readonly rejected: Outcome<Snapshot>;
      readonly retryIn: number;
      /** Present if the result has far fewer records than the last trusted number (decisions 6.11). */
      readonly shrunk?: { readonly records: number; readonly before: number | undefined };
    };

/**
 * Decides whether a result becomes the snapshot. A result with far fewer records than before, with too many records, or
 * without most of the records is rejected, and the last snapshot is served stale (decisions 6.11, 6.12). `last` is the
 * snapshot that the result would replace; `now` is in milliseconds since 1970.
 */
export function decideRefresh(
  key: SnapshotKey,
  result: Outcome<Snapshot>,
  {
    policy,
    last,
    now,
  }: { readonly policy: RefreshAcceptancePolicy; readonly last: Snapshot | undefined; readonly now: number },
): RefreshDecision {
  const { shrinkGuard: guard, ttl } = policy;
  const tooLarge = isTooLarge(result) ? (serveStale(key, last, { reason: 'too-large' }) ?? result) : undefined;
  const records = countProvenRecords(key, tooLarge ?? result, policy);
  if (records !== undefined && isSuspiciouslySmall(key, records, { guard, now })) {
    const before = key.sizeKey === undefined ? undefined : guard.believedCount(key.sizeKey);
    const rejected = serveStaleOrFail(key, last, { state: 'failed', reason: 'shrunk' });
    return { rejected, retryIn: ttl, shrunk: { records, before } };
  }
  // The result that a source is too large is cached for the time to live (decisions 5.4).
  if (tooLarge !== undefined) return { rejected: tooLarge, retryIn: ttl };
  if (result.state === 'fresh') return { admitted: result.snapshot };
  return { rejected: chooseMoreComplete(key, result, last), retryIn: PARTIAL_RESULT_TTL };
}

/**
 * Returns the number of records that the source has according to the result, if the shrink guard compares it. A list
 * that is too large has at least one record more than may be drained.
 */
function countProvenRecords(
  key: SnapshotKey,
  result: Outcome<Snapshot>,
  { drainThreshold }: RefreshAcceptancePolicy,
): number | undefined {
  if (result.state === 'fresh') return countListedRecords(result.snapshot.set);
  // A fallback proves nothing, and the size of a large list is known from its size check.
  if (result.state === 'stale' || !isTooLarge(result) || key.isLarge) return undefined;
  return ('total' in result ? result.total : undefined) ?? drainThreshold + 1;
}

function isSuspiciouslySmall(
  { sizeKey: size, confirmsSize }: SnapshotKey,
  records: number,
  { guard, now }: { readonly guard: ShrinkGuard; readonly now: number },
): boolean {
  if (size === undefined) return false;
  return confirmsSize ? !guard.confirmCount(size, records, now) : hasShrunk(records, guard.believedCount(size));
}

/**
 * Serves a `partial` or `inconsistent` result instead of the last snapshot, because it is newer, unless it lacks most
 * of the snapshot's records.
 */
function chooseMoreComplete(
  key: SnapshotKey,
  result: Outcome<Snapshot>,
  last: Snapshot | undefined,
): Outcome<Snapshot> {
  if (result.state !== 'partial' && result.state !== 'inconsistent') return result;
  const [now, before] = [findSnapshot(result)?.set.records.length ?? 0, last?.set.records.length];
  const lacksMost = (now === 0 && before !== 0) || hasShrunk(now, before);
  return (lacksMost ? serveStale(key, last, result) : undefined) ?? result;
}
