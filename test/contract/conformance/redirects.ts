import { expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { ContractFixture } from './contract-fixture.js';

/** Redirects (decisions 8.5). */
export function testRedirects(fixture: ContractFixture): void {
  const { dialect } = fixture;

  it.each([1, 2, 3])('follows %i redirects within the origin', async (hops) => {
    const { upstream, list } = await fixture.drain(faulty.redirectRepeatedly(hops, dialect.serve(dialect.records(30))));
    expect(list).toMatchObject({ names: fixture.names(30), sourceStatus: 'one;state=fresh;records=30;age=0' });
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
}
