import { describe, expect, it } from 'vitest';
import { MemoryBudget } from '../../src/cache/memory-budget.js';
import { ExpiringStore } from '../../src/cache/expiring-store.js';
import { ChangeCounter } from '../../src/cache/change-counter.js';
import { findSnapshot } from '../../src/model/outcome.js';
import type { Outcome } from '../../src/model/outcome.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { createSourceRequestContext } from '../../src/source/request/source-request-context.js';
import { SourceFailure } from '../../src/source/client/source-failure.js';
import type { PageResponse } from '../../src/source/body/source-fetch-types.js';
import type { ReceivedBody } from '../../src/source/body/parse-page-body.js';
import { createDirectoryDialect } from '../../src/source/dialect/interface-dialects.js';
import { parseInline, toPageResponse } from '../../src/source/body/read-responses.js';
import type { SnapshotHistoryStore, StoredRevision } from '../../src/source/snapshot/history-store.js';
import { Source } from '../../src/source/source.js';
import type { Snapshot } from '../../src/source/snapshot/snapshot.js';
import { fakeClock } from '../support/fake-clock.js';

const TTL = 60_000;
const TEAMS = { resource: directoryTeams, scope: 'public' } as const;
const A = { 'short-team-name': 'A', 'last-modified': '2025-06-01T00:00:00+00:00' };
const B = { 'short-team-name': 'B' };

interface SourceScene {
  /** Sets the records of the source; undefined: the source fails. */
  readonly setRecords: (records: readonly object[] | undefined, lastModified?: string) => void;
  /** The snapshot that the source returns after the time to live. */
  readonly next: (milliseconds?: number) => Promise<Snapshot | undefined>;
  /** The outcome after the time to live for a request whose deadline has passed. */
  readonly late: () => Promise<Outcome<Snapshot>>;
  /** Recreates the source, as after a restart of the gateway. */
  readonly restart: () => void;
  readonly now: () => number;
}

function receivedBody(records: readonly object[], now: number): ReceivedBody {
  return { body: Buffer.from(JSON.stringify(records)), context: { path: '/teams' }, now };
}

function startSource(memory?: SnapshotHistoryStore): SourceScene {
  const clock = fakeClock();
  const stop = new AbortController();
  let currentRecords: readonly object[] | undefined;
  let currentLastModified: string | undefined;
  const header: PageResponse['header'] = (name) => (name === 'last-modified' ? currentLastModified : undefined);
  const budget = new MemoryBudget(2 ** 20);
  const createSource = (): Source =>
    new Source(
      {
        code: 'one',
        number: 1,
        access: 'public',
        upstreamAccess: 'public',
        showsDerivedKeys: true,
        dialects: { directory: createDirectoryDialect('https://irt.example.org'), data: undefined },
        resources: ['teams'],
        ttl: TTL,
        staleWhileRevalidate: 0,
        staleIfError: 10 * TTL,
        confirmShrink: TTL,
        required: false,
        drainThreshold: Infinity,
        tolerates: [],
        supports: {},
        pageSize: 100,
        concurrency: 1,
        provenance: {
          sourceName: 'one',
          sourceNumber: 1,
          isAggregate: false,
          codes: ['one'],
          registeredCodes: [],
          otherSourceNames: [],
        },
      },
      ({ expected: as }) =>
        currentRecords === undefined
          ? Promise.reject(new SourceFailure('connect', 'gone'))
          : toPageResponse(
              { header, bytes: 1, readAt: clock.now() },
              parseInline(receivedBody(currentRecords, clock.now()), as),
            ),
      {
        store: new ExpiringStore(budget.addLevel()),
        unboundedStore: new ExpiringStore(budget.addLevel()),
        onChange: () => undefined,
        changeCounter: new ChangeCounter(),
        clock,
        publish: () => undefined,
        gatewayName: 'rollcall',
        maxDrainBytes: 2 ** 20,
        maxLargeListBytes: 2 ** 20,
        random: () => 0,
        ...(memory && { historyStore: memory }),
        stop: stop.signal,
      },
    );
  let source = createSource();
  return {
    setRecords: (records, lastModified) => {
      [currentRecords, currentLastModified] = [records, lastModified];
    },
    next: async (milliseconds = TTL) => {
      clock.advance(milliseconds);
      return findSnapshot(await source.getRecords(TEAMS, createSourceRequestContext(new AbortController().signal)));
    },
    late: () => {
      clock.advance(TTL);
      return source.getRecords(TEAMS, createSourceRequestContext(AbortSignal.abort()));
    },
    restart: () => {
      source = createSource();
    },
    now: () => clock.now(),
  };
}

describe('refresh of a snapshot', () => {
  it('keeps the cached record set and its date where the same records come in another order', async () => {
    const { setRecords, next } = startSource();
    setRecords([A, B]);
    const first = await next();
    setRecords([B, A]);
    const second = await next();
    expect(second?.set).toBe(first?.set);
    expect(second).toMatchObject({ since: first?.since, fetchedAt: (first?.fetchedAt ?? 0) + TTL });
    setRecords([A]);
    const third = await next();
    expect(third?.set).not.toBe(first?.set);
    expect(third?.since).toBe((first?.since ?? 0) + 2 * TTL);
  });

  it('never moves the Last-Modified of a source back, and treats a newer one as a change', async () => {
    const { setRecords, next, now } = startSource();
    setRecords([A], 'Sun, 01 Jun 2025 00:00:10 GMT');
    const first = await next();
    setRecords([A], 'Sun, 01 Jun 2025 00:00:05 GMT');
    expect(await next()).toMatchObject({ since: first?.since, lastModified: Date.UTC(2025, 5, 1, 0, 0, 10) });
    setRecords([A]);
    expect(await next()).toMatchObject({ since: first?.since, lastModified: Date.UTC(2025, 5, 1, 0, 0, 10) });
    setRecords([A], 'Sun, 01 Jun 2025 00:00:20 GMT');
    const advanced = await next();
    expect(advanced).toMatchObject({ since: now(), lastModified: Date.UTC(2025, 5, 1, 0, 0, 20) });
    expect(advanced?.set).toBe(first?.set);
  });

  it('counts as a change after a failed refresh, though the set is the same', async () => {
    const { setRecords, next, now } = startSource();
    setRecords([A]);
    const first = await next();
    setRecords(undefined);
    expect((await next())?.set).toBe(first?.set);
    setRecords([A]);
    const back = await next();
    expect(back?.set).toBe(first?.set);
    expect(back).toMatchObject({ since: now(), floor: Date.UTC(2025, 5, 1) });
  });

  it('counts as a change after the old snapshot was served at a deadline, though the set is the same', async () => {
    const { setRecords, next, late, now } = startSource();
    setRecords([A]);
    const first = await next();
    expect(await late()).toMatchObject({ state: 'stale', reason: 'timeout' });
    const back = await next(0);
    expect(back?.set).toBe(first?.set);
    expect(back?.since).toBe(now());
  });

  it('dates a confirmed shrink from the first response that shows it', async () => {
    const { setRecords, next, now } = startSource();
    const many = Array.from({ length: 30 }, (_, at) => ({ 'short-team-name': `T${at}` }));
    setRecords(many);
    await next();
    setRecords([A]);
    expect((await next())?.set.records).toHaveLength(30);
    const less = await next();
    expect(less?.set.records).toHaveLength(1);
    expect(less?.since).toBe(now());
  });
});

interface MemoryHistoryStore extends SnapshotHistoryStore {
  /** Every revision stored for the one snapshot, oldest first. */
  readonly revisions: StoredRevision[];
  /** Resolves when all pending work has ended. */
  readonly settled: () => Promise<unknown>;
}

/** A history store in memory for one snapshot. */
function memoryHistoryStore(): MemoryHistoryStore {
  const revisions: StoredRevision[] = [];
  const keys = new Set<string>();
  const works: Promise<void>[] = [];
  return {
    revisions,
    forgotten: { copies: false, items: false },
    replacedAt: undefined,
    get: (key) => (keys.has(key) ? revisions.at(-1) : undefined),
    set: (key, remembered) => {
      keys.add(key);
      revisions.push(remembered);
    },
    forget: () => undefined,
    recordCount: () => undefined,
    setRecordCount: () => undefined,
    addPendingWork: (work) => void works.push(work),
    settled: () => Promise.all(works),
  };
}

describe('history across a restart', () => {
  it('keeps the date of the last change and the date of earlier responses', async () => {
    const memory = memoryHistoryStore();
    const { setRecords, next, restart, now } = startSource(memory);
    setRecords([A, B]);
    const first = await next();
    await memory.settled();
    restart();
    setRecords([B, A]);
    expect(await next()).toMatchObject({ since: first?.since });
    await memory.settled();
    restart();
    setRecords([A]);
    expect(await next()).toMatchObject({ since: now(), floor: Date.UTC(2025, 5, 1) });
    await memory.settled();
    const changed = now();
    restart();
    expect(await next()).toMatchObject({ since: changed, floor: Date.UTC(2025, 5, 1) });
  });

  it('stores a revision when the snapshot is first served, and when it is superseded', async () => {
    const memory = memoryHistoryStore();
    const { setRecords, next, restart, now } = startSource(memory);
    setRecords([A]);
    await next();
    await memory.settled();
    const shown = { since: now(), lastModified: -Infinity };
    const date = Date.UTC(2025, 5, 1);
    const fingerprint = expect.any(String) as unknown;
    expect(memory.revisions).toEqual([
      { ...shown, newest: Infinity },
      { ...shown, newest: date, fingerprint },
    ]);
    setRecords(undefined);
    await next();
    await next();
    expect(memory.revisions.slice(2)).toEqual([{ ...shown, newest: date }]);
    restart();
    setRecords([A]);
    expect(await next()).toMatchObject({ since: now(), floor: Date.UTC(2025, 5, 1) });
  });

  it('treats a snapshot that the store dropped as changed', async () => {
    const { setRecords, next, now } = startSource({
      ...memoryHistoryStore(),
      forgotten: { copies: true, items: true },
    });
    setRecords([A]);
    expect(await next()).toMatchObject({ since: now(), floor: Infinity });
  });
});
