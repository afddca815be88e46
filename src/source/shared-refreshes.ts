import type { AccessKey } from '../model/access-level.js';
import type { Clock } from '../model/clock.js';
import { findSnapshot } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import type { SourceQuery } from './request/source-query.js';
import type { SharedFetch, SharedList, SharedListHolder, SharedSnapshot, SnapshotSharing } from './snapshot-sharing.js';
import type { Snapshot, SnapshotKey } from './snapshot/snapshot.js';
import type { RefreshPublication, RefreshResult, SnapshotStore } from './snapshot/snapshot-store.js';
import type { RefreshBasis } from './source-settings.js';

/** Options of {@link SharedRefreshes}. */
export interface SharedRefreshesOptions {
  /** Undefined: nothing is shared. */
  readonly sharing: SnapshotSharing | undefined;
  readonly store: SnapshotStore<RefreshBasis>;
  readonly clock: Clock;
  /** Called after a snapshot of another instance has been put into the store. */
  readonly onAdopt: (key: SnapshotKey, query: SourceQuery, shared: SharedSnapshot) => void;
  /** Called after the store has forgotten a snapshot, because an operator of another instance wants it. */
  readonly onForget: () => void;
  /** Lists the ids of teams that the source gave up. */
  readonly listFormerIds: (query: SourceQuery) => Promise<readonly string[]>;
}

/** One refresh of a snapshot. */
export interface RequestedRefresh {
  readonly key: SnapshotKey;
  readonly query: SourceQuery;
  /** Whether an operator requests it, although an earlier result may still count. Absent: no. */
  readonly isRequested?: boolean;
}

interface RegisteredList {
  readonly query: SourceQuery;
  readonly list: SharedList | undefined;
}

/** Fetches for this instance; where `fetch` is given, for all instances. */
type FetchSnapshot = (fetch: SharedFetch | undefined) => Promise<Outcome<Snapshot>>;

/** Refreshes of the snapshots that several instances share: one of them fetches a list, the others adopt it (operation 2.5.4). */
export class SharedRefreshes {
  private readonly lists = new Map<AccessKey, RegisteredList>();

  constructor(private readonly options: SharedRefreshesOptions) {}

  /** Registers a snapshot, so that it is replaced when another instance publishes a newer one. */
  register({ key, query }: RequestedRefresh): SharedList | undefined {
    const { sharing } = this.options;
    if (sharing === undefined) return undefined;
    const known = this.lists.get(key.admitted);
    if (known !== undefined) return known.list;
    const list = sharing.share(query, this.createHolder(key, query));
    this.lists.set(key.admitted, { query, list });
    return list;
  }

  /** The queries that are registered. */
  get queries(): readonly SourceQuery[] {
    return [...this.lists.values()].map(({ query }) => query);
  }

  /** Returns the result of another instance, or fetches one where no other instance does. */
  async refresh(refresh: RequestedRefresh, fetchSnapshot: FetchSnapshot): Promise<Outcome<Snapshot>> {
    const list = this.register(refresh);
    if (list === undefined) return fetchSnapshot(undefined);
    const { store, clock } = this.options;
    let { isRequested = false } = refresh;
    for (;;) {
      const claim = await list.claim({ isRequested });
      if (claim.state === 'granted') return fetchSnapshot(claim.fetch);
      if (claim.state === 'unreachable') return fetchSnapshot(undefined);
      if (claim.state === 'rejected') {
        const { outcome, retryAt } = claim.rejection;
        return store.adoptRejection(refresh.key, outcome, retryAt);
      }
      if (claim.state === 'busy') await claim.change;
      else {
        const last = store.getLast(refresh.key);
        // It does not fit into the cache.
        if (last === undefined) return fetchSnapshot(undefined);
        if (clock.now() < last.waitAt) return last.value.outcome;
      }
      // What another instance has fetched meanwhile was fetched after the request.
      isRequested = false;
    }
  }

  /** Creates what publishes the result of a fetch. */
  createPublication(
    { key, query }: RequestedRefresh,
    fetch: SharedFetch,
    result?: RefreshResult<RefreshBasis>,
  ): RefreshPublication {
    const { store, listFormerIds } = this.options;
    return {
      publish: async (snapshot, times) => {
        const weight = result?.weight ?? store.getLast(key)?.value.weight ?? 0;
        const validators = result?.basis?.validators;
        const shared = { snapshot, validators, weight, listFormerIds: () => listFormerIds(query), ...times };
        return (await fetch.publish(shared))?.snapshot;
      },
      publishRejection: (outcome, retryAt) => {
        const shareable = withoutSnapshot(outcome);
        if (shareable === undefined) fetch.release();
        else fetch.publishRejection({ outcome: shareable, retryAt });
      },
    };
  }

  private createHolder(key: SnapshotKey, query: SourceQuery): SharedListHolder {
    const { store, onAdopt, onForget, listFormerIds } = this.options;
    return {
      held: () => {
        const last = store.getLast(key);
        if (last?.value.outcome.state !== 'fresh') return undefined;
        const { outcome, basis, weight } = last.value;
        const { waitAt, unusableAt } = last;
        const { snapshot } = outcome;
        const validators = basis?.validators;
        return { snapshot, validators, weight, listFormerIds: () => listFormerIds(query), waitAt, unusableAt };
      },
      heldVersion: () => {
        const last = store.getLast(key)?.value.outcome;
        return last && findSnapshot(last)?.agreedVersion;
      },
      adopt: (shared) => {
        const { validators, weight } = shared;
        store.adopt(key, shared.snapshot, { weight, basis: { ...(validators && { validators }) } });
        onAdopt(key, query, shared);
      },
      disagree: () => {
        store.disagree(key);
      },
      forget: () => {
        store.remove(key);
        onForget();
      },
    };
  }
}

/**
 * Returns a result that replaces no snapshot as other instances can use it; undefined where it has records that they do
 * not have, or describes those of this instance.
 */
function withoutSnapshot(outcome: Outcome<Snapshot>): Outcome<never> | undefined {
  if (outcome.state === 'stale') {
    if (outcome.reason === 'shrunk') return { state: 'failed', reason: 'shrunk' };
    return outcome.reason === 'too-large' ? { state: 'partial', reason: 'too-large' } : undefined;
  }
  if (findSnapshot(outcome) !== undefined || outcome.state === 'fresh' || outcome.state === 'inconsistent')
    return undefined;
  if (outcome.state !== 'partial') return outcome;
  const { state, reason, total, via } = outcome;
  return { state, reason, ...(total !== undefined && { total }), ...(via && { via }) };
}
