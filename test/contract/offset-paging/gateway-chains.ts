import { expect, it } from 'vitest';
import type { TestGateway } from '../../support/gateway/test-gateway.js';
import { neverResponds } from '../../support/upstream/upstream-server.js';
import type { OffsetFixture } from './offset-fixture.js';

/** Gateways whose sources are gateways (decisions 5.21, 5.22). */
export function testGatewayChains(fixture: OffsetFixture): void {
  const { dialect } = fixture;

  /** Starts a gateway whose aggregate is another gateway. */
  const startAbove = (below: TestGateway, name: string): Promise<TestGateway> => {
    const address = `${below.origin}${dialect.list.replace(/\/[^/]*$/, '')}`;
    const source = { ...dialect.source(address), aggregate: true };
    return fixture.gateway({ server: { name }, sources: { below: source } });
  };

  it('is complete when the lower gateway is, and names both gateways in Via', async () => {
    const upstream = await fixture.upstream(dialect.serve(dialect.records(30)));
    const lower = await fixture.gateway({
      server: { name: 'low' },
      sources: { one: dialect.source(upstream.address) },
    });
    const response = await fixture.fetchAll(await startAbove(lower, 'high'));
    expect(fixture.readList(response)).toMatchObject({
      names: fixture.names(30),
      sourceStatus: 'below;state=fresh;records=30;age=0',
    });
    expect(response.headers.get('via')).toBe('1.1 low, 1.1 high');
  });

  it('is partial with reason upstream when the lower gateway is partial', async () => {
    const [good, bad] = [
      await fixture.upstream(dialect.serve(dialect.records(30))),
      await fixture.upstream(neverResponds),
    ];
    const sources = { one: dialect.source(good.address), other: { ...dialect.source(bad.address), timeout: '150ms' } };
    const lower = await fixture.gateway({ sources });
    const response = await fixture.fetchAll(await startAbove(lower, 'high'));
    expect(fixture.readList(response)).toMatchObject({
      status: 200,
      names: fixture.names(30),
      sources: [{ 'source-name': 'below', state: 'partial', reason: 'upstream' }],
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
}
