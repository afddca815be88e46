import type { ExpiringEntry, ExpiringStore } from '../../cache/expiring-store.js';
import type { Outcome } from '../../model/outcome.js';
import type { Snapshot } from './snapshot.js';
import type { StoredOutcome } from './stored-outcome.js';

/**
 * What a source keeps when a configuration replaces another one (operation 6.2):
 *
 * - `everything`: nothing about the source has changed. Results that were not admitted are kept, too.
 * - `snapshots`: settings such as times have changed. Snapshots keep at most the time to live of the new settings.
 * - `stale-snapshots`: requests to the source, or the reading of its records, may give something else now. Snapshots are
 *   served until a refresh, which starts with the next request.
 * - `none`: it is another source, or may have other records for this gateway.
 */
export type SnapshotHandover = 'everything' | 'snapshots' | 'stale-snapshots' | 'none';

/** Durations of the states of a snapshot, in milliseconds. */
export interface SnapshotTimes {
  readonly ttl: number;
  readonly staleWhileRevalidate: number;
  readonly staleIfError: number;
}

/** How entries are copied. */
export interface HandoverOptions {
  /** Prefix of the keys of the source's snapshots. */
  readonly prefix: string;
  /** Prefix of the keys of its results that were not admitted. */
  readonly rejectedPrefix: string;
  readonly handover: SnapshotHandover;
  readonly times: SnapshotTimes;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** Copies the entries of one source from the store of an earlier configuration. */
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

/** Returns the entry with the times of other settings, stale from `latest` on (milliseconds since 1970). */
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
  // A snapshot that is no longer served without a refresh stays one (`SnapshotStore.demote`).
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
