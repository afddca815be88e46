import type { ExpiringEntry, ExpiringStore } from '../../cache/expiring-store.js';
import type { Outcome } from '../../model/outcome.js';
import type { Snapshot } from './snapshot.js';
import type { StoredOutcome } from './stored-outcome.js';

/**
 * What is kept when a configuration replaces another (operation 6.2):
 * - `everything`: nothing about the source has changed. Results that were not admitted are kept, too.
 * - `snapshots`: settings such as times have changed. Snapshots keep at most the new time to live.
 * - `stale-snapshots`: requests, or the reading of records, may give something else. Snapshots are served until a
 *   refresh, which starts with the next request.
 * - `none`: it is another source, or may have other records for this gateway.
 */
export type SnapshotHandover = 'everything' | 'snapshots' | 'stale-snapshots' | 'none';

/** Of a snapshot's states, in milliseconds. */
interface SnapshotTimes {
  readonly ttl: number;
  readonly staleWhileRevalidate: number;
  readonly staleIfError: number;
}

interface HandoverOptions {
  /** For the source's snapshots. */
  readonly prefix: string;
  /** For results that were not admitted. */
  readonly rejectedPrefix: string;
  readonly handover: SnapshotHandover;
  readonly times: SnapshotTimes;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** One source, from an earlier configuration's store. */
export function copySnapshots<Basis>(
  from: ExpiringStore<StoredOutcome<Basis>>,
  to: ExpiringStore<StoredOutcome<Basis>>,
  { prefix, rejectedPrefix, handover, times, now }: HandoverOptions,
): void {
  if (handover === 'none') return;
  const latest = handover === 'stale-snapshots' ? now : Infinity;
  for (const { key, value: entry, bytes } of [...from.list()]) {
    if (key.startsWith(prefix)) to.put(key, withTimes(entry, times, latest), bytes);
    else if (handover === 'everything' && key.startsWith(rejectedPrefix)) to.put(key, entry, bytes);
  }
}

/** Other settings' times; stale from `latest` on (milliseconds since 1970). */
function withTimes<Basis>(
  entry: ExpiringEntry<StoredOutcome<Basis>>,
  { ttl, staleWhileRevalidate, staleIfError }: SnapshotTimes,
  latest: number,
): ExpiringEntry<StoredOutcome<Basis>> {
  const { outcome } = entry.value;
  if (!('snapshot' in outcome)) return entry;
  const { snapshot } = outcome;
  const freshUntil = Math.min(snapshot.staleAt, snapshot.verifiedAt + ttl);
  const staleAt = Math.min(freshUntil, latest);
  // A snapshot that needs a refresh to be served stays so (`SnapshotStore.demote`).
  const waitAt = Math.min(entry.waitAt, staleAt + staleWhileRevalidate);
  const lease = { verifiedAt: snapshot.verifiedAt, staleAt, waitAt, refreshing: false };
  const renewed: Outcome<Snapshot> = { ...outcome, snapshot: { ...snapshot, staleAt, leases: [lease] } };
  return {
    value: { ...entry.value, outcome: renewed },
    storedAt: entry.storedAt,
    staleAt: Math.min(entry.staleAt, staleAt),
    waitAt,
    unusableAt: freshUntil + staleIfError,
  };
}
