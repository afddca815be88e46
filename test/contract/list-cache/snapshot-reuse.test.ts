import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../support/fake-clock.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { MANY } from '../contract-fixture.js';
import { useDirectory } from '../directory-teams.js';

/** Cached snapshots, and the drain that concurrent requests share (decisions 6.9, 7.1). */
describe('a cached list', () => {
  const fixture = useDirectory();
  const { dialect } = fixture;

  it('serves fifty concurrent requests with one drain', async () => {
    const upstream = await fixture.upstream(dialect.serve(dialect.records(MANY)));
    const gateway = await fixture.gateway({ sources: { one: dialect.source(upstream.address) } });
    const responses = await Promise.all(Array.from({ length: 50 }, () => fixture.fetchAll(gateway)));
    for (const response of responses) expect(fixture.readList(response).names).toEqual(fixture.names(MANY));
    expect(upstream.requests).toHaveLength(await fixture.countRequests(dialect.records(MANY)));
  });

  it('serves the snapshot for its time to live, and fetches it again afterwards', async () => {
    const clock = fakeClock();
    const upstream = await fixture.upstream(dialect.serve(dialect.records(30)));
    const sources = { one: dialect.source(upstream.address) };
    const gateway = await fixture.gateway(
      { defaults: { ttl: '60s', 'stale-while-revalidate': '0s' }, sources },
      { clock },
    );
    await fixture.fetchAll(gateway);
    const requestCount = upstream.requests.length;
    upstream.handler = dialect.serve(dialect.records(31));
    clock.advance(59_999);
    const cached = await fixture.fetchAll(gateway);
    expect(fixture.readList(cached)).toMatchObject({ total: 30, sourceStatus: 'one;state=fresh;records=30;age=59' });
    expect(cached.headers.get('cache-control')).toBe('public, max-age=0, stale-while-revalidate=0');
    expect(upstream.requests).toHaveLength(requestCount);
    clock.advance(1);
    expect(fixture.readList(await fixture.fetchAll(gateway))).toMatchObject({ names: fixture.names(31), total: 31 });
  });

  it.each([
    ['max-age', { 'Cache-Control': 'max-age=20' }, 20],
    ['max-age minus Age', { 'Cache-Control': 'max-age=30', Age: '10' }, 20],
    ['s-maxage instead of max-age', { 'Cache-Control': 'max-age=40, s-maxage=20' }, 20],
    ['the minimum for no-store', { 'Cache-Control': 'no-store' }, 5],
    ['the minimum for max-age=0', { 'Cache-Control': 'max-age=0' }, 5],
    ['ttl where max-age is longer', { 'Cache-Control': 'max-age=600' }, 60],
    ['ttl where no lifetime is explicit', { 'Cache-Control': 'public' }, 60],
  ])('caches the snapshot for %s', async (_title, headers, seconds) => {
    const clock = fakeClock();
    const upstream = await fixture.upstream(dialect.serve(dialect.records(30), { headers }));
    const sources = { one: dialect.source(upstream.address) };
    const gateway = await fixture.gateway({ defaults: { 'stale-while-revalidate': '0s' }, sources }, { clock });
    expect((await fixture.fetchAll(gateway)).headers.get('cache-control')).toMatch(`public, max-age=${seconds},`);
    upstream.handler = dialect.serve(dialect.records(31));
    clock.advance(seconds * 1_000 - 1);
    expect(fixture.readList(await fixture.fetchAll(gateway)).names).toEqual(fixture.names(30));
    clock.advance(1);
    expect(fixture.readList(await fixture.fetchAll(gateway)).names).toEqual(fixture.names(31));
  });

  it('shortens the time to live by up to a tenth at random, so that sources are not refreshed in step', async () => {
    const upstream = await fixture.upstream(dialect.serve(dialect.records(30)));
    const sources = { one: dialect.source(upstream.address), other: dialect.source(upstream.address) };
    const draws = [0.5, 0.25];
    const random = (): number => draws.shift() ?? 0;
    const gateway = await fixture.gateway({ sources }, { clock: fakeClock(), random });
    const cacheControls = await Promise.all(
      ['one', 'other'].map(async (name) => {
        const { headers } = await gateway.get(`${dialect.list}?limit=0&source-name=${name}`);
        return headers.get('cache-control');
      }),
    );
    expect(cacheControls.sort()).toEqual([
      'public, max-age=57, stale-while-revalidate=57',
      'public, max-age=58, stale-while-revalidate=58',
    ]);
  });

  it('continues a drain past the deadline and serves its records in the next response', async () => {
    const gate = faulty.holdResponses(dialect.serve(dialect.records(30)));
    const upstream = await fixture.upstream(gate.handler);
    const sources = { one: dialect.source(upstream.address) };
    const gateway = await fixture.gateway({ server: { deadline: '200ms' }, sources });
    const late = await fixture.fetchAll(gateway);
    expect(late.status).toBe(504);
    expect(fixture.readList(late).sourceStatus).toBe('one;state=failed;reason=timeout');
    expect(late.headers.get('cache-status')).toContain('fwd=');
    // The drain is not waited for again.
    const further = await fixture.fetchAll(gateway);
    expect(further.status).toBe(504);
    expect(further.headers.get('cache-status')).not.toContain('fwd=');
    gate.release();
    await expect.poll(async () => (await fixture.fetchAll(gateway)).status).toBe(200);
    expect(fixture.readList(await fixture.fetchAll(gateway))).toMatchObject({ status: 200, names: fixture.names(30) });
    expect(upstream.requests.filter(fixture.isFirstPart)).toHaveLength(1);
  });

  it('does not wait again for a list that failed late', async () => {
    const clock = fakeClock();
    const gate = faulty.holdResponses(faulty.status(503));
    const upstream = await fixture.upstream(gate.handler);
    const sources = { one: { ...dialect.source(upstream.address), retries: 0 } };
    const gateway = await fixture.gateway({ server: { deadline: '1h' }, sources }, { clock });
    const first = fixture.fetchAll(gateway);
    await expect.poll(() => upstream.requests.length).toBeGreaterThan(0);
    clock.advance(2_001);
    gate.release();
    expect((await first).status).toBe(502);
    upstream.handler = faulty.holdResponses(faulty.status(503)).handler;
    clock.advance(2_000);
    expect((await fixture.fetchAll(gateway)).status).toBe(504);
  });

  it('requests a source again at once when the clock is set back after a failure', async () => {
    const clock = fakeClock();
    const upstream = await fixture.upstream(faulty.status(503));
    const gateway = await fixture.gateway({ sources: { one: dialect.source(upstream.address) } }, { clock });
    clock.advance(3_600_000);
    expect((await fixture.fetchAll(gateway)).status).toBe(502);
    upstream.handler = dialect.serve(dialect.records(30));
    clock.advance(-3_600_000);
    expect(fixture.readList(await fixture.fetchAll(gateway))).toMatchObject({ status: 200, names: fixture.names(30) });
  });

  it('caches a failure for two seconds, and then requests the source again', async () => {
    const clock = fakeClock();
    const upstream = await fixture.upstream(faulty.status(503));
    const gateway = await fixture.gateway({ sources: { one: dialect.source(upstream.address) } }, { clock });
    expect((await fixture.fetchAll(gateway)).status).toBe(502);
    const requestCount = upstream.requests.length;
    upstream.handler = dialect.serve(dialect.records(30));
    clock.advance(1_999);
    expect((await fixture.fetchAll(gateway)).status).toBe(502);
    expect(upstream.requests).toHaveLength(requestCount);
    clock.advance(1);
    expect(fixture.readList(await fixture.fetchAll(gateway))).toMatchObject({ status: 200, names: fixture.names(30) });
  });
});
