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

/** Milliseconds of `max-unverified`, its default. */
const TRUSTED = 3_600_000;

interface Stage {
  readonly clock: FakeClock;
  readonly upstream: UpstreamServer;
  readonly ask: () => Promise<ListResponse>;
}

/** Copies that are verified by their source's own validators (decisions.md, section 7, "Upstream"). */
export function testRevalidation(bench: ContractFixture): void {
  const { dialect } = bench;
  const serve = (count: number): RequestHandler => dialect.serve(dialect.records(count));

  /** A Rollcall that has drained the upstream, which has forgotten it, a time to live later. */
  const drained = async (baseHandler: RequestHandler, defaults: object = {}): Promise<Stage> => {
    const clock = fakeClock();
    const upstream = await bench.upstream(baseHandler);
    const sources = { one: dialect.source(upstream.address) };
    const all = { 'stale-while-revalidate': '0s', ...defaults };
    const gateway = await bench.gateway({ server: { name: 'house' }, defaults: all, sources }, { clock });
    const ask = async (): Promise<ListResponse> => bench.seen(await bench.all(gateway));
    await ask();
    expect(upstream.requests.filter(isConditional)).toEqual([]);
    upstream.forget();
    clock.advance(TTL);
    return { clock, upstream, ask };
  };

  const fresh = (records: number): object => ({
    names: bench.names(records),
    sourceStatus: `one;state=fresh;records=${records};age=0`,
  });

  it.each<[string, PageValidators, object]>([
    ['a strong tag', { etag: '"a"' }, { 'if-none-match': '"a"' }],
    ['a weak tag', { etag: 'W/"a"' }, { 'if-none-match': 'W/"a"' }],
    ['a tag with the mark of a coding', { etag: '"a-gzip"' }, { 'if-none-match': '"a-gzip"' }],
    ['an empty tag', { etag: '""' }, { 'if-none-match': '""' }],
    [
      'a date',
      { lastModified: 'Wed, 13 May 2015 01:56:15 GMT' },
      { 'if-modified-since': 'Wed, 13 May 2015 01:56:15 GMT' },
    ],
    [
      'a tag and a date, of which the tag is asked with',
      { etag: '"a"', lastModified: 'Wed, 13 May 2015 01:56:15 GMT' },
      { 'if-none-match': '"a"' },
    ],
    [
      'a date, and a tag that is none',
      { etag: '*', lastModified: 'Wed, 13 May 2015 01:56:15 GMT' },
      { 'if-modified-since': 'Wed, 13 May 2015 01:56:15 GMT' },
    ],
  ])('in one request where they fit on one page: %s', async (_title, validators, condition) => {
    const { clock, upstream, ask } = await drained(withValidators(serve(30), () => validators));
    for (let time = 1; time <= 3; time += 1) {
      expect(await ask()).toMatchObject(fresh(30));
      expect(upstream.requests).toHaveLength(time);
      const { headers } = upstream.requests[time - 1] ?? {};
      const sent = Object.entries(headers ?? {}).filter(([name]) => name.startsWith('if-'));
      expect(Object.fromEntries(sent)).toEqual(condition);
      clock.advance(TTL);
    }
  });

  it.each<[string, PageValidators]>([
    ['it gives none', {}],
    ['a tag that would match anything', { etag: '*' }],
    ['a tag without quotes', { etag: 'a' }],
    ['a list of tags', { etag: '"a", "b"' }],
    // A day: the file's tests begin long after this line has run where the machine is busy.
    ['a date as new as the answer', { lastModified: new Date(Date.now() + 86_400_000).toUTCString() }],
    ['no date', { lastModified: 'yesterday' }],
  ])('only where it gives validators that prove something: %s', async (_title, validators) => {
    const { upstream, ask } = await drained(withValidators(serve(30), () => validators));
    expect(await ask()).toMatchObject(fresh(30));
    expect(upstream.requests.length).toBeGreaterThan(0);
    expect(upstream.requests.filter(isConditional)).toEqual([]);
  });

  it('page by page, each by its own', async () => {
    const { upstream, ask } = await drained(withEntityTags(serve(250)));
    expect(await ask()).toMatchObject(fresh(250));
    const asked = upstream.requests.map(({ headers }) => headers['if-none-match']).sort();
    expect(asked).toEqual(['"v1 0"', '"v1 100"', '"v1 200"']);
  });

  it('in one request where it is a file, that gives the same whatever is asked', async () => {
    const file = withValidators(dialect.serve(dialect.records(30), { ...STATIC_FILE, total: 'absent' }), () => ({
      etag: '"a"',
    }));
    const { upstream, ask } = await drained(file);
    expect(await ask()).toMatchObject(fresh(30));
    expect(upstream.requests).toHaveLength(1);
  });

  it('and drained when the first page has changed, which is not asked for twice', async () => {
    const { upstream, ask } = await drained(withEntityTags(serve(250)));
    upstream.handler = withEntityTags(serve(251), 'v2');
    expect(await ask()).toMatchObject(fresh(251));
    const offsets = upstream.requests.map(({ query }) => query.get('offset'));
    expect(offsets.sort()).toEqual(['0', '100', '200']);
    expect(upstream.requests.filter(isConditional)).toHaveLength(1);
  });

  it('and drained when only a later page has changed', async () => {
    const { upstream, ask } = await drained(withEntityTags(serve(250)));
    upstream.handler = faulty.when(faulty.atOffset(200), withEntityTags(serve(251), 'v2'), withEntityTags(serve(251)));
    expect(await ask()).toMatchObject(fresh(251));
    expect(upstream.requests.filter(faulty.atOffset(200))).toHaveLength(1);
  });

  it('and drained when a page is empty now', async () => {
    const { upstream, ask } = await drained(withEntityTags(serve(250)));
    upstream.handler = faulty.when(faulty.atOffset(200), withEntityTags(serve(200), 'v2'), withEntityTags(serve(200)));
    expect(await ask()).toMatchObject(fresh(200));
  });

  it('and drained when a 304 counts otherwise, though the page itself is as it was', async () => {
    const counting =
      (count: number): RequestHandler =>
      (asked, response) => {
        response.setHeader('X-Total-Count', String(count));
        withEntityTags(dialect.serve(dialect.records(count), { form: 'bare' }))(asked, response);
      };
    const { clock, upstream, ask } = await drained(counting(250));
    expect(await ask()).toMatchObject(fresh(250));
    upstream.handler = counting(200);
    clock.advance(TTL);
    expect(await ask()).toMatchObject(fresh(200));
  });

  it('and drained where one page has no validators', async () => {
    const { upstream, ask } = await drained(faulty.when(faulty.atOffset(100), serve(250), withEntityTags(serve(250))));
    upstream.handler = serve(251);
    expect(await ask()).toMatchObject(fresh(251));
    expect(upstream.requests.filter(isConditional)).toEqual([]);
  });

  it('also behind a full page, where the next record would be', async () => {
    const { upstream, ask } = await drained(withEntityTags(dialect.serve(dialect.records(100), { total: 'absent' })));
    const grown = dialect.serve(dialect.records(101), { total: 'absent' });
    upstream.handler = faulty.when(faulty.atOffset(100), withEntityTags(grown, 'v2'), withEntityTags(grown));
    expect(await ask()).toMatchObject(fresh(101));
  });

  it('also behind a page that the source may have cut itself', async () => {
    const cut = { total: 'absent', cap: 30 } as const;
    const { upstream, ask } = await drained(withEntityTags(dialect.serve(dialect.records(30), cut)));
    const grown = dialect.serve(dialect.records(31), cut);
    upstream.handler = faulty.when(faulty.atOffset(30), withEntityTags(grown, 'v2'), withEntityTags(grown));
    expect(await ask()).toMatchObject(fresh(31));
  });

  it('for max-unverified after the last drain, and then drained without conditions', async () => {
    const { clock, upstream, ask } = await drained(withEntityTags(serve(30)), { ttl: '60s' });
    for (let time = TTL; time < TRUSTED; time += TTL) {
      expect(await ask()).toMatchObject(fresh(30));
      clock.advance(TTL);
    }
    expect(upstream.requests).toHaveLength(TRUSTED / TTL - 1);
    expect(upstream.requests.filter(isConditional)).toHaveLength(TRUSTED / TTL - 1);
    upstream.forget();
    // It lies: something has changed, and it says that nothing has.
    upstream.handler = withEntityTags(serve(31));
    expect(await ask()).toMatchObject(fresh(31));
    expect(upstream.requests.filter(isConditional)).toEqual([]);
  });

  it('to the moment at which max-unverified is over, though that is within a time to live', async () => {
    const { clock, upstream, ask } = await drained(withEntityTags(serve(30)), { 'max-unverified': '90s' });
    await ask();
    upstream.handler = withEntityTags(serve(31));
    clock.advance(29_999);
    expect((await ask()).names).toEqual(bench.names(30));
    clock.advance(1);
    expect(await ask()).toMatchObject(fresh(31));
  });

  it('never where max-unverified is 0s', async () => {
    const { upstream, ask } = await drained(withEntityTags(serve(30)), { 'max-unverified': '0s' });
    expect(await ask()).toMatchObject(fresh(30));
    expect(upstream.requests.filter(isConditional)).toEqual([]);
  });

  it('and drained where the source refuses to be asked so', async () => {
    const { upstream, ask } = await drained(withEntityTags(serve(30)));
    upstream.handler = faulty.when(isConditional, faulty.status(412), withEntityTags(serve(31)));
    expect(await ask()).toMatchObject(fresh(31));
  });

  it('and stand in when the source fails, on the first page or a later one; then they are verified again', async () => {
    const { clock, upstream, ask } = await drained(withEntityTags(serve(250)));
    const stale = 'one;state=stale;reason=status;status=500;records=250;age=';
    upstream.handler = faulty.status(500);
    expect((await ask()).sourceStatus).toBe(`${stale}60`);
    clock.advance(2_000);
    upstream.handler = faulty.when(faulty.atOffset(200), faulty.status(500), withEntityTags(serve(250)));
    expect((await ask()).sourceStatus).toBe(`${stale}62`);
    clock.advance(2_000);
    upstream.handler = withEntityTags(serve(250));
    upstream.forget();
    expect(await ask()).toMatchObject(fresh(250));
    expect(upstream.requests.filter(isConditional)).toHaveLength(3);
  });

  it('and fail when a 304 comes to a drain, which asks on no condition', async () => {
    const { upstream, ask } = await drained(withEntityTags(serve(250)));
    const firstPage = withEntityTags(serve(251), 'v2');
    upstream.handler = faulty.when(faulty.atOffset(0), firstPage, faulty.status(304));
    expect((await ask()).sourceStatus).toBe('one;state=stale;reason=status;status=304;records=250;age=60');
  });

  it('and not believed when the answer leads back here', async () => {
    const { upstream, ask } = await drained(withEntityTags(serve(30)));
    upstream.handler = (asked: UpstreamRequest, response) => {
      response.setHeader('Via', '1.1 house');
      withEntityTags(serve(30))(asked, response);
    };
    expect((await ask()).sourceStatus).toBe('one;state=excluded;reason=loop');
  });

  it('for as long as the 304 lets them be used', async () => {
    let maxAge = 20;
    const baseHandler: RequestHandler = (asked, response) => {
      response.setHeader('Cache-Control', `max-age=${maxAge}`);
      withEntityTags(serve(30))(asked, response);
    };
    const { clock, upstream, ask } = await drained(baseHandler);
    maxAge = 40;
    await ask();
    clock.advance(39_999);
    await ask();
    expect(upstream.requests).toHaveLength(1);
    clock.advance(1);
    await ask();
    expect(upstream.requests).toHaveLength(2);
  });
}
