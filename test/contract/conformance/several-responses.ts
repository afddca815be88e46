import { expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { isConditional, withEntityTags } from '../../support/upstream/conditional-responses.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';
import type { ContractFixture } from '../contract-fixture.js';

/** Lists of which one response has only a part: pages, or documents that are joined (decisions 5.8, 6.3, 7.1, 7.4). */
export function testSeveralResponses(fixture: ContractFixture): void {
  const { dialect, many } = fixture;
  const serve = (count: number): RequestHandler => dialect.serve(dialect.records(count));

  it.each([
    ['a 503', faulty.status(503), 'status;status=503'],
    ['half a body', faulty.halfBody, 'connect'],
    ['a body that is not JSON', faulty.body('<html>'), 'body'],
    ['a page that is no list', faulty.body('{"error":"none"}'), 'schema'],
    ['a redirect to another origin', faulty.redirectTo('http://127.0.0.1:9'), 'redirect'],
  ])('show no record when the first or the last of them is %s', async (_title, bad, reason) => {
    for (const isBad of [fixture.isFirstPart, fixture.isLastPart]) {
      const { response, list } = await fixture.drain(faulty.when(isBad, bad, serve(many)));
      expect(response.status).toBe(502);
      expect(list).toMatchObject({ names: [], sourceStatus: `one;state=failed;reason=${reason}` });
    }
  });

  it('are cached for the shortest of their lifetimes', async () => {
    const [short, long] = ['max-age=7', 'max-age=50'].map((lifetime) =>
      dialect.serve(dialect.records(many), { headers: { 'Cache-Control': lifetime } }),
    ) as [RequestHandler, RequestHandler];
    const { response } = await fixture.drain(faulty.when(fixture.isLastPart, short, long));
    expect(response.headers.get('cache-control')).toBe('public, max-age=7, stale-while-revalidate=7');
  });

  it('are read again when only the last one has changed', async () => {
    const { upstream, fetchList } = await fixture.startDrained(withEntityTags(serve(many)));
    const changed = withEntityTags(serve(many + 1), 'v2');
    upstream.handler = faulty.when(fixture.isLastPart, changed, withEntityTags(serve(many + 1)));
    expect(await fetchList()).toMatchObject(fixture.fresh(many + 1));
    if (dialect.isPaged) expect(upstream.requests.filter(fixture.isLastPart)).toHaveLength(1);
  });

  it('are read without conditions when one of them has no validators', async () => {
    const { upstream, fetchList } = await fixture.startDrained(
      faulty.when((request) => dialect.partOf(request) === 1, serve(many), withEntityTags(serve(many))),
    );
    upstream.handler = serve(many + 1);
    expect(await fetchList()).toMatchObject(fixture.fresh(many + 1));
    expect(upstream.requests.filter(isConditional)).toEqual([]);
  });

  it('fail when the source responds 304 to an unconditional request', async () => {
    const { upstream, fetchList } = await fixture.startDrained(withEntityTags(serve(many)));
    const first = withEntityTags(serve(many + 1), 'v2');
    upstream.handler = faulty.when(fixture.isFirstPart, first, faulty.status(304));
    expect((await fetchList()).sourceStatus).toBe(`one;state=stale;reason=status;status=304;records=${many};age=60`);
  });
}
