import { describe, expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { STATIC_FILE } from '../../support/upstream/paged-responses.js';
import { isConditional, withEntityTags, withValidators } from '../../support/upstream/conditional-responses.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';
import { TTL } from '../contract-fixture.js';
import { useDirectory } from '../directory-teams.js';

/** Which pages of a list are revalidated, and what shows that the list has another length (decisions 7.4). */
describe('a source with pages, when it is revalidated,', () => {
  const fixture = useDirectory();
  const { dialect } = fixture;
  const serve = (count: number): RequestHandler => dialect.serve(dialect.records(count));

  it('revalidates a list of one page in one request', async () => {
    const { clock, upstream, fetchList } = await fixture.startDrained(withEntityTags(serve(30)));
    for (let time = 1; time <= 3; time += 1) {
      expect(await fetchList()).toMatchObject(fixture.fresh(30));
      expect(upstream.requests).toHaveLength(time);
      clock.advance(TTL);
    }
  });

  it('revalidates every page of a list', async () => {
    const { upstream, fetchList } = await fixture.startDrained(withEntityTags(serve(250)));
    expect(await fetchList()).toMatchObject(fixture.fresh(250));
    const offsets = upstream.requests.map(({ query }) => query.get('offset'));
    expect(offsets.sort()).toEqual(['0', '100', '200']);
  });

  it('revalidates a static file in one request', async () => {
    const file = withValidators(dialect.serve(dialect.records(30), { ...STATIC_FILE, total: 'absent' }), () => ({
      etag: '"a"',
    }));
    const { upstream, fetchList } = await fixture.startDrained(file);
    expect(await fetchList()).toMatchObject(fixture.fresh(30));
    expect(upstream.requests).toHaveLength(1);
  });

  it('drains a list whose first page changed, without requesting that page twice', async () => {
    const { upstream, fetchList } = await fixture.startDrained(withEntityTags(serve(250)));
    upstream.handler = withEntityTags(serve(251), 'v2');
    expect(await fetchList()).toMatchObject(fixture.fresh(251));
    const offsets = upstream.requests.map(({ query }) => query.get('offset'));
    expect(offsets.sort()).toEqual(['0', '100', '200']);
    expect(upstream.requests.filter(isConditional)).toHaveLength(1);
  });

  it('drains a list of which a page is empty now', async () => {
    const { upstream, fetchList } = await fixture.startDrained(withEntityTags(serve(250)));
    upstream.handler = faulty.when(faulty.atOffset(200), withEntityTags(serve(200), 'v2'), withEntityTags(serve(200)));
    expect(await fetchList()).toMatchObject(fixture.fresh(200));
  });

  it('drains a list when a 304 has another total', async () => {
    const counting =
      (count: number): RequestHandler =>
      (request, response) => {
        response.setHeader('X-Total-Count', String(count));
        withEntityTags(dialect.serve(dialect.records(count), { form: 'bare' }))(request, response);
      };
    const { clock, upstream, fetchList } = await fixture.startDrained(counting(250));
    expect(await fetchList()).toMatchObject(fixture.fresh(250));
    upstream.handler = counting(200);
    clock.advance(TTL);
    expect(await fetchList()).toMatchObject(fixture.fresh(200));
  });

  it('revalidates the empty page behind a full page, where the next record would be', async () => {
    const { upstream, fetchList } = await fixture.startDrained(
      withEntityTags(dialect.serve(dialect.records(100), { total: 'absent' })),
    );
    const grown = dialect.serve(dialect.records(101), { total: 'absent' });
    upstream.handler = faulty.when(faulty.atOffset(100), withEntityTags(grown, 'v2'), withEntityTags(grown));
    expect(await fetchList()).toMatchObject(fixture.fresh(101));
  });

  it('revalidates the empty page behind a page that the source may have capped', async () => {
    const cut = { total: 'absent', cap: 30 } as const;
    const { upstream, fetchList } = await fixture.startDrained(withEntityTags(dialect.serve(dialect.records(30), cut)));
    const grown = dialect.serve(dialect.records(31), cut);
    upstream.handler = faulty.when(faulty.atOffset(30), withEntityTags(grown, 'v2'), withEntityTags(grown));
    expect(await fetchList()).toMatchObject(fixture.fresh(31));
  });
});
