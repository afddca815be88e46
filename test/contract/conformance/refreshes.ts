import { expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { entityTagOf, isConditional, withEntityTags } from '../../support/upstream/conditional-responses.js';
import { neverResponds } from '../../support/upstream/upstream-server.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';
import { TTL } from '../contract-fixture.js';
import type { ContractFixture } from '../contract-fixture.js';

/** Lists that are read again after their time to live (decisions 6.11, 6.12, 7.4). */
export function testRefreshes(fixture: ContractFixture): void {
  const { dialect, many } = fixture;
  const serve = (count: number): RequestHandler => dialect.serve(dialect.records(count));

  it('is confirmed with the own entity tag of each response, once each', async () => {
    const { upstream, fetchList } = await fixture.startDrained(withEntityTags(serve(many)));
    expect(await fetchList()).toMatchObject(fixture.fresh(many));
    const { requests } = upstream;
    const tags = requests.map(({ headers }) => headers['if-none-match']);
    expect(tags).toEqual(requests.map((request) => entityTagOf(request)));
    expect(new Set(tags).size).toBe(tags.length);
    expect(new Set(requests.map(dialect.partOf)).size).toBeGreaterThan(dialect.lastPart);
  });

  it('is read again when the first response has changed, which is requested twice only where it has no records', async () => {
    const { upstream, fetchList } = await fixture.startDrained(withEntityTags(serve(many)));
    upstream.handler = withEntityTags(serve(many + 1), 'v2');
    expect(await fetchList()).toMatchObject(fixture.fresh(many + 1));
    expect(upstream.requests.filter(isConditional)).toHaveLength(1);
    const isTogether = dialect.lastPart > 0 && !dialect.isPaged;
    expect(upstream.requests.filter(fixture.isFirstPart)).toHaveLength(isTogether ? 2 : 1);
  });

  it('is served stale when a conditional request fails, and confirmed afterwards', async () => {
    const { clock, upstream, fetchList } = await fixture.startDrained(withEntityTags(serve(many)));
    const stale = `one;state=stale;reason=status;status=500;records=${many};age=`;
    upstream.handler = faulty.status(500);
    expect((await fetchList()).sourceStatus).toBe(`${stale}60`);
    clock.advance(2_000);
    upstream.handler = faulty.when(fixture.isLastPart, faulty.status(500), withEntityTags(serve(many)));
    expect((await fetchList()).sourceStatus).toBe(`${stale}62`);
    clock.advance(2_000);
    upstream.handler = withEntityTags(serve(many));
    upstream.forget();
    expect(await fetchList()).toMatchObject(fixture.fresh(many));
    expect(upstream.requests.every(isConditional)).toBe(true);
  });

  it.each([14, 0])('is served from its last list when %i of 30 records remain', async (count) => {
    const { upstream, fetchList } = await fixture.startDrained(serve(30));
    upstream.handler = serve(count);
    const reason = count === 0 ? (dialect.emptyListReason ?? 'shrunk') : 'shrunk';
    expect(await fetchList()).toMatchObject({
      names: fixture.names(30),
      sourceStatus: `one;state=stale;reason=${reason};records=30;age=60`,
    });
  });

  it('is served at once while it is read again, and as stale with the reason after that has failed', async () => {
    const { clock, upstream, fetchList } = await fixture.startDrained(serve(30), { 'stale-while-revalidate': '5m' });
    upstream.handler = faulty.status(403);
    expect(await fetchList()).toMatchObject({
      names: fixture.names(30),
      sourceStatus: 'one;state=fresh;records=30;age=60',
    });
    const stale = 'one;state=stale;reason=status;status=403;records=30;age=';
    await expect.poll(async () => (await fetchList()).sourceStatus).toBe(`${stale}60`);
    clock.advance(TTL);
    upstream.handler = neverResponds;
    expect(await fetchList()).toMatchObject({ names: fixture.names(30), sourceStatus: `${stale}120` });
  });
}
