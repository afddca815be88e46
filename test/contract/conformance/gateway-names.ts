import { expect, it } from 'vitest';
import type { ContractFixture } from './contract-fixture.js';

/** The names of gateways in Via, which show a loop (decisions 5.22, 5.23). */
export function testGatewayNames(fixture: ContractFixture): void {
  const { dialect } = fixture;

  it('responds 508 to a request whose Via names this gateway', async () => {
    const upstream = await fixture.upstream(dialect.serve(dialect.records(3)));
    const server = { name: 'own-gateway' };
    const gateway = await fixture.gateway({ server, sources: { one: dialect.source(upstream.address) } });
    const response = await fixture.fetchAll(gateway, { via: '1.1 elsewhere, 1.0 own-gateway (again)' });
    expect(response.status).toBe(508);
    expect(upstream.requests).toHaveLength(0);
  });

  it('excludes a source whose response names this gateway in Via, with reason loop', async () => {
    const headers = { Via: '1.1 elsewhere, 1.1 own-gateway' };
    const [round, good] = [
      await fixture.upstream(dialect.serve(dialect.records(9), { headers })),
      await fixture.upstream(dialect.serve(dialect.records(3))),
    ];
    const sources = { round: dialect.source(round.address), good: dialect.source(good.address) };
    const response = await fixture.fetchAll(await fixture.gateway({ server: { name: 'own-gateway' }, sources }));
    expect(fixture.readList(response)).toMatchObject({
      names: fixture.names(3),
      sourceStatus: 'round;state=excluded;reason=loop, good;state=fresh;records=3;age=0',
    });
  });

  it('is marked incomplete where it reports an incomplete source of its own', async () => {
    const headers = { 'Source-Status': 'below;state=failed;reason=timeout', Via: '1.1 below' };
    const { list, response } = await fixture.drain(dialect.serve(dialect.records(3), { headers }));
    expect(list).toMatchObject({
      names: fixture.names(3),
      sourceStatus: 'one;state=partial;reason=upstream;records=3;age=0',
    });
    expect(response.headers.get('via')).toContain('1.1 below');
  });
}
