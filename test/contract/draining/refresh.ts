import { expect, it } from 'vitest';
import { fakeClock } from '../../support/fake-clock.js';
import type { FakeClock } from '../../support/fake-clock.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { TestGateway } from '../../support/gateway/test-gateway.js';
import { neverResponds } from '../../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../../support/upstream/upstream-server.js';
import type { ContractFixture, ListResponse } from './contract-fixture.js';

/** Milliseconds of `ttl` and `stale-while-revalidate`, their defaults. */
const TTL = 60_000;
const WINDOW = 300_000;

interface Stage {
  readonly clock: FakeClock;
  readonly upstream: UpstreamServer;
  readonly gateway: TestGateway;
  readonly ask: () => Promise<ListResponse & { readonly cacheControl: string | null }>;
}

/** What is given past a copy's time to live, while it is refreshed (decisions.md, section 7). */
export function testRefresh(bench: ContractFixture): void {
  const { dialect } = bench;

  /** A Rollcall whose copy of 30 records has just come to the end of its time to live. */
  const expired = async (defaults: object = {}): Promise<Stage> => {
    const clock = fakeClock();
    const upstream = await bench.upstream(dialect.serve(dialect.records(30)));
    const sources = { one: dialect.source(upstream.address) };
    const gateway = await bench.gateway({ defaults, sources }, { clock });
    const ask: Stage['ask'] = async () => {
      const got = await bench.all(gateway);
      return { ...bench.seen(got), cacheControl: got.headers.get('cache-control') };
    };
    await ask();
    upstream.forget();
    clock.advance(TTL);
    return { clock, upstream, gateway, ask };
  };

  it('with the old copy at once, as fresh and of its age, and one refresh for all who ask', async () => {
    const { upstream, ask } = await expired();
    const gate = faulty.holdResponses(dialect.serve(dialect.records(31)));
    upstream.handler = gate.handler;
    for (const seen of await Promise.all(Array.from({ length: 50 }, ask))) {
      expect(seen).toMatchObject({
        names: bench.names(30),
        cacheControl: 'public, max-age=0, stale-while-revalidate=0',
        sources: undefined,
      });
      expect(seen.sourceStatus).toBe('one;state=fresh;records=30;age=60');
    }
    expect(upstream.requests).toHaveLength(1);
    gate.release();
    await expect.poll(async () => (await ask()).sourceStatus).toBe('one;state=fresh;records=31;age=0');
    expect(upstream.requests.filter(faulty.atOffset(0))).toHaveLength(1);
  });

  it('to the last moment of stale-while-revalidate, and then only with what is new', async () => {
    for (const [late, records] of [
      [WINDOW - 1, 30],
      [WINDOW, 31],
    ] as const) {
      const { clock, upstream, ask } = await expired();
      upstream.handler = dialect.serve(dialect.records(31));
      clock.advance(late);
      expect((await ask()).names).toEqual(bench.names(records));
    }
  });

  it('never with the old copy at once where stale-while-revalidate is 0s', async () => {
    const { upstream, ask } = await expired({ 'stale-while-revalidate': '0s' });
    upstream.handler = dialect.serve(dialect.records(31));
    expect((await ask()).names).toEqual(bench.names(31));
  });

  it('not with the old copy for longer than it may stand in for a source that fails', async () => {
    const { clock, upstream, ask } = await expired({ 'stale-if-error': '10s' });
    upstream.handler = dialect.serve(dialect.records(31));
    clock.advance(10_000);
    expect((await ask()).names).toEqual(bench.names(31));
  });

  it('as stale with the reason once the refresh has failed, still at once, and again as fresh when one succeeds', async () => {
    const { clock, upstream, ask } = await expired();
    upstream.handler = faulty.status(500);
    expect((await ask()).sourceStatus).toBe('one;state=fresh;records=30;age=60');
    const stale = 'one;state=stale;reason=status;status=500;records=30;age=60';
    await expect.poll(async () => (await ask()).sourceStatus).toBe(stale);
    expect(await ask()).toMatchObject({ cacheControl: 'no-cache', names: bench.names(30) });
    const { length } = upstream.requests;
    clock.advance(1_999);
    await ask();
    expect(upstream.requests).toHaveLength(length);
    clock.advance(1);
    // Nobody waits for a source that does not answer, and what is known of it is told.
    upstream.handler = neverResponds;
    expect((await ask()).sourceStatus).toBe('one;state=stale;reason=status;status=500;records=30;age=62');
    await expect.poll(() => upstream.requests.length).toBe(length + 1);
  });

  it('as fresh again when a later refresh succeeds', async () => {
    const { clock, upstream, ask } = await expired();
    upstream.handler = faulty.status(403);
    await ask();
    await expect.poll(async () => (await ask()).sourceStatus).toContain('state=stale');
    clock.advance(2_000);
    upstream.handler = dialect.serve(dialect.records(31));
    expect((await ask()).sourceStatus).toBe('one;state=stale;reason=status;status=403;records=30;age=62');
    await expect.poll(async () => (await ask()).sourceStatus).toBe('one;state=fresh;records=31;age=0');
  });

  it('with what is newer though in doubt, and never again with the older copy as if nothing were known', async () => {
    const { clock, upstream, ask } = await expired();
    upstream.handler = dialect.serve(dialect.records(31), { total: 1 });
    expect((await ask()).names).toEqual(bench.names(30));
    const [state, reason] = dialect.short;
    const doubt = `one;state=${state};reason=${reason};records=31;age=0`;
    await expect.poll(async () => (await ask()).sourceStatus).toBe(doubt);
    clock.advance(5_000);
    upstream.handler = dialect.serve(dialect.records(32));
    expect(await ask()).toMatchObject({
      names: bench.names(32),
      sourceStatus: 'one;state=fresh;records=32;age=0',
    });
  });
}
