import { expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { GatewayResponse } from '../../support/gateway/test-gateway.js';
import { neverResponds } from '../../support/upstream/upstream-server.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';
import { numberedRecord } from './contract-fixture.js';
import type { ContractFixture } from './contract-fixture.js';

/** Several sources, one answer (decisions.md, section 6). */
export function testFanOut(bench: ContractFixture): void {
  const { dialect } = bench;

  const two = async (
    first: RequestHandler,
    second: RequestHandler,
    defaults: object = {},
  ): Promise<GatewayResponse> => {
    const [one, other] = [await bench.upstream(first), await bench.upstream(second)];
    const sources = { one: dialect.source(one.address), other: dialect.source(other.address) };
    return bench.all(await bench.gateway({ defaults, sources }));
  };

  it('of which all gave everything: the specified envelope and no more, to be kept for a time', async () => {
    const lastModified = (): string => 'Wed, 13 May 2015 01:56:15 GMT';
    const got = await two(dialect.serve(dialect.records(3)), dialect.serve([], { lastModified }));
    expect(bench.seen(got)).toMatchObject({
      status: 200,
      names: bench.names(3),
      sources: undefined,
      sourceStatus: 'one;state=fresh;records=3;age=0, other;state=fresh;records=0;age=0',
    });
    expect(got.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=60');
    expect(got.headers.get('last-modified')).toBe('Wed, 13 May 2015 01:56:15 GMT');
  });

  it('of which one failed: what the others have, told in header and envelope, and not to be kept', async () => {
    const lastModified = (): string => 'Wed, 13 May 2015 01:56:15 GMT';
    const got = await two(dialect.serve(dialect.records(3), { lastModified }), faulty.status(500));
    expect(bench.seen(got)).toMatchObject({
      status: 200,
      names: bench.names(3),
      total: 3,
      sources: [{ 'source-name': 'other', state: 'failed', reason: 'status', status: 500 }],
      sourceStatus: 'one;state=fresh;records=3;age=0, other;state=failed;reason=status;status=500',
    });
    expect(got.headers.get('cache-control')).toBe('no-store');
    expect(got.headers.get('last-modified')).toBeNull();
    expect(Object.keys(numberedRecord(got.json)).slice(-2)).toEqual(['sources', 'data']);
  });

  it('of which all failed: 502 with the sources, never an empty list', async () => {
    const [one, other] = [await bench.upstream(faulty.status(500)), await bench.upstream(neverResponds)];
    // The first one has all the time that it may need on a busy machine.
    const sources = { one: dialect.source(one.address), other: { ...dialect.source(other.address), timeout: '150ms' } };
    const got = await bench.all(await bench.gateway({ sources }));
    expect(got.status).toBe(502);
    expect(got.headers.get('cache-control')).toBe('no-store');
    expect(numberedRecord(got.json)).not.toHaveProperty('data');
    expect(bench.seen(got).sources).toEqual([
      { 'source-name': 'one', state: 'failed', reason: 'status', status: 500 },
      { 'source-name': 'other', state: 'failed', reason: 'timeout' },
    ]);
  });

  it('of which none came in time: 504', async () => {
    const got = await two(neverResponds, neverResponds, { timeout: '150ms' });
    expect(got.status).toBe(504);
    expect(bench.seen(got).sourceStatus).toBe('one;state=failed;reason=timeout, other;state=failed;reason=timeout');
  });

  it('of which none has a hit: 200 and a total of 0', async () => {
    const got = await two(dialect.serve([]), dialect.serve([]));
    expect(bench.seen(got)).toMatchObject({ status: 200, names: [], total: 0 });
  });

  it('and asks only the ones that a source-name names', async () => {
    const [one, other] = [await bench.upstream(neverResponds), await bench.upstream(dialect.serve(dialect.records(3)))];
    const sources = { one: dialect.source(one.address), other: dialect.source(other.address) };
    const gateway = await bench.gateway({ sources });
    const got = await gateway.get(`${dialect.list}?envelope=true&source-name=OTHER`);
    expect(bench.seen(got)).toMatchObject({
      names: bench.names(3),
      sourceStatus: 'one;state=excluded;reason=source-name, other;state=fresh;records=3;age=0',
    });
    expect(one.requests).toHaveLength(0);
    expect(got.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=60');
  });
}
