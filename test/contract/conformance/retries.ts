import { expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { ContractFixture } from './contract-fixture.js';

/** Retries and the circuit breaker (operation 2.7; decisions 6.3). */
export function testRetries(fixture: ContractFixture): void {
  const { dialect } = fixture;

  it.each([
    ['a 503', faulty.status(503)],
    ['a connection reset', faulty.resetConnection],
  ])('is complete where a second request succeeds after %s', async (_title, bad) => {
    const good = dialect.serve(dialect.records(30));
    const { upstream, list } = await fixture.drain(faulty.when(({ number }) => number === 1, bad, good));
    expect(list).toMatchObject(fixture.fresh(30));
    expect(upstream.requests).toHaveLength(1 + (await fixture.countRequests(dialect.records(30))));
  });

  it.each([
    ['a 403', faulty.status(403), 1],
    ['a 500', faulty.status(500), 2],
    ['a 500 where retries are 2', faulty.status(500), 3, 2],
  ])('is sent no more requests than retries allow for %s', async (_title, handler, requests, retries = 1) => {
    const { upstream } = await fixture.drain(handler, { retries });
    expect(upstream.requests).toHaveLength(requests);
  });

  it('is suspended after failures in a row, and is sent no request then', async () => {
    const settings = { retries: 0, breaker: { failures: 2 } };
    const { clock, upstream, fetchList } = await fixture.start(faulty.status(500), settings);
    for (const state of ['failed', 'failed', 'suspended']) {
      expect((await fetchList()).sourceStatus).toMatch(new RegExp(`^one;state=${state}`));
      clock.advance(2_000);
    }
    expect(upstream.requests).toHaveLength(2);
  });
}
