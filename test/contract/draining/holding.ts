import { expect, it } from 'vitest';
import { fakeClock } from '../../support/clock.js';
import * as mischief from '../../support/mischief.js';
import type { Bench } from './bench.js';

/** Held copies, and the drain that all share. */
export function holdsCopies(bench: Bench): void {
  const { dialect } = bench;

  it('in one drain for fifty requests at a time', async () => {
    const upstream = await bench.upstream(dialect.serve(dialect.records(250)));
    const rollcall = await bench.rollcall({ sources: { one: dialect.source(upstream.address) } });
    const answers = await Promise.all(Array.from({ length: 50 }, () => bench.all(rollcall)));
    for (const answer of answers) expect(bench.seen(answer).names).toEqual(bench.names(250));
    expect(upstream.requests).toHaveLength(3);
  });

  it('for its time to live, and asks again after it', async () => {
    const clock = fakeClock();
    const upstream = await bench.upstream(dialect.serve(dialect.records(30)));
    const sources = { one: dialect.source(upstream.address) };
    const rollcall = await bench.rollcall(
      { defaults: { ttl: '60s', 'stale-while-revalidate': '0s' }, sources },
      { clock },
    );
    await bench.all(rollcall);
    const asked = upstream.requests.length;
    upstream.answering = dialect.serve(dialect.records(31));
    clock.advance(59_999);
    const held = await bench.all(rollcall);
    expect(bench.seen(held)).toMatchObject({ total: 30, sourceStatus: 'one;state=fresh;records=30;age=59' });
    expect(held.headers.get('cache-control')).toBe('public, max-age=0, stale-while-revalidate=0');
    expect(upstream.requests).toHaveLength(asked);
    clock.advance(1);
    expect(bench.seen(await bench.all(rollcall))).toMatchObject({ names: bench.names(31), total: 31 });
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
    const rollcall = await bench.rollcall({ defaults: { 'stale-while-revalidate': '0s' }, sources }, { clock });
    expect((await bench.all(rollcall)).headers.get('cache-control')).toMatch(`public, max-age=${seconds},`);
    upstream.answering = dialect.serve(dialect.records(31));
    clock.advance(seconds * 1_000 - 1);
    expect(bench.seen(await bench.all(rollcall)).names).toEqual(bench.names(30));
    clock.advance(1);
    expect(bench.seen(await bench.all(rollcall)).names).toEqual(bench.names(31));
  });

  it('for as long as the page allows that allows least', async () => {
    const hasty = dialect.serve(dialect.records(250), { headers: { 'Cache-Control': 'max-age=7' } });
    const patient = dialect.serve(dialect.records(250), { headers: { 'Cache-Control': 'max-age=50' } });
    const { got } = await bench.drain(mischief.when(mischief.atOffset(200), hasty, patient));
    expect(got.headers.get('cache-control')).toBe('public, max-age=7, stale-while-revalidate=7');
  });

  it('for up to a tenth less, by chance, so that sources are not refreshed in step', async () => {
    const upstream = await bench.upstream(dialect.serve(dialect.records(30)));
    const sources = { one: dialect.source(upstream.address), other: dialect.source(upstream.address) };
    const draws = [0.5, 0.25];
    const random = (): number => draws.shift() ?? 0;
    const rollcall = await bench.rollcall({ sources }, { clock: fakeClock(), random });
    const left = await Promise.all(
      ['one', 'other'].map(async (name) => {
        const { headers } = await rollcall.get(`${dialect.list}?limit=0&source-name=${name}`);
        return headers.get('cache-control');
      }),
    );
    expect(left.sort()).toEqual([
      'public, max-age=57, stale-while-revalidate=57',
      'public, max-age=58, stale-while-revalidate=58',
    ]);
  });

  it('also when the drain outlives the deadline: the next answer has its records', async () => {
    const gate = mischief.held(dialect.serve(dialect.records(30)));
    const upstream = await bench.upstream(gate.answering);
    const sources = { one: dialect.source(upstream.address) };
    const rollcall = await bench.rollcall({ server: { deadline: '2s' }, sources });
    const late = await bench.all(rollcall);
    expect(late.status).toBe(504);
    expect(bench.seen(late).sourceStatus).toBe('one;state=failed;reason=timeout');
    gate.release();
    expect(bench.seen(await bench.all(rollcall))).toMatchObject({ status: 200, names: bench.names(30) });
    expect(upstream.requests.filter(mischief.atOffset(0))).toHaveLength(1);
  });

  it('and a failure only for two seconds: a source that is well again is asked again', async () => {
    const clock = fakeClock();
    const upstream = await bench.upstream(mischief.status(503));
    const rollcall = await bench.rollcall({ sources: { one: dialect.source(upstream.address) } }, { clock });
    expect((await bench.all(rollcall)).status).toBe(502);
    const asked = upstream.requests.length;
    upstream.answering = dialect.serve(dialect.records(30));
    clock.advance(1_999);
    expect((await bench.all(rollcall)).status).toBe(502);
    expect(upstream.requests).toHaveLength(asked);
    clock.advance(1);
    expect(bench.seen(await bench.all(rollcall))).toMatchObject({ status: 200, names: bench.names(30) });
  });

  it('and a copy in doubt only for a few seconds', async () => {
    const clock = fakeClock();
    const upstream = await bench.upstream(dialect.serve(dialect.records(30), { total: 1 }));
    const rollcall = await bench.rollcall({ sources: { one: dialect.source(upstream.address) } }, { clock });
    await bench.all(rollcall);
    upstream.answering = dialect.serve(dialect.records(30));
    clock.advance(6_000);
    expect(bench.seen(await bench.all(rollcall)).sourceStatus).toBe('one;state=fresh;records=30;age=0');
  });
}
