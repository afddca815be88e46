import { copyOf, isTooLarge } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import { isFarLess } from './shrink-guard.js';
import type { ShrinkGuard } from './shrink-guard.js';
import { fallback, standIn } from './snapshot.js';
import type { Copy, SnapshotKey } from './snapshot.js';

/** Milliseconds until a result in doubt is fetched again: the next one may be better (decisions.md, section 6). */
const DOUBT_TTL = 5_000;

/** What decides on a result, beside the result itself. */
export interface AdmissionPolicy {
  /** Time to live of a snapshot, in milliseconds. */
  readonly ttl: number;
  readonly drainThreshold: number;
  /** One for all snapshots of a source. */
  readonly guard: ShrinkGuard;
}

/** What becomes of a result: a new snapshot, or an outcome that is given until `retryIn` milliseconds have passed. */
export type Decision =
  | { readonly admitted: Copy }
  | {
      readonly rejected: Outcome<Copy>;
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
  result: Outcome<Copy>,
  { policy, last, now }: { readonly policy: AdmissionPolicy; readonly last: Copy | undefined; readonly now: number },
): Decision {
  const { guard, ttl } = policy;
  const tooLarge = isTooLarge(result) ? (standIn(key, last, { reason: 'too-large' }) ?? result) : undefined;
  const records = countOf(key, tooLarge ?? result, policy);
  if (records !== undefined && isSuspect(key, records, { guard, now })) {
    const before = key.size === undefined ? undefined : guard.believed(key.size);
    const rejected = fallback(key, last, { state: 'failed', reason: 'shrunk' });
    return { rejected, retryIn: ttl, shrunk: { records, before } };
  }
  // The source keeps too many records for as long as a snapshot would be fresh.
  if (tooLarge !== undefined) return { rejected: tooLarge, retryIn: ttl };
  if (result.state === 'fresh') return { admitted: result.copy };
  return { rejected: moreOf(key, result, last), retryIn: DOUBT_TTL };
}

/** Records of the source that a result proves, where the shrink guard compares them. What is too large has more than may be fetched, at least. */
function countOf(key: SnapshotKey, result: Outcome<Copy>, { drainThreshold }: AdmissionPolicy): number | undefined {
  if (result.state === 'fresh') return result.copy.set.size;
  // A stand-in proves nothing, and the size of a large list that is drained is known from the look at it.
  if (result.state === 'stale' || !isTooLarge(result) || key.large) return undefined;
  return ('total' in result ? result.total : undefined) ?? drainThreshold + 1;
}

function isSuspect(
  { size, confirmsSize }: SnapshotKey,
  records: number,
  { guard, now }: { readonly guard: ShrinkGuard; readonly now: number },
): boolean {
  if (size === undefined) return false;
  return confirmsSize ? !guard.believes(size, records, now) : isFarLess(records, guard.believed(size));
}

/** A doubtful copy is newer than the last snapshot, and given in its place; but not one that lacks most of it. */
function moreOf(key: SnapshotKey, result: Outcome<Copy>, last: Copy | undefined): Outcome<Copy> {
  if (result.state !== 'partial' && result.state !== 'inconsistent') return result;
  const [now, before] = [copyOf(result)?.set.records.length ?? 0, last?.set.records.length];
  const lacksMost = (now === 0 && before !== 0) || isFarLess(now, before);
  return (lacksMost ? standIn(key, last, result) : undefined) ?? result;
}
