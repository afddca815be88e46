import { expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { ContractFixture } from './contract-fixture.js';

const TOKEN = 'secret-of-a-test';

/** Redirects, and the origin that credentials never leave (decisions 8.4, 8.5). */
export function testRedirects(fixture: ContractFixture): void {
  const { dialect } = fixture;

  it.each([1, 2, 3])('follows %i redirects within the origin', async (hops) => {
    const { upstream, list } = await fixture.drain(faulty.redirectRepeatedly(hops, dialect.serve(dialect.records(30))));
    expect(list).toMatchObject(fixture.fresh(30));
    expect(upstream.requests.length % (hops + 1)).toBe(0);
  });

  it('fails after three redirects', async () => {
    const { upstream, list } = await fixture.drain(faulty.redirectRepeatedly(4, dialect.serve(dialect.records(30))));
    expect(list.sourceStatus).toBe('one;state=failed;reason=redirect');
    expect(upstream.requests).toHaveLength(4);
  });

  it('never requests another origin', async () => {
    const other = await fixture.upstream(dialect.serve(dialect.records(30)));
    const { list } = await fixture.drain(faulty.redirectTo(new URL(other.address).origin));
    expect(list.sourceStatus).toBe('one;state=failed;reason=redirect');
    expect(other.requests).toHaveLength(0);
  });

  it('sends its credential with every request, also after a redirect, and to no client', async () => {
    const upstream = await fixture.upstream(faulty.redirectRepeatedly(1, dialect.serve(dialect.records(250))));
    const credentials = { public: { bearer: TOKEN } };
    const gateway = await fixture.gateway({ sources: { one: { ...dialect.source(upstream.address), credentials } } });
    const response = await fixture.fetchAll(gateway);
    expect(fixture.readList(response)).toMatchObject(fixture.fresh(250));
    const sent = upstream.requests.map(({ headers }) => headers.authorization);
    expect(new Set(sent)).toEqual(new Set([`Bearer ${TOKEN}`]));
    expect(response.text + JSON.stringify([...response.headers, gateway.log])).not.toContain(TOKEN);
  });
}
