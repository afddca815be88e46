import { findSnapshot, isTooLarge } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import { hasShrunk } from './shrink-guard.js';
import type { ShrinkGuard } from './shrink-guard.js';
import { serveStaleOrFail, serveStale } from './snapshot.js';
import type { Snapshot, SnapshotKey } from './snapshot.js';

/** Milliseconds until a result in doubt is fetched again: the next one may be better (decisions.md, section 6). */
const PARTIAL_RESULT_TTL = 5_000;

/** What decides on a result, beside the result itself. */
export interface AdmissionPolicy {
  /** Time to live of a snapshot, in milliseconds. */
  readonly ttl: number;
  readonly drainThreshold: number;
  /** One for all snapshots of a source. */
  readonly shrinkGuard: ShrinkGuard;
}

/** What becomes of a result: a new snapshot, or an outcome that is given until `retryIn` milliseconds have passed. */
export type AdmissionDecision =
  | { readonly admitted: Snapshot }
  | {
      readonly rejected: Outcome<Snapshot>;
      readonly retryIn: number;
      /** Where the result has far fewer records than were last believed to be there. */
      readonly shrunk?: { readonly records: number; readonly before: number | undefined };
    };

/**
 * Decides whether a result becomes the snapshot (decisions.md, section 6). `last` is the snapshot that it would replace, `now` is in milliseconds since
 * 1970. A result with far fewer records than before, too many records or most records missing is rejected, and the last snapshot stands in.
 */
export function admit(
  key: SnapshotKey,
  result: Outcome<Snapshot>,
  {
    policy,
    last,
    now,
  }: { readonly policy: AdmissionPolicy; readonly last: Snapshot | undefined; readonly now: number },
): AdmissionDecision {
  const { shrinkGuard: guard, ttl } = policy;
  const tooLarge = isTooLarge(result) ? (serveStale(key, last, { reason: 'too-large' }) ?? result) : undefined;
  const records = countProvenRecords(key, tooLarge ?? result, policy);
  if (records !== undefined && isSuspiciouslySmall(key, records, { guard, now })) {
    const before = key.sizeKey === undefined ? undefined : guard.believedCount(key.sizeKey);
    const rejected = serveStaleOrFail(key, last, { state: 'failed', reason: 'shrunk' });
    return { rejected, retryIn: ttl, shrunk: { records, before } };
  }
  // The source keeps too many records for as long as a snapshot would be fresh.
  if (tooLarge !== undefined) return { rejected: tooLarge, retryIn: ttl };
  if (result.state === 'fresh') return { admitted: result.snapshot };
  return { rejected: chooseMoreComplete(key, result, last), retryIn: PARTIAL_RESULT_TTL };
}

/** Records of the source that a result proves, where the shrink guard compares them. What is too large has more than may be fetched, at least. */
function countProvenRecords(
  key: SnapshotKey,
  result: Outcome<Snapshot>,
  { drainThreshold }: AdmissionPolicy,
): number | undefined {
  if (result.state === 'fresh') return result.snapshot.set.totalCount;
  // A stand-in proves nothing, and the size of a large list that is drained is known from the look at it.
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

/** A doubtful copy is newer than the last snapshot, and given in its place; but not one that lacks most of it. */
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
