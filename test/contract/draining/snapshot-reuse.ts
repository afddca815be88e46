import { expect, it } from 'vitest';
import { fakeClock } from '../../support/fake-clock.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { ContractFixture } from './contract-fixture.js';

/** Held copies, and the drain that all share. */
export function testSnapshotReuse(bench: ContractFixture): void {
  const { dialect } = bench;

  it('in one drain for fifty requests at a time', async () => {
    const upstream = await bench.upstream(dialect.serve(dialect.records(250)));
    const gateway = await bench.gateway({ sources: { one: dialect.source(upstream.address) } });
    const answers = await Promise.all(Array.from({ length: 50 }, () => bench.all(gateway)));
    for (const answer of answers) expect(bench.seen(answer).names).toEqual(bench.names(250));
    expect(upstream.requests).toHaveLength(3);
  });

  it('for its time to live, and asks again after it', async () => {
    const clock = fakeClock();
    const upstream = await bench.upstream(dialect.serve(dialect.records(30)));
    const sources = { one: dialect.source(upstream.address) };
    const gateway = await bench.gateway(
      { defaults: { ttl: '60s', 'stale-while-revalidate': '0s' }, sources },
      { clock },
    );
    await bench.all(gateway);
    const asked = upstream.requests.length;
    upstream.handler = dialect.serve(dialect.records(31));
    clock.advance(59_999);
    const held = await bench.all(gateway);
    expect(bench.seen(held)).toMatchObject({ total: 30, sourceStatus: 'one;state=fresh;records=30;age=59' });
    expect(held.headers.get('cache-control')).toBe('public, max-age=0, stale-while-revalidate=0');
    expect(upstream.requests).toHaveLength(asked);
    clock.advance(1);
    expect(bench.seen(await bench.all(gateway))).toMatchObject({ names: bench.names(31), total: 31 });
  });

  it.each([
    ['max-age', { 'Cache-Control': 'max-age=20' }, 20],
    ['max-age, of which an Age has gone', { 'Cache-Control': 'max-age=30', Age: '10' }, 20],
    ['s-maxage before max-age', { 'Cache-Control': 'max-age=40, s-maxage=20' }, 20],
    ['no-store', { 'Cache-Control': 'no-store' }, 5],
    ['max-age of nothing', { 'Cache-Control': 'max-age=0' }, 5],
    ['more than its registered time to live', { 'Cache-Control': 'max-age=600' }, 60],
    ['nothing about its time', { 'Cache-Control': 'public' }, 60],
  ])('for as long as its source allows, within bounds: %s', async (_title, headers, seconds) => {
    const clock = fakeClock();
    const upstream = await bench.upstream(dialect.serve(dialect.records(30), { headers }));
    const sources = { one: dialect.source(upstream.address) };
    const gateway = await bench.gateway({ defaults: { 'stale-while-revalidate': '0s' }, sources }, { clock });
    expect((await bench.all(gateway)).headers.get('cache-control')).toMatch(`public, max-age=${seconds},`);
    upstream.handler = dialect.serve(dialect.records(31));
    clock.advance(seconds * 1_000 - 1);
    expect(bench.seen(await bench.all(gateway)).names).toEqual(bench.names(30));
    clock.advance(1);
    expect(bench.seen(await bench.all(gateway)).names).toEqual(bench.names(31));
  });

  it('for as long as the page allows that allows least', async () => {
    const hasty = dialect.serve(dialect.records(250), { headers: { 'Cache-Control': 'max-age=7' } });
    const patient = dialect.serve(dialect.records(250), { headers: { 'Cache-Control': 'max-age=50' } });
    const { got } = await bench.drain(faulty.when(faulty.atOffset(200), hasty, patient));
    expect(got.headers.get('cache-control')).toBe('public, max-age=7, stale-while-revalidate=7');
  });

  it('for up to a tenth less, by chance, so that sources are not refreshed in step', async () => {
    const upstream = await bench.upstream(dialect.serve(dialect.records(30)));
    const sources = { one: dialect.source(upstream.address), other: dialect.source(upstream.address) };
    const draws = [0.5, 0.25];
    const random = (): number => draws.shift() ?? 0;
    const gateway = await bench.gateway({ sources }, { clock: fakeClock(), random });
    const left = await Promise.all(
      ['one', 'other'].map(async (name) => {
        const { headers } = await gateway.get(`${dialect.list}?limit=0&source-name=${name}`);
        return headers.get('cache-control');
      }),
    );
    expect(left.sort()).toEqual([
      'public, max-age=57, stale-while-revalidate=57',
      'public, max-age=58, stale-while-revalidate=58',
    ]);
  });

  it('also when the drain outlives the deadline: the next answer has its records', async () => {
    const gate = faulty.holdResponses(dialect.serve(dialect.records(30)));
    const upstream = await bench.upstream(gate.handler);
    const sources = { one: dialect.source(upstream.address) };
    const gateway = await bench.gateway({ server: { deadline: '2s' }, sources });
    const late = await bench.all(gateway);
    expect(late.status).toBe(504);
    expect(bench.seen(late).sourceStatus).toBe('one;state=failed;reason=timeout');
    gate.release();
    expect(bench.seen(await bench.all(gateway))).toMatchObject({ status: 200, names: bench.names(30) });
    expect(upstream.requests.filter(faulty.atOffset(0))).toHaveLength(1);
  });

  it('and a failure only for two seconds: a source that is well again is asked again', async () => {
    const clock = fakeClock();
    const upstream = await bench.upstream(faulty.status(503));
    const gateway = await bench.gateway({ sources: { one: dialect.source(upstream.address) } }, { clock });
    expect((await bench.all(gateway)).status).toBe(502);
    const asked = upstream.requests.length;
    upstream.handler = dialect.serve(dialect.records(30));
    clock.advance(1_999);
    expect((await bench.all(gateway)).status).toBe(502);
    expect(upstream.requests).toHaveLength(asked);
    clock.advance(1);
    expect(bench.seen(await bench.all(gateway))).toMatchObject({ status: 200, names: bench.names(30) });
  });

  it('and a copy in doubt only for a few seconds', async () => {
    const clock = fakeClock();
    const upstream = await bench.upstream(dialect.serve(dialect.records(30), { total: 1 }));
    const gateway = await bench.gateway({ sources: { one: dialect.source(upstream.address) } }, { clock });
    await bench.all(gateway);
    upstream.handler = dialect.serve(dialect.records(30));
    clock.advance(6_000);
    expect(bench.seen(await bench.all(gateway)).sourceStatus).toBe('one;state=fresh;records=30;age=0');
  });
}
