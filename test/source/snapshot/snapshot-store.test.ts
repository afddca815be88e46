import { describe, expect, it } from 'vitest';
import { MemoryBudget } from '../../../src/cache/memory-budget.js';
import { ExpiringStore } from '../../../src/cache/expiring-store.js';
import { ChangeCounter } from '../../../src/cache/change-counter.js';
import type { Outcome } from '../../../src/model/outcome.js';
import { findSnapshot } from '../../../src/model/outcome.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { RecordSet } from '../../../src/records/record-set.js';
import { SnapshotHistory } from '../../../src/source/snapshot/change-history.js';
import { ShrinkGuard } from '../../../src/source/snapshot/shrink-guard.js';
import type { Snapshot, SnapshotKey } from '../../../src/source/snapshot/snapshot.js';
import { SnapshotStore } from '../../../src/source/snapshot/snapshot-store.js';
import { fakeClock } from '../../support/fake-clock.js';
import { firstSource } from '../../support/gateway/first-source.js';
import { packRecords } from '../../support/unit/pack-records.js';

const TTL = 60_000;
const STALE_WHILE_REVALIDATE = 30_000;
const STALE_IF_ERROR = 600_000;
const CONFIRM = 120_000;

const UNSIZED: SnapshotKey = {
  resource: directoryTeams,
  admitted: 'public teams',
  rejected: 'public rejected teams',
  minRecords: Infinity,
  kind: 'list',
  confirmsSize: true,
  isLarge: false,
};

const KEY: SnapshotKey = { ...UNSIZED, sizeKey: 'public teams' };

interface StoreScene {
  readonly store: SnapshotStore<never>;
  readonly changeCounter: ChangeCounter;
  readonly warnings: object[];
  /** A snapshot with the given number of records, fetched now. */
  readonly makeSnapshot: (records: number) => Snapshot;
  /** The state of the store after the given milliseconds, with the state and reason of the outcome, if any. */
  readonly after: (milliseconds: number, key?: SnapshotKey) => string;
}

function startStore(): StoreScene {
  const clock = fakeClock();
  const [changeCounter, warnings] = [new ChangeCounter(), [] as object[]];
  const store = new SnapshotStore<never>({
    number: 1,
    policy: {
      ttl: TTL,
      staleWhileRevalidate: STALE_WHILE_REVALIDATE,
      staleIfError: STALE_IF_ERROR,
      drainThreshold: 100,
      shrinkGuard: new ShrinkGuard(CONFIRM, STALE_IF_ERROR),
    },
    store: new ExpiringStore(new MemoryBudget(2 ** 20).addLevel()),
    history: new SnapshotHistory(),
    changeCounter,
    onChange: () => undefined,
    onAdmit: () => undefined,
    clock,
    publish: (event) => warnings.push(event),
  });
  return {
    store,
    changeCounter,
    warnings,
    makeSnapshot: (records) => {
      const [now, staleAt] = [clock.now(), clock.now() + TTL];
      const given = Array.from({ length: records }, (_, at) => ({ id: `one.${at}` }));
      return {
        set: new RecordSet(directoryTeams, firstSource, packRecords(directoryTeams, given)),
        fetchedAt: now,
        verifiedAt: now,
        staleAt,
        since: now,
        via: [],
        leases: [{ verifiedAt: now, staleAt, waitAt: staleAt + STALE_WHILE_REVALIDATE, refreshing: false }],
      };
    },
    after: (milliseconds, key = KEY) => {
      clock.advance(milliseconds);
      const now = store.read(key);
      const { state } = now;
      return 'outcome' in now && 'reason' in now.outcome
        ? `${state}: ${now.outcome.state} ${now.outcome.reason}`
        : state;
    },
  };
}

const fresh = (makeSnapshot: Snapshot): { readonly outcome: Outcome<Snapshot> } => ({
  outcome: { state: 'fresh', snapshot: makeSnapshot },
});

describe('snapshot store', () => {
  it('reports a snapshot as fresh, stale, expired and gone, each from the exact millisecond on', async () => {
    const { store, makeSnapshot, after } = startStore();
    expect(after(0)).toBe('none');
    await store.report(KEY, fresh(makeSnapshot(3)));
    expect(after(TTL - 1)).toBe('fresh');
    expect(after(1)).toBe('stale');
    expect(after(STALE_WHILE_REVALIDATE - 1)).toBe('stale');
    expect(after(1)).toBe('expired');
    expect(after(STALE_IF_ERROR - STALE_WHILE_REVALIDATE - 1)).toBe('expired');
    expect(after(1)).toBe('none');
  });

  it('returns the snapshot without a new request for two seconds after a failure, and then as stale with the reason', async () => {
    const { store, makeSnapshot, after } = startStore();
    await store.report(KEY, fresh(makeSnapshot(3)));
    expect(after(TTL)).toBe('stale');
    store.fail(KEY, { state: 'failed', reason: 'timeout' });
    expect(after(1_999)).toBe('rejected: stale timeout');
    expect(after(1)).toBe('stale: stale timeout');
    expect(after(STALE_WHILE_REVALIDATE)).toBe('expired');
    await store.report(KEY, fresh(makeSnapshot(3)));
    expect(after(0)).toBe('fresh');
  });

  it('treats a snapshot as expired after a newer doubtful result was returned', async () => {
    const { store, makeSnapshot, after } = startStore();
    await store.report(KEY, fresh(makeSnapshot(3)));
    after(TTL);
    await store.report(KEY, { outcome: { state: 'inconsistent', reason: 'drift', snapshot: makeSnapshot(2) } });
    expect(after(4_999)).toBe('rejected: inconsistent drift');
    expect(after(1)).toBe('expired');
  });

  it('returns the snapshot instead of a partial result with far fewer records', async () => {
    const { store, makeSnapshot, after } = startStore();
    await store.report(KEY, fresh(makeSnapshot(30)));
    after(TTL);
    await store.report(KEY, { outcome: { state: 'partial', reason: 'offset', snapshot: makeSnapshot(10) } });
    expect(after(0)).toBe('rejected: stale offset');
  });

  it('returns a loop without a new request for five seconds, then during refreshes until stale-if-error ends', async () => {
    const { store, after } = startStore();
    await store.report(KEY, { outcome: { state: 'excluded', reason: 'loop' } });
    expect(after(4_999)).toBe('rejected: excluded loop');
    expect(after(1)).toBe('excluded: excluded loop');
    expect(after(STALE_IF_ERROR - 5_000)).toBe('none');
  });

  it('prefers a later loop to the snapshot, and the snapshot to an earlier loop', async () => {
    const { store, makeSnapshot, after } = startStore();
    const loop = { outcome: { state: 'excluded', reason: 'loop' } } as const;
    await store.report(KEY, loop);
    after(5_000);
    await store.report(KEY, fresh(makeSnapshot(3)));
    expect(after(TTL + STALE_WHILE_REVALIDATE)).toBe('expired');
    await store.report(KEY, loop);
    expect(after(5_000)).toBe('excluded: excluded loop');
  });

  it('does not return top records to a request that needs more of them, but keeps them as a base for reading on', async () => {
    const { store, makeSnapshot, after } = startStore();
    const short = makeSnapshot(2);
    const set = new RecordSet(directoryTeams, firstSource, short.set.records, { unfetchedCount: 5 });
    const front = { ...KEY, minRecords: 2 };
    await store.report(front, fresh({ ...short, set }));
    expect(after(0, front)).toBe('fresh');
    expect(after(0, { ...front, minRecords: 3 })).toBe('none');
    expect(store.getLast({ ...front, minRecords: 3 }, true)).toBeDefined();
  });
});

describe('a result with far fewer records', () => {
  it('is not admitted until it is confirmed, and the old snapshot is served for one time to live', async () => {
    const { store, makeSnapshot, after, warnings } = startStore();
    await store.report(KEY, fresh(makeSnapshot(30)));
    after(TTL);
    await store.report(KEY, fresh(makeSnapshot(10)));
    expect(after(TTL - 1)).toBe('rejected: stale shrunk');
    expect(warnings).toEqual([{ type: 'source returned far fewer records than before', records: 10, before: 30 }]);
    after(CONFIRM);
    const outcome = await store.report(KEY, fresh(makeSnapshot(10)));
    expect([outcome.state, findSnapshot(outcome)?.set.totalCount]).toEqual(['fresh', 10]);
  });

  it('is admitted where the key has no size to compare, and is never confirmed by a key other than that of the whole list', async () => {
    const { store, makeSnapshot, after } = startStore();
    await store.report(KEY, fresh(makeSnapshot(30)));
    const filtered: SnapshotKey = { ...UNSIZED, admitted: 'public filtered', rejected: 'public rejected filtered' };
    expect((await store.report(filtered, fresh(makeSnapshot(1)))).state).toBe('fresh');
    const sorted: SnapshotKey = {
      ...KEY,
      admitted: 'public sorted',
      rejected: 'public rejected sorted',
      confirmsSize: false,
    };
    for (const milliseconds of [0, CONFIRM]) {
      after(milliseconds);
      expect((await store.report(sorted, fresh(makeSnapshot(10)))).state).toBe('failed');
    }
  });

  it('with reason too-large is reported only where no snapshot can be served instead', async () => {
    const { store, makeSnapshot, after } = startStore();
    const tooLarge: Outcome<Snapshot> = { state: 'partial', reason: 'too-large', total: 1_000 };
    expect(await store.report(KEY, { outcome: tooLarge })).toBe(tooLarge);
    expect(store.availability(KEY)).toBe('too-large');
    await store.report(KEY, fresh(makeSnapshot(600)));
    after(TTL);
    expect(await store.report(KEY, { outcome: tooLarge })).toMatchObject({ state: 'stale', reason: 'too-large' });
  });
});

describe('leases of a snapshot', () => {
  it('report a refresh in progress, and are extended by the next snapshot where nothing has changed', async () => {
    const { store, makeSnapshot, after, changeCounter } = startStore();
    const first = makeSnapshot(3);
    const given = findSnapshot(await store.report(KEY, fresh(first)));
    const { changes } = changeCounter;
    after(TTL);
    const end = store.markRefreshing(KEY);
    expect(given?.leases).toMatchObject([{ refreshing: true }]);
    await store.report(KEY, fresh({ ...makeSnapshot(3), set: first.set }));
    end();
    const staleAt = (given?.staleAt ?? 0) + TTL;
    expect(given?.leases).toMatchObject([{ refreshing: false, staleAt, waitAt: staleAt + STALE_WHILE_REVALIDATE }]);
    expect(changeCounter.changes).toBe(changes);
  });
});
