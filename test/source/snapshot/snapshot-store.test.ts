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
import { packRecords } from '../../support/pack-records.js';

const TTL = 60_000;
const STALE_WHILE_REVALIDATE = 30_000;
const STALE_IF_ERROR = 600_000;
const CONFIRM = 120_000;

const UNSIZED: SnapshotKey = {
  resource: directoryTeams,
  admitted: 'teams',
  rejected: 'rejected teams',
  minRecords: Infinity,
  kind: 'list',
  confirmsSize: true,
  isLarge: false,
};

const KEY: SnapshotKey = { ...UNSIZED, sizeKey: 'teams' };

interface Stage {
  readonly store: SnapshotStore<never>;
  readonly pulse: ChangeCounter;
  readonly warnings: object[];
  /** A copy with so many records that was fetched now. */
  readonly copy: (records: number) => Snapshot;
  /** The states, and the reason of a stale outcome, after so many milliseconds. */
  readonly after: (milliseconds: number, key?: SnapshotKey) => string;
}

function stage(): Stage {
  const clock = fakeClock();
  const [pulse, warnings] = [new ChangeCounter(), [] as object[]];
  const store = new SnapshotStore<never>({
    code: 'one',
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
    changeCounter: pulse,
    onChange: () => undefined,
    onAdmit: () => undefined,
    clock,
    log: { info: () => undefined, warn: (facts) => warnings.push(facts), error: () => undefined },
    stop: { aborted: false },
  });
  return {
    store,
    pulse,
    warnings,
    copy: (records) => {
      const [now, staleAt] = [clock.now(), clock.now() + TTL];
      const given = Array.from({ length: records }, (_, at) => ({ id: `one.${at}` }));
      return {
        set: new RecordSet(directoryTeams, 1, packRecords(directoryTeams, given)),
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

const fresh = (copy: Snapshot): { readonly outcome: Outcome<Snapshot> } => ({
  outcome: { state: 'fresh', snapshot: copy },
});

describe('a snapshot', () => {
  it('is fresh, stale, expired and gone, each from the millisecond on in which its time ends', async () => {
    const { store, copy, after } = stage();
    expect(after(0)).toBe('none');
    await store.report(KEY, fresh(copy(3)));
    expect(after(TTL - 1)).toBe('fresh');
    expect(after(1)).toBe('stale');
    expect(after(STALE_WHILE_REVALIDATE - 1)).toBe('stale');
    expect(after(1)).toBe('expired');
    expect(after(STALE_IF_ERROR - STALE_WHILE_REVALIDATE - 1)).toBe('expired');
    expect(after(1)).toBe('none');
  });

  it('stands in for a failure for two seconds, and is then what it was, with the reason', async () => {
    const { store, copy, after } = stage();
    await store.report(KEY, fresh(copy(3)));
    expect(after(TTL)).toBe('stale');
    store.fail(KEY, { state: 'failed', reason: 'timeout' });
    expect(after(1_999)).toBe('rejected: stale timeout');
    expect(after(1)).toBe('stale: stale timeout');
    expect(after(STALE_WHILE_REVALIDATE)).toBe('expired');
    await store.report(KEY, fresh(copy(3)));
    expect(after(0)).toBe('fresh');
  });

  it('is expired when a newer result in doubt was given in its place', async () => {
    const { store, copy, after } = stage();
    await store.report(KEY, fresh(copy(3)));
    after(TTL);
    await store.report(KEY, { outcome: { state: 'inconsistent', reason: 'drift', snapshot: copy(2) } });
    expect(after(4_999)).toBe('rejected: inconsistent drift');
    expect(after(1)).toBe('expired');
  });

  it('stands in for a result that lacks most of it', async () => {
    const { store, copy, after } = stage();
    await store.report(KEY, fresh(copy(30)));
    after(TTL);
    await store.report(KEY, { outcome: { state: 'partial', reason: 'offset', snapshot: copy(10) } });
    expect(after(0)).toBe('rejected: stale offset');
  });

  it('is given while a source that leads back here is asked again, and where there is none that it leads back', async () => {
    const { store, after } = stage();
    await store.report(KEY, { outcome: { state: 'excluded', reason: 'loop' } });
    expect(after(4_999)).toBe('rejected: excluded loop');
    expect(after(1)).toBe('excluded: excluded loop');
    expect(after(STALE_IF_ERROR - 5_000)).toBe('none');
  });

  it('gives way to a later result that its source leads back here, and not to an earlier one', async () => {
    const { store, copy, after } = stage();
    const loop = { outcome: { state: 'excluded', reason: 'loop' } } as const;
    await store.report(KEY, loop);
    after(5_000);
    await store.report(KEY, fresh(copy(3)));
    expect(after(TTL + STALE_WHILE_REVALIDATE)).toBe('expired');
    await store.report(KEY, loop);
    expect(after(5_000)).toBe('excluded: excluded loop');
  });

  it('is too short for a request that needs more records, though its source may extend it', async () => {
    const { store, copy, after } = stage();
    const short = copy(2);
    const set = new RecordSet(directoryTeams, 1, short.set.records, { unfetchedCount: 5 });
    const front = { ...KEY, minRecords: 2 };
    await store.report(front, fresh({ ...short, set }));
    expect(after(0, front)).toBe('fresh');
    expect(after(0, { ...front, minRecords: 3 })).toBe('none');
    expect(store.getLast({ ...front, minRecords: 3 }, true)).toBeDefined();
  });
});

describe('a far smaller result', () => {
  it('is not admitted until it is confirmed, and the snapshot stands in for as long as it would be fresh', async () => {
    const { store, copy, after, warnings } = stage();
    await store.report(KEY, fresh(copy(30)));
    after(TTL);
    await store.report(KEY, fresh(copy(10)));
    expect(after(TTL - 1)).toBe('rejected: stale shrunk');
    expect(warnings).toEqual([{ source: 'one', records: 10, before: 30 }]);
    after(CONFIRM);
    const outcome = await store.report(KEY, fresh(copy(10)));
    expect([outcome.state, findSnapshot(outcome)?.set.totalCount]).toEqual(['fresh', 10]);
  });

  it('is not looked at where the number may change at any moment, and confirmed by the whole list alone where that has one', async () => {
    const { store, copy, after } = stage();
    await store.report(KEY, fresh(copy(30)));
    const filtered = { ...UNSIZED, admitted: 'filtered', rejected: 'rejected filtered' };
    expect((await store.report(filtered, fresh(copy(1)))).state).toBe('fresh');
    const sorted = { ...KEY, admitted: 'sorted', rejected: 'rejected sorted', confirmsSize: false };
    for (const milliseconds of [0, CONFIRM]) {
      after(milliseconds);
      expect((await store.report(sorted, fresh(copy(10)))).state).toBe('failed');
    }
  });

  it('is believed of a source with too many records only where no snapshot stands in', async () => {
    const { store, copy, after } = stage();
    const tooLarge: Outcome<Snapshot> = { state: 'partial', reason: 'too-large', total: 1_000 };
    expect(await store.report(KEY, { outcome: tooLarge })).toBe(tooLarge);
    expect(store.availability(KEY)).toBe('too-large');
    await store.report(KEY, fresh(copy(600)));
    after(TTL);
    expect(await store.report(KEY, { outcome: tooLarge })).toMatchObject({ state: 'stale', reason: 'too-large' });
  });
});

describe('the leases of a snapshot', () => {
  it('say that a refresh is under way, and move on with the next snapshot where nothing has changed', async () => {
    const { store, copy, after, pulse } = stage();
    const first = copy(3);
    const given = findSnapshot(await store.report(KEY, fresh(first)));
    const { changes } = pulse;
    after(TTL);
    const end = store.markRefreshing(KEY);
    expect(given?.leases).toMatchObject([{ refreshing: true }]);
    await store.report(KEY, fresh({ ...copy(3), set: first.set }));
    end();
    const staleAt = (given?.staleAt ?? 0) + TTL;
    expect(given?.leases).toMatchObject([{ refreshing: false, staleAt, waitAt: staleAt + STALE_WHILE_REVALIDATE }]);
    expect(pulse.changes).toBe(changes);
  });
});
