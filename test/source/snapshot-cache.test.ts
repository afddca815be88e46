import { describe, expect, it } from 'vitest';
import { MemoryBudget } from '../../src/cache/memory-budget.js';
import { ExpiringStore } from '../../src/cache/expiring-store.js';
import { ChangeCounter } from '../../src/cache/change-counter.js';
import { noMeter } from '../../src/model/meter.js';
import { findSnapshot } from '../../src/model/outcome.js';
import type { Outcome } from '../../src/model/outcome.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { createSourceRequestContext } from '../../src/source/request/source-request-context.js';
import { SourceFailure } from '../../src/source/client/source-failure.js';
import type { PageResponse } from '../../src/source/body/source-fetch-types.js';
import { readParsedBody } from '../../src/source/body/parse-page-body.js';
import { toPageResponse, unpackPage } from '../../src/source/body/read-responses.js';
import type { SnapshotHistoryStore, StoredRevision } from '../../src/source/snapshot/history-store.js';
import { Source } from '../../src/source/source.js';
import type { Snapshot } from '../../src/source/snapshot/snapshot.js';
import { fakeClock } from '../support/fake-clock.js';

const TTL = 60_000;
const TEAMS = { resource: directoryTeams, scope: 'public' } as const;
const A = { 'short-team-name': 'A', 'last-modified': '2025-06-01T00:00:00+00:00' };
const B = { 'short-team-name': 'B' };

interface Stage {
  /** What the source has from here on; nothing: it fails. */
  readonly has: (records: readonly object[] | undefined, lastModified?: string) => void;
  /** What the source gives after the time to live of its snapshot. */
  readonly next: (milliseconds?: number) => Promise<Snapshot | undefined>;
  /** The outcome after the time to live for a request whose deadline is over. */
  readonly late: () => Promise<Outcome<Snapshot>>;
  /** The same gateway anew. */
  readonly restart: () => void;
  readonly now: () => number;
}

function stage(memory?: SnapshotHistoryStore): Stage {
  const clock = fakeClock();
  const stop = new AbortController();
  let given: readonly object[] | undefined;
  let dated: string | undefined;
  const header: PageResponse['header'] = (name) => (name === 'last-modified' ? dated : undefined);
  const budget = new MemoryBudget(2 ** 20);
  const made = (): Source =>
    new Source(
      {
        code: 'one',
        number: 1,
        baseUrls: { directory: 'https://irt.example.org', data: undefined },
        resources: ['teams'],
        ttl: TTL,
        staleWhileRevalidate: 0,
        staleIfError: 10 * TTL,
        confirmShrink: TTL,
        maxUnverified: 0,
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
          otherCodes: [],
          otherSourceNames: [],
        },
      },
      ({ expected: as }) =>
        given === undefined
          ? Promise.reject(new SourceFailure('connect', 'gone'))
          : toPageResponse(
              { header, bytes: 1, readAt: clock.now() },
              Promise.resolve(unpackPage(readParsedBody({ json: given, bytes: 1 }, as, clock.now()))),
            ),
      {
        store: new ExpiringStore(budget.addLevel()),
        unboundedStore: new ExpiringStore(budget.addLevel()),
        onChange: () => undefined,
        changeCounter: new ChangeCounter(),
        clock,
        log: { info: () => undefined, warn: () => undefined, error: () => undefined },
        meter: noMeter,
        gatewayName: 'rollcall',
        maxDrainBytes: 2 ** 20,
        maxLargeListBytes: 2 ** 20,
        random: () => 0,
        ...(memory && { historyStore: memory }),
        stop: stop.signal,
      },
    );
  let source = made();
  return {
    has: (records, lastModified) => {
      [given, dated] = [records, lastModified];
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
      source = made();
    },
    now: () => clock.now(),
  };
}

describe('a refresh', () => {
  it('that brings the same records in another order leaves the set that was held, and since when it is so', async () => {
    const { has, next } = stage();
    has([A, B]);
    const first = await next();
    has([B, A]);
    const second = await next();
    expect(second?.set).toBe(first?.set);
    expect(second).toMatchObject({ since: first?.since, fetchedAt: (first?.fetchedAt ?? 0) + TTL });
    has([A]);
    const third = await next();
    expect(third?.set).not.toBe(first?.set);
    expect(third?.since).toBe((first?.since ?? 0) + 2 * TTL);
  });

  it('never shows the date that a source says as taken back, and a newer one as a change', async () => {
    const { has, next, now } = stage();
    has([A], 'Sun, 01 Jun 2025 00:00:10 GMT');
    const first = await next();
    has([A], 'Sun, 01 Jun 2025 00:00:05 GMT');
    expect(await next()).toMatchObject({ since: first?.since, lastModified: Date.UTC(2025, 5, 1, 0, 0, 10) });
    has([A]);
    expect(await next()).toMatchObject({ since: first?.since, lastModified: Date.UTC(2025, 5, 1, 0, 0, 10) });
    has([A], 'Sun, 01 Jun 2025 00:00:20 GMT');
    const advanced = await next();
    expect(advanced).toMatchObject({ since: now(), lastModified: Date.UTC(2025, 5, 1, 0, 0, 20) });
    expect(advanced?.set).toBe(first?.set);
  });

  it('after one that failed is a change, though the set is the same', async () => {
    const { has, next, now } = stage();
    has([A]);
    const first = await next();
    has(undefined);
    expect((await next())?.set).toBe(first?.set);
    has([A]);
    const back = await next();
    expect(back?.set).toBe(first?.set);
    expect(back).toMatchObject({ since: now(), floor: Date.UTC(2025, 5, 1) });
  });

  it('that ends after the deadline of a request is a change, though the set is the same, for the snapshot stood in', async () => {
    const { has, next, late, now } = stage();
    has([A]);
    const first = await next();
    expect(await late()).toMatchObject({ state: 'stale', reason: 'timeout' });
    const back = await next(0);
    expect(back?.set).toBe(first?.set);
    expect(back?.since).toBe(now());
  });

  it('that is believed only when it is seen again counts from when it is shown', async () => {
    const { has, next, now } = stage();
    const many = Array.from({ length: 30 }, (_, at) => ({ 'short-team-name': `T${at}` }));
    has(many);
    await next();
    has([A]);
    expect((await next())?.set.records).toHaveLength(30);
    const less = await next();
    expect(less?.set.records).toHaveLength(1);
    expect(less?.since).toBe(now());
  });
});

interface Remembering extends SnapshotHistoryStore {
  /** All that was ever to be remembered, of the one snapshot that there is. */
  readonly kept: StoredRevision[];
  /** When nothing is waited for any more. */
  readonly settled: () => Promise<unknown>;
}

/** A memory of one snapshot. */
function remembering(): Remembering {
  const kept: StoredRevision[] = [];
  const works: Promise<void>[] = [];
  return {
    kept,
    forgotten: { copies: false, items: false },
    get: () => kept.at(-1),
    set: (_, remembered) => void kept.push(remembered),
    forget: () => undefined,
    recordCount: () => undefined,
    setRecordCount: () => undefined,
    addPendingWork: (work) => void works.push(work),
    settled: () => Promise.all(works),
  };
}

describe('what is remembered across a restart', () => {
  it('is since when a snapshot is as it is, and with which date it was shown', async () => {
    const memory = remembering();
    const { has, next, restart, now } = stage(memory);
    has([A, B]);
    const first = await next();
    await memory.settled();
    restart();
    has([B, A]);
    expect(await next()).toMatchObject({ since: first?.since });
    await memory.settled();
    restart();
    has([A]);
    expect(await next()).toMatchObject({ since: now(), floor: Date.UTC(2025, 5, 1) });
    await memory.settled();
    const changed = now();
    restart();
    expect(await next()).toMatchObject({ since: changed, floor: Date.UTC(2025, 5, 1) });
  });

  it('is that it was shown, from the first moment on, and that it was superseded', async () => {
    const memory = remembering();
    const { has, next, restart, now } = stage(memory);
    has([A]);
    await next();
    await memory.settled();
    const shown = { since: now(), lastModified: -Infinity };
    const date = Date.UTC(2025, 5, 1);
    const fingerprint = expect.any(String) as unknown;
    expect(memory.kept).toEqual([
      { ...shown, newest: Infinity },
      { ...shown, newest: date, fingerprint },
    ]);
    has(undefined);
    await next();
    await next();
    expect(memory.kept.slice(2)).toEqual([{ ...shown, newest: date }]);
    restart();
    has([A]);
    expect(await next()).toMatchObject({ since: now(), floor: Date.UTC(2025, 5, 1) });
  });

  it('makes a snapshot that was forgotten a change, and no beginning', async () => {
    const { has, next, now } = stage({ ...remembering(), forgotten: { copies: true, items: true } });
    has([A]);
    expect(await next()).toMatchObject({ since: now(), floor: Infinity });
  });
});
