import type { PublishOfSource } from '../events/event.js';
import type { Clock } from '../model/clock.js';
import { findSnapshot } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import { getReason, isReasonOf } from '../model/reasons.js';
import { createFetchEvent } from './status/fetch-event.js';
import type { SourceQuery } from './request/source-query.js';
import type { SharedFetch, SharedList, SharedListHolder, SharedSnapshot, SnapshotSharing } from './snapshot-sharing.js';
import type { DoubtedCount, ShrinkGuard } from './snapshot/shrink-guard.js';
import { hasEnoughRecords } from './snapshot/snapshot.js';
import type { Snapshot, SnapshotKey } from './snapshot/snapshot.js';
import type { SnapshotStore } from './snapshot/snapshot-store.js';
import type { RefreshPublication, RefreshResult } from './snapshot/stored-outcome.js';
import type { RefreshBasis } from './source-settings.js';

interface SharedRefreshesOptions {
  /** Undefined: nothing is shared. */
  readonly sharing: SnapshotSharing | undefined;
  /** Clients can cause any number of snapshots, of which only the results are shared. */
  readonly isUnbounded: boolean;
  /** When another cache of the source last served the resource instead, in milliseconds since 1970. */
  readonly supersededAt: (query: SourceQuery) => number;
  readonly store: SnapshotStore<RefreshBasis>;
  readonly clock: Clock;
  /** Called after another instance's snapshot was put into the store. */
  readonly onAdopt: (key: SnapshotKey, query: SourceQuery, shared: SharedSnapshot) => void;
  readonly publish: PublishOfSource;
  /** One guard for all snapshots of a source. */
  readonly shrinkGuard: ShrinkGuard;
}

export interface RequestedRefresh {
  readonly key: SnapshotKey;
  readonly query: SourceQuery;
  /** By an operator, although an earlier result may still count. */
  readonly isRequested?: boolean;
}

/** Fetches for this instance; where `fetch` is given, for all instances. */
type FetchSnapshot = (fetch: SharedFetch | undefined) => Promise<Outcome<Snapshot>>;

/** One instance fetches a list, the others adopt it (operation 2.5.4). */
export class SharedRefreshes {
  private readonly lists = new Map<string, { readonly query: SourceQuery; readonly list: SharedList }>();

  constructor(private readonly options: SharedRefreshesOptions) {}

  /** For replacement when another instance publishes a newer snapshot. */
  register({ key, query }: RequestedRefresh): SharedList | undefined {
    const { sharing, isUnbounded } = this.options;
    if (sharing === undefined) return undefined;
    if (isUnbounded) return sharing.shareResult(query, this.createHolder(key, query));
    const known = this.lists.get(key.admitted);
    if (known !== undefined) return known.list;
    const list = sharing.share(query, this.createHolder(key, query));
    this.lists.set(key.admitted, { query, list });
    return list;
  }

  /** For a snapshot taken over from elsewhere: other instances may have a newer one. */
  registerRestored(refresh: RequestedRefresh): void {
    this.register(refresh)?.compare();
  }

  /** Registers what was taken over from the cache of an earlier configuration. */
  continueFrom(previous: SharedRefreshes, keyFor: (query: SourceQuery) => SnapshotKey): void {
    for (const { query } of previous.lists.values()) this.registerRestored({ key: keyFor(query), query });
  }

  /** Fetches only where no other instance does. */
  async refresh(refresh: RequestedRefresh, fetchSnapshot: FetchSnapshot): Promise<Outcome<Snapshot>> {
    const list = this.register(refresh);
    if (list === undefined) return fetchSnapshot(undefined);
    const { store, clock, publish } = this.options;
    let { isRequested = false } = refresh;
    for (;;) {
      const claim = await list.claim({ isRequested });
      if (claim.state === 'granted') {
        this.adoptDoubt(refresh.key, claim.fetch.doubt);
        return fetchSnapshot(claim.fetch);
      }
      if (claim.state === 'unreachable') return fetchSnapshot(undefined);
      if (claim.state === 'rejected') {
        const { outcome, retryAt, doubt } = claim.rejection;
        const isConfirmed = doubt !== undefined && !this.adoptDoubt(refresh.key, doubt);
        if (!isConfirmed || !isShrunk(outcome)) {
          const served = store.adoptRejection(refresh.key, outcome, retryAt);
          const adopted = { outcome: served, result: { kind: 'adopted' }, at: clock.now() } as const;
          publish(createFetchEvent(refresh.query, adopted));
          return served;
        }
        // An operator has confirmed the number here, and the other instance does not know that.
        isRequested = true;
        continue;
      }
      if (claim.state === 'busy') await claim.change;
      else {
        const last = store.getLast(refresh.key);
        // It does not fit into the cache.
        if (last === undefined) return fetchSnapshot(undefined);
        if (clock.now() < last.waitAt) return last.value.outcome;
      }
      // A snapshot published later is newer than the operator's request, and satisfies it.
      isRequested = false;
    }
  }

  /** The number of records that other instances doubt (decisions 6.11). Never rejects. */
  async learnDoubt(refresh: RequestedRefresh): Promise<void> {
    this.adoptDoubt(refresh.key, await this.register(refresh)?.readDoubt());
  }

  createPublication(
    { key }: RequestedRefresh,
    fetch: SharedFetch,
    result?: RefreshResult<RefreshBasis>,
  ): RefreshPublication {
    const { store, shrinkGuard } = this.options;
    return {
      publish: async (snapshot, times) => {
        const weight = result?.weight ?? store.getLast(key)?.value.weight ?? 0;
        const validators = result?.basis?.validators;
        return (await fetch.publish({ snapshot, validators, weight, ...times }))?.snapshot;
      },
      publishRejection: (outcome, retryAt) => {
        const shareable = withoutSnapshot(outcome);
        if (shareable === undefined) fetch.release();
        else {
          const doubt = key.sizeKey === undefined ? undefined : shrinkGuard.sharedDoubtOf(key.sizeKey);
          fetch.publishRejection({ outcome: shareable, retryAt, doubt });
        }
      },
    };
  }

  private createHolder(key: SnapshotKey, query: SourceQuery): SharedListHolder {
    const { store, onAdopt, supersededAt } = this.options;
    return {
      isUsed: () => store.peekLast(key) !== undefined || store.getRejected(key) !== undefined,
      version: () => {
        const last = store.peekLast(key);
        return last && findSnapshot(last.value.outcome)?.agreedVersion;
      },
      held: () => {
        const last = store.peekLast(key);
        if (last?.value.outcome.state !== 'fresh') return undefined;
        const { outcome, basis, weight } = last.value;
        const { snapshot } = outcome;
        // Not the times of the entry, which a rejected result may have shortened for this instance.
        const { waitAt, unusableAt } = store.limitsOf(snapshot);
        return { snapshot, validators: basis?.validators, weight, waitAt, unusableAt };
      },
      isSufficient: (set, verifiedAt) => hasEnoughRecords({ set }, key.minRecords) && verifiedAt > supersededAt(query),
      mayServe: (snapshot) => store.mayServe(snapshot),
      adopt: (shared) => {
        const { validators, weight } = shared;
        store.adopt(key, shared.snapshot, { weight, basis: { ...(validators && { validators }) } });
        onAdopt(key, query, shared);
      },
      disagree: () => {
        store.disagree(key);
      },
    };
  }

  private adoptDoubt({ sizeKey }: SnapshotKey, doubt: DoubtedCount | undefined): boolean {
    return sizeKey !== undefined && doubt !== undefined && this.options.shrinkGuard.adoptDoubt(sizeKey, doubt);
  }
}

function isShrunk(outcome: Outcome<never>): boolean {
  return outcome.state === 'failed' && outcome.reason === 'shrunk';
}

/**
 * For results that replace no snapshot; undefined for records that others lack, or that describe only this instance.
 */
function withoutSnapshot(outcome: Outcome<Snapshot>): Outcome<never> | undefined {
  if (outcome.state === 'stale') {
    const { reason } = outcome;
    if (getReason(reason).shared !== true) return undefined;
    if (isReasonOf('partial', reason)) return { state: 'partial', reason };
    return isReasonOf('failed', reason) ? { state: 'failed', reason } : undefined;
  }
  if (findSnapshot(outcome) !== undefined || outcome.state === 'fresh' || outcome.state === 'inconsistent')
    return undefined;
  if (outcome.state !== 'partial') return outcome;
  const { state, reason, total, via } = outcome;
  return { state, reason, ...(total !== undefined && { total }), ...(via && { via }) };
}
