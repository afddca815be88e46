import { expect, it } from 'vitest';
import type { TestGateway } from '../../support/gateway/test-gateway.js';
import { neverResponds } from '../../support/upstream/upstream-server.js';
import type { ContractFixture } from './contract-fixture.js';

/** Gateways over gateways (decisions.md, section 5). */
export function testGatewayChains(bench: ContractFixture): void {
  const { dialect } = bench;

  /** A Rollcall over another one, which is its aggregate. */
  const above = (below: TestGateway, name: string): Promise<TestGateway> => {
    const address = `${below.origin}${dialect.list.replace(/\/[^/]*$/, '')}`;
    const source = { ...dialect.source(address), aggregate: true };
    return bench.gateway({ server: { name }, sources: { below: source } });
  };

  it('whose lower one is complete: so is the upper one, with all names in Via', async () => {
    const upstream = await bench.upstream(dialect.serve(dialect.records(30)));
    const lower = await bench.gateway({ server: { name: 'low' }, sources: { one: dialect.source(upstream.address) } });
    const got = await bench.all(await above(lower, 'high'));
    expect(bench.seen(got)).toMatchObject({
      names: bench.names(30),
      sourceStatus: 'below;state=fresh;records=30;age=0',
    });
    expect(got.headers.get('via')).toBe('1.1 low, 1.1 high');
  });

  it('whose lower one is partial: so is the upper one, reason upstream', async () => {
    const [good, bad] = [await bench.upstream(dialect.serve(dialect.records(30))), await bench.upstream(neverResponds)];
    const sources = { one: dialect.source(good.address), other: { ...dialect.source(bad.address), timeout: '150ms' } };
    const lower = await bench.gateway({ sources });
    const got = await bench.all(await above(lower, 'high'));
    expect(bench.seen(got)).toMatchObject({
      status: 200,
      names: bench.names(30),
      sources: [{ 'source-name': 'below', state: 'partial', reason: 'upstream' }],
    });
    expect(got.headers.get('cache-control')).toBe('no-store');
  });

  it('through which a request came already: 508', async () => {
    const upstream = await bench.upstream(dialect.serve(dialect.records(3)));
    const server = { name: 'house' };
    const gateway = await bench.gateway({ server, sources: { one: dialect.source(upstream.address) } });
    const got = await bench.all(gateway, { via: '1.1 elsewhere, 1.0 house (again)' });
    expect(got.status).toBe(508);
    expect(upstream.requests).toHaveLength(0);
  });

  it('in whose answers its own name stands: that source is excluded, reason loop', async () => {
    const headers = { Via: '1.1 elsewhere, 1.1 house' };
    const [round, good] = [
      await bench.upstream(dialect.serve(dialect.records(9), { headers })),
      await bench.upstream(dialect.serve(dialect.records(3))),
    ];
    const sources = { round: dialect.source(round.address), good: dialect.source(good.address) };
    const got = await bench.all(await bench.gateway({ server: { name: 'house' }, sources }));
    expect(bench.seen(got)).toMatchObject({
      names: bench.names(3),
      sourceStatus: 'round;state=excluded;reason=loop, good;state=fresh;records=3;age=0',
    });
  });
}
