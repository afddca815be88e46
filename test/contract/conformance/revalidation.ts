import { expect, it } from 'vitest';
import { fakeClock } from '../../support/fake-clock.js';
import type { FakeClock } from '../../support/fake-clock.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { STATIC_FILE } from '../../support/upstream/paged-responses.js';
import { isConditional, withEntityTags, withValidators } from '../../support/upstream/conditional-responses.js';
import type { PageValidators } from '../../support/upstream/conditional-responses.js';
import type { RequestHandler, UpstreamRequest, UpstreamServer } from '../../support/upstream/upstream-server.js';
import type { ContractFixture, ListResponse } from './contract-fixture.js';

const TTL = 60_000;

/** Default of `max-unverified`, in milliseconds (operation 2.7.6). */
const MAX_UNVERIFIED = 3_600_000;

interface DrainedSource {
  readonly clock: FakeClock;
  readonly upstream: UpstreamServer;
  readonly fetchList: () => Promise<ListResponse>;
}

/** Snapshots that are revalidated with their source's own validators (decisions 7.4, 7.5). */
export function testRevalidation(fixture: ContractFixture): void {
  const { dialect } = fixture;
  const serve = (count: number): RequestHandler => dialect.serve(dialect.records(count));

  /** Starts a gateway, drains the upstream, clears the upstream's list of requests, and lets the time to live pass. */
  const startDrained = async (baseHandler: RequestHandler, defaults: object = {}): Promise<DrainedSource> => {
    const clock = fakeClock();
    const upstream = await fixture.upstream(baseHandler);
    const sources = { one: dialect.source(upstream.address) };
    const all = { 'stale-while-revalidate': '0s', ...defaults };
    const gateway = await fixture.gateway({ server: { name: 'own-gateway' }, defaults: all, sources }, { clock });
    const fetchList = async (): Promise<ListResponse> => fixture.readList(await fixture.fetchAll(gateway));
    await fetchList();
    expect(upstream.requests.filter(isConditional)).toEqual([]);
    upstream.forget();
    clock.advance(TTL);
    return { clock, upstream, fetchList };
  };

  const fresh = (records: number): object => ({
    names: fixture.names(records),
    sourceStatus: `one;state=fresh;records=${records};age=0`,
  });

  it.each<[string, PageValidators, object]>([
    ['a strong entity tag', { etag: '"a"' }, { 'if-none-match': '"a"' }],
    ['a weak entity tag', { etag: 'W/"a"' }, { 'if-none-match': 'W/"a"' }],
    ['an entity tag with the suffix of a coding', { etag: '"a-gzip"' }, { 'if-none-match': '"a-gzip"' }],
    ['an empty entity tag', { etag: '""' }, { 'if-none-match': '""' }],
    [
      'a date',
      { lastModified: 'Wed, 13 May 2015 01:56:15 GMT' },
      { 'if-modified-since': 'Wed, 13 May 2015 01:56:15 GMT' },
    ],
    [
      'the entity tag where the source also sends a date',
      { etag: '"a"', lastModified: 'Wed, 13 May 2015 01:56:15 GMT' },
      { 'if-none-match': '"a"' },
    ],
    [
      'a date where the entity tag is invalid',
      { etag: '*', lastModified: 'Wed, 13 May 2015 01:56:15 GMT' },
      { 'if-modified-since': 'Wed, 13 May 2015 01:56:15 GMT' },
    ],
  ])('revalidates a list of one page in one request, with %s', async (_title, validators, condition) => {
    const { clock, upstream, fetchList } = await startDrained(withValidators(serve(30), () => validators));
    for (let time = 1; time <= 3; time += 1) {
      expect(await fetchList()).toMatchObject(fresh(30));
      expect(upstream.requests).toHaveLength(time);
      const { headers } = upstream.requests[time - 1] ?? {};
      const sent = Object.entries(headers ?? {}).filter(([name]) => name.startsWith('if-'));
      expect(Object.fromEntries(sent)).toEqual(condition);
      clock.advance(TTL);
    }
  });

  it.each<[string, PageValidators]>([
    ['no validators', {}],
    ['an entity tag of *', { etag: '*' }],
    ['an entity tag without quotes', { etag: 'a' }],
    ['a list of entity tags', { etag: '"a", "b"' }],
    // One day ahead: on a busy machine the tests of this file begin long after this line has run.
    ['a date not older than the response', { lastModified: new Date(Date.now() + 86_400_000).toUTCString() }],
    ['an unreadable date', { lastModified: 'yesterday' }],
  ])('sends no condition to a source that sends %s', async (_title, validators) => {
    const { upstream, fetchList } = await startDrained(withValidators(serve(30), () => validators));
    expect(await fetchList()).toMatchObject(fresh(30));
    expect(upstream.requests.length).toBeGreaterThan(0);
    expect(upstream.requests.filter(isConditional)).toEqual([]);
  });

  it('revalidates every page with its own entity tag', async () => {
    const { upstream, fetchList } = await startDrained(withEntityTags(serve(250)));
    expect(await fetchList()).toMatchObject(fresh(250));
    const tags = upstream.requests.map(({ headers }) => headers['if-none-match']).sort();
    expect(tags).toEqual(['"v1 0"', '"v1 100"', '"v1 200"']);
  });

  it('revalidates a static file in one request', async () => {
    const file = withValidators(dialect.serve(dialect.records(30), { ...STATIC_FILE, total: 'absent' }), () => ({
      etag: '"a"',
    }));
    const { upstream, fetchList } = await startDrained(file);
    expect(await fetchList()).toMatchObject(fresh(30));
    expect(upstream.requests).toHaveLength(1);
  });

  it('drains a list whose first page changed, without requesting that page twice', async () => {
    const { upstream, fetchList } = await startDrained(withEntityTags(serve(250)));
    upstream.handler = withEntityTags(serve(251), 'v2');
    expect(await fetchList()).toMatchObject(fresh(251));
    const offsets = upstream.requests.map(({ query }) => query.get('offset'));
    expect(offsets.sort()).toEqual(['0', '100', '200']);
    expect(upstream.requests.filter(isConditional)).toHaveLength(1);
  });

  it('drains a list of which only a later page changed', async () => {
    const { upstream, fetchList } = await startDrained(withEntityTags(serve(250)));
    upstream.handler = faulty.when(faulty.atOffset(200), withEntityTags(serve(251), 'v2'), withEntityTags(serve(251)));
    expect(await fetchList()).toMatchObject(fresh(251));
    expect(upstream.requests.filter(faulty.atOffset(200))).toHaveLength(1);
  });

  it('drains a list of which a page is empty now', async () => {
    const { upstream, fetchList } = await startDrained(withEntityTags(serve(250)));
    upstream.handler = faulty.when(faulty.atOffset(200), withEntityTags(serve(200), 'v2'), withEntityTags(serve(200)));
    expect(await fetchList()).toMatchObject(fresh(200));
  });

  it('drains a list when a 304 has another total', async () => {
    const counting =
      (count: number): RequestHandler =>
      (request, response) => {
        response.setHeader('X-Total-Count', String(count));
        withEntityTags(dialect.serve(dialect.records(count), { form: 'bare' }))(request, response);
      };
    const { clock, upstream, fetchList } = await startDrained(counting(250));
    expect(await fetchList()).toMatchObject(fresh(250));
    upstream.handler = counting(200);
    clock.advance(TTL);
    expect(await fetchList()).toMatchObject(fresh(200));
  });

  it('drains a list of which one page has no validators', async () => {
    const { upstream, fetchList } = await startDrained(
      faulty.when(faulty.atOffset(100), serve(250), withEntityTags(serve(250))),
    );
    upstream.handler = serve(251);
    expect(await fetchList()).toMatchObject(fresh(251));
    expect(upstream.requests.filter(isConditional)).toEqual([]);
  });

  it('revalidates the empty page behind a full page, where the next record would be', async () => {
    const { upstream, fetchList } = await startDrained(
      withEntityTags(dialect.serve(dialect.records(100), { total: 'absent' })),
    );
    const grown = dialect.serve(dialect.records(101), { total: 'absent' });
    upstream.handler = faulty.when(faulty.atOffset(100), withEntityTags(grown, 'v2'), withEntityTags(grown));
    expect(await fetchList()).toMatchObject(fresh(101));
  });

  it('revalidates the empty page behind a page that the source may have capped', async () => {
    const cut = { total: 'absent', cap: 30 } as const;
    const { upstream, fetchList } = await startDrained(withEntityTags(dialect.serve(dialect.records(30), cut)));
    const grown = dialect.serve(dialect.records(31), cut);
    upstream.handler = faulty.when(faulty.atOffset(30), withEntityTags(grown, 'v2'), withEntityTags(grown));
    expect(await fetchList()).toMatchObject(fresh(31));
  });

  it('revalidates until max-unverified after the last drain, and then drains without conditions', async () => {
    const { clock, upstream, fetchList } = await startDrained(withEntityTags(serve(30)), { ttl: '60s' });
    for (let time = TTL; time < MAX_UNVERIFIED; time += TTL) {
      expect(await fetchList()).toMatchObject(fresh(30));
      clock.advance(TTL);
    }
    expect(upstream.requests).toHaveLength(MAX_UNVERIFIED / TTL - 1);
    expect(upstream.requests.filter(isConditional)).toHaveLength(MAX_UNVERIFIED / TTL - 1);
    upstream.forget();
    // The source has changed but still reports the old entity tag.
    upstream.handler = withEntityTags(serve(31));
    expect(await fetchList()).toMatchObject(fresh(31));
    expect(upstream.requests.filter(isConditional)).toEqual([]);
  });

  it('drains as soon as max-unverified ends, even within the time to live', async () => {
    const { clock, upstream, fetchList } = await startDrained(withEntityTags(serve(30)), { 'max-unverified': '90s' });
    await fetchList();
    upstream.handler = withEntityTags(serve(31));
    clock.advance(29_999);
    expect((await fetchList()).names).toEqual(fixture.names(30));
    clock.advance(1);
    expect(await fetchList()).toMatchObject(fresh(31));
  });

  it('sends no condition when max-unverified is 0s', async () => {
    const { upstream, fetchList } = await startDrained(withEntityTags(serve(30)), { 'max-unverified': '0s' });
    expect(await fetchList()).toMatchObject(fresh(30));
    expect(upstream.requests.filter(isConditional)).toEqual([]);
  });

  it('drains a source that refuses conditional requests', async () => {
    const { upstream, fetchList } = await startDrained(withEntityTags(serve(30)));
    upstream.handler = faulty.when(isConditional, faulty.status(412), withEntityTags(serve(31)));
    expect(await fetchList()).toMatchObject(fresh(31));
  });

  it('serves the snapshot stale when the first or a later page fails, and revalidates it afterwards', async () => {
    const { clock, upstream, fetchList } = await startDrained(withEntityTags(serve(250)));
    const stale = 'one;state=stale;reason=status;status=500;records=250;age=';
    upstream.handler = faulty.status(500);
    expect((await fetchList()).sourceStatus).toBe(`${stale}60`);
    clock.advance(2_000);
    upstream.handler = faulty.when(faulty.atOffset(200), faulty.status(500), withEntityTags(serve(250)));
    expect((await fetchList()).sourceStatus).toBe(`${stale}62`);
    clock.advance(2_000);
    upstream.handler = withEntityTags(serve(250));
    upstream.forget();
    expect(await fetchList()).toMatchObject(fresh(250));
    expect(upstream.requests.filter(isConditional)).toHaveLength(3);
  });

  it('fails when a source responds 304 to an unconditional request of a drain', async () => {
    const { upstream, fetchList } = await startDrained(withEntityTags(serve(250)));
    const firstPage = withEntityTags(serve(251), 'v2');
    upstream.handler = faulty.when(faulty.atOffset(0), firstPage, faulty.status(304));
    expect((await fetchList()).sourceStatus).toBe('one;state=stale;reason=status;status=304;records=250;age=60');
  });

  it('excludes a source whose 304 names this gateway in Via', async () => {
    const { upstream, fetchList } = await startDrained(withEntityTags(serve(30)));
    upstream.handler = (request: UpstreamRequest, response) => {
      response.setHeader('Via', '1.1 own-gateway');
      withEntityTags(serve(30))(request, response);
    };
    expect((await fetchList()).sourceStatus).toBe('one;state=excluded;reason=loop');
  });

  it('applies the max-age of the 304', async () => {
    let maxAge = 20;
    const baseHandler: RequestHandler = (request, response) => {
      response.setHeader('Cache-Control', `max-age=${maxAge}`);
      withEntityTags(serve(30))(request, response);
    };
    const { clock, upstream, fetchList } = await startDrained(baseHandler);
    maxAge = 40;
    await fetchList();
    clock.advance(39_999);
    await fetchList();
    expect(upstream.requests).toHaveLength(1);
    clock.advance(1);
    await fetchList();
    expect(upstream.requests).toHaveLength(2);
  });
}
