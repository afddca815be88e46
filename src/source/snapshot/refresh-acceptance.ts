import { findSnapshot, isTooLarge } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import { countListedRecords } from './listed-records.js';
import { hasShrunk } from './shrink-guard.js';
import type { ShrinkGuard } from './shrink-guard.js';
import { serveStaleOrFail, serveStale } from './snapshot.js';
import type { Snapshot, SnapshotKey } from './snapshot.js';

/** Milliseconds until a `partial` or `inconsistent` result is fetched again: the next may be better (decisions 6.9). */
const PARTIAL_RESULT_TTL = 5_000;

export interface RefreshAcceptancePolicy {
  /** Of a snapshot, in milliseconds. */
  readonly ttl: number;
  readonly drainThreshold: number;
  /** For all snapshots of a source. */
  readonly shrinkGuard: ShrinkGuard;
}

/** A result becomes the snapshot, or `rejected` is served until `retryIn` milliseconds have passed. */
type RefreshDecision =
  | { readonly admitted: Snapshot }
  | {
      readonly rejected: Outcome<Snapshot>;
      readonly retryIn: number;
      /** Far fewer records than the last trusted number (decisions 6.11). */
      readonly shrunk?: { readonly records: number; readonly before: number | undefined };
    };

/**
 * Rejects a result with far fewer records than before, too many, or most of them lacking; then the last snapshot is
 * served stale (decisions 6.12). `last` is the snapshot that the result would replace; `now` is in milliseconds since
 * 1970.
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
  // That a source is too large is cached for the time to live (decisions 5.4).
  if (tooLarge !== undefined) return { rejected: tooLarge, retryIn: ttl };
  if (result.state === 'fresh') return { admitted: result.snapshot };
  return { rejected: chooseMoreComplete(key, result, last), retryIn: PARTIAL_RESULT_TTL };
}

/** As the shrink guard compares it. A too large list has at least one record more than may be drained. */
function countProvenRecords(
  key: SnapshotKey,
  result: Outcome<Snapshot>,
  { drainThreshold }: RefreshAcceptancePolicy,
): number | undefined {
  if (result.state === 'fresh') return countListedRecords(result.snapshot.set);
  // A fallback proves nothing; a large list's size is known from its size check.
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

/** Prefers a `partial` or `inconsistent` result, because it is newer, unless it lacks most of the last snapshot. */
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
