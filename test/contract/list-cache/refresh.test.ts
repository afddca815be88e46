import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../support/fake-clock.js';
import type { FakeClock } from '../../support/fake-clock.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { TestGateway } from '../../support/gateway/test-gateway.js';
import { neverResponds } from '../../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../../support/upstream/upstream-server.js';
import { TTL } from '../contract-fixture.js';
import type { ListResponse } from '../contract-fixture.js';
import { useDirectory } from '../directory-teams.js';

/** Default of `stale-while-revalidate`, in milliseconds (operation 2.7.2). */
const WINDOW = 300_000;

interface ExpiredSnapshot {
  readonly clock: FakeClock;
  readonly upstream: UpstreamServer;
  readonly gateway: TestGateway;
  readonly fetchList: () => Promise<ListResponse & { readonly cacheControl: string | null }>;
}

/** What Rollcall serves while it refreshes a snapshot past its time to live (decisions 6.12, 7.2). */
describe('a list past its time to live', () => {
  const fixture = useDirectory();
  const { dialect } = fixture;

  /** Starts a gateway whose snapshot of 30 records has just reached the end of its time to live. */
  const startExpired = async (defaults: object = {}): Promise<ExpiredSnapshot> => {
    const clock = fakeClock();
    const upstream = await fixture.upstream(dialect.serve(dialect.records(30)));
    const sources = { one: dialect.source(upstream.address) };
    const gateway = await fixture.gateway({ defaults, sources }, { clock });
    const fetchList: ExpiredSnapshot['fetchList'] = async () => {
      const response = await fixture.fetchAll(gateway);
      return { ...fixture.readList(response), cacheControl: response.headers.get('cache-control') };
    };
    await fetchList();
    upstream.forget();
    clock.advance(TTL);
    return { clock, upstream, gateway, fetchList };
  };

  it('serves the old snapshot at once, fresh and with its age, and starts one refresh for all requests', async () => {
    const { upstream, fetchList } = await startExpired();
    const gate = faulty.holdResponses(dialect.serve(dialect.records(31)));
    upstream.handler = gate.handler;
    for (const list of await Promise.all(Array.from({ length: 50 }, fetchList))) {
      expect(list).toMatchObject({
        names: fixture.names(30),
        cacheControl: 'public, max-age=0, stale-while-revalidate=0',
        sources: undefined,
      });
      expect(list.sourceStatus).toBe('one;state=fresh;records=30;age=60');
    }
    expect(upstream.requests).toHaveLength(1);
    gate.release();
    await expect.poll(async () => (await fetchList()).sourceStatus).toBe('one;state=fresh;records=31;age=0');
    expect(upstream.requests.filter(fixture.isFirstPart)).toHaveLength(1);
  });

  it('serves the old snapshot until stale-while-revalidate ends, and then waits for the new one', async () => {
    for (const [late, records] of [
      [WINDOW - 1, 30],
      [WINDOW, 31],
    ] as const) {
      const { clock, upstream, fetchList } = await startExpired();
      upstream.handler = dialect.serve(dialect.records(31));
      clock.advance(late);
      expect((await fetchList()).names).toEqual(fixture.names(records));
    }
  });

  it('waits for the new snapshot when stale-while-revalidate is 0s', async () => {
    const { upstream, fetchList } = await startExpired({ 'stale-while-revalidate': '0s' });
    upstream.handler = dialect.serve(dialect.records(31));
    expect((await fetchList()).names).toEqual(fixture.names(31));
  });

  it('serves the old snapshot no longer than stale-if-error', async () => {
    const { clock, upstream, fetchList } = await startExpired({ 'stale-if-error': '10s' });
    upstream.handler = dialect.serve(dialect.records(31));
    clock.advance(10_000);
    expect((await fetchList()).names).toEqual(fixture.names(31));
  });

  it('serves the snapshot as stale with the reason, still at once, after a refresh has failed', async () => {
    const { clock, upstream, fetchList } = await startExpired();
    upstream.handler = faulty.status(500);
    expect((await fetchList()).sourceStatus).toBe('one;state=fresh;records=30;age=60');
    const stale = 'one;state=stale;reason=status;status=500;records=30;age=60';
    await expect.poll(async () => (await fetchList()).sourceStatus).toBe(stale);
    expect(await fetchList()).toMatchObject({ cacheControl: 'no-cache', names: fixture.names(30) });
    const { length } = upstream.requests;
    clock.advance(1_999);
    await fetchList();
    expect(upstream.requests).toHaveLength(length);
    clock.advance(1);
    // The response does not wait for the next refresh, and reports the last known failure.
    upstream.handler = neverResponds;
    expect((await fetchList()).sourceStatus).toBe('one;state=stale;reason=status;status=500;records=30;age=62');
    await expect.poll(() => upstream.requests.length).toBe(length + 1);
  });

  it('serves a fresh snapshot when a later refresh succeeds', async () => {
    const { clock, upstream, fetchList } = await startExpired();
    upstream.handler = faulty.status(403);
    await fetchList();
    await expect.poll(async () => (await fetchList()).sourceStatus).toContain('state=stale');
    clock.advance(2_000);
    upstream.handler = dialect.serve(dialect.records(31));
    expect((await fetchList()).sourceStatus).toBe('one;state=stale;reason=status;status=403;records=30;age=62');
    await expect.poll(async () => (await fetchList()).sourceStatus).toBe('one;state=fresh;records=31;age=0');
  });
});
