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
    const rollcall = await bench.rollcall({ defaults: { ttl: '60s' }, sources }, { clock });
    await bench.all(rollcall);
    const asked = upstream.requests.length;
    upstream.answering = dialect.serve(dialect.records(31));
    clock.advance(59_999);
    const held = await bench.all(rollcall);
    expect(bench.seen(held)).toMatchObject({ total: 30, sourceStatus: 'one;state=fresh;records=30;age=59' });
    expect(held.headers.get('cache-control')).toBe('public, max-age=0');
    expect(upstream.requests).toHaveLength(asked);
    clock.advance(1);
    expect(bench.seen(await bench.all(rollcall))).toMatchObject({ names: bench.names(31), total: 31 });
  });

  it('also when the drain outlives the deadline: the next answer has its records', async () => {
    const gate = mischief.held(dialect.serve(dialect.records(30)));
    const upstream = await bench.upstream(gate.answering);
    const sources = { one: dialect.source(upstream.address) };
    const rollcall = await bench.rollcall({ server: { deadline: '300ms' }, sources });
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
