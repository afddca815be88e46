import { expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { ContractFixture } from './contract-fixture.js';

/** Redirects (decisions.md, section 8). */
export function testRedirects(bench: ContractFixture): void {
  const { dialect } = bench;

  it.each([1, 2, 3])('within the origin, %i of them', async (hops) => {
    const { upstream, seen } = await bench.drain(faulty.redirectRepeatedly(hops, dialect.serve(dialect.records(30))));
    expect(seen).toMatchObject({ names: bench.names(30), sourceStatus: 'one;state=fresh;records=30;age=0' });
    expect(upstream.requests.length % (hops + 1)).toBe(0);
  });

  it('but no more than three', async () => {
    const { upstream, seen } = await bench.drain(faulty.redirectRepeatedly(4, dialect.serve(dialect.records(30))));
    expect(seen.sourceStatus).toBe('one;state=failed;reason=redirect');
    expect(upstream.requests).toHaveLength(4);
  });

  it('but never to another origin, which is not even asked', async () => {
    const other = await bench.upstream(dialect.serve(dialect.records(30)));
    const { seen } = await bench.drain(faulty.redirectTo(new URL(other.address).origin));
    expect(seen.sourceStatus).toBe('one;state=failed;reason=redirect');
    expect(other.requests).toHaveLength(0);
  });
}
