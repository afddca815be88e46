import { expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { ContractFixture } from './contract-fixture.js';

const TTL = 60_000;

/** Default of `confirm-shrink`, in milliseconds (operation 2.7.5). */
const CONFIRM = 600_000;

/** Sources that suddenly return far fewer records (decisions 6.11). */
export function testShrinkGuard(fixture: ContractFixture): void {
  const { dialect } = fixture;
  const settings = { 'stale-while-revalidate': '0s', breaker: { failures: 1_000 } };

  it.each([14, 0])('is served from its last snapshot when %i of 30 records remain', async (count) => {
    const { clock, upstream, fetchList } = await fixture.start(dialect.serve(dialect.records(30)), settings);
    await fetchList();
    const reason = count === 0 ? (dialect.emptyListReason ?? 'shrunk') : 'shrunk';
    upstream.handler = dialect.serve(dialect.records(count));
    clock.advance(TTL);
    expect(await fetchList()).toMatchObject({
      names: fixture.names(30),
      sourceStatus: `one;state=stale;reason=${reason};records=30;age=60`,
    });
  });

  it('is accepted when half of the records remain, and when fewer remain for confirm-shrink', async () => {
    const { clock, upstream, fetchList } = await fixture.start(dialect.serve(dialect.records(60)), settings);
    await fetchList();
    upstream.handler = dialect.serve(dialect.records(30));
    clock.advance(TTL);
    expect(await fetchList()).toMatchObject(fixture.fresh(30));
    upstream.handler = dialect.serve(dialect.records(3));
    clock.advance(TTL);
    expect((await fetchList()).sourceStatus).toContain('state=stale;reason=shrunk');
    clock.advance(CONFIRM);
    expect(await fetchList()).toMatchObject(fixture.fresh(3));
  });

  it('is not believed to have shrunk because it failed', async () => {
    const { clock, upstream, fetchList } = await fixture.start(dialect.serve(dialect.records(30)), settings);
    await fetchList();
    upstream.handler = faulty.status(500);
    for (let time = 0; time < 3; time += 1) {
      clock.advance(CONFIRM);
      expect((await fetchList()).names).toEqual(fixture.names(30));
    }
    upstream.handler = dialect.serve(dialect.records(3));
    clock.advance(TTL);
    expect((await fetchList()).sourceStatus).toContain('state=stale;reason=shrunk;records=30');
  });
}
