import { describe, expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import {
  entityTagOf,
  isConditional,
  withEntityTags,
  withValidators,
} from '../../support/upstream/conditional-responses.js';
import type { PageValidators } from '../../support/upstream/conditional-responses.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';
import { MANY } from './contract-fixture.js';
import type { ContractFixture, ContractScene } from './contract-fixture.js';

const TTL = 60_000;

/** Milliseconds after a complete reading in which a 304 is trusted (decisions 7.5). */
const MAX_UNVERIFIED = 3_600_000;

const MAY_2015 = 'Wed, 13 May 2015 01:56:15 GMT';

/** Validators of a source, and the condition that each of them becomes. */
const CONDITIONS: readonly (readonly [title: string, validators: PageValidators, condition: object])[] = [
  ['a strong entity tag', { etag: '"a"' }, { 'if-none-match': '"a"' }],
  ['a weak entity tag', { etag: 'W/"a"' }, { 'if-none-match': 'W/"a"' }],
  ['an entity tag with the suffix of a coding', { etag: '"a-gzip"' }, { 'if-none-match': '"a-gzip"' }],
  ['an empty entity tag', { etag: '""' }, { 'if-none-match': '""' }],
  ['a date', { lastModified: MAY_2015 }, { 'if-modified-since': MAY_2015 }],
  [
    'the entity tag where the source also sends a date',
    { etag: '"a"', lastModified: MAY_2015 },
    { 'if-none-match': '"a"' },
  ],
  ['a date where the entity tag is invalid', { etag: '*', lastModified: MAY_2015 }, { 'if-modified-since': MAY_2015 }],
];

/** Validators that no condition can be made of. */
const UNUSABLE: readonly (readonly [title: string, validators: PageValidators])[] = [
  ['no validators', {}],
  ['an entity tag of *', { etag: '*' }],
  ['an entity tag without quotes', { etag: 'a' }],
  ['a list of entity tags', { etag: '"a", "b"' }],
  // One day ahead: on a busy machine the tests of this file begin long after this line has run.
  ['a date not older than the response', { lastModified: new Date(Date.now() + 86_400_000).toUTCString() }],
  ['an unreadable date', { lastModified: 'yesterday' }],
];

/** Starts a gateway, reads the list, clears the upstream's list of requests, and lets the time to live pass. */
export async function startDrained(
  fixture: Pick<ContractFixture, 'start'>,
  handler: RequestHandler,
  defaults: object = {},
): Promise<ContractScene> {
  const scene = await fixture.start(handler, { 'stale-while-revalidate': '0s', ...defaults });
  await scene.fetchList();
  expect(scene.upstream.requests.filter(isConditional)).toEqual([]);
  scene.upstream.forget();
  scene.clock.advance(TTL);
  return scene;
}

/** Snapshots that are revalidated with their source's own validators (decisions 7.4, 7.5). */
export function testRevalidation(fixture: ContractFixture): void {
  const { dialect } = fixture;
  const serve = (count: number): RequestHandler => dialect.serve(dialect.records(count));
  const start = (handler: RequestHandler, defaults?: object): Promise<ContractScene> =>
    startDrained(fixture, handler, defaults);

  it.each(CONDITIONS)('are confirmed with %s', async (_title, validators, condition) => {
    const { clock, upstream, fetchList } = await start(withValidators(serve(30), () => validators));
    for (let time = 1; time <= 3; time += 1) {
      upstream.forget();
      expect(await fetchList()).toMatchObject(fixture.fresh(30));
      expect(upstream.requests.length).toBeGreaterThan(0);
      for (const { headers } of upstream.requests) {
        const sent = Object.entries(headers).filter(([name]) => name.startsWith('if-'));
        expect(Object.fromEntries(sent)).toEqual(condition);
      }
      clock.advance(TTL);
    }
  });

  it.each(UNUSABLE)('are read again without a condition from a source that sends %s', async (_title, validators) => {
    const { upstream, fetchList } = await start(withValidators(serve(30), () => validators));
    expect(await fetchList()).toMatchObject(fixture.fresh(30));
    expect(upstream.requests.length).toBeGreaterThan(0);
    expect(upstream.requests.filter(isConditional)).toEqual([]);
  });

  it('are confirmed with the own entity tag of each response, once each', async () => {
    const { upstream, fetchList } = await start(withEntityTags(serve(MANY)));
    expect(await fetchList()).toMatchObject(fixture.fresh(MANY));
    const { requests } = upstream;
    const tags = requests.map(({ headers }) => headers['if-none-match']);
    expect(tags).toEqual(requests.map((request) => entityTagOf(request)));
    expect(new Set(tags).size).toBe(tags.length);
    expect(new Set(requests.map(dialect.partOf)).size).toBeGreaterThan(dialect.lastPart);
  });

  it('are read again when the first response has changed, which is requested twice only where it has no records', async () => {
    const { upstream, fetchList } = await start(withEntityTags(serve(MANY)));
    upstream.handler = withEntityTags(serve(MANY + 1), 'v2');
    expect(await fetchList()).toMatchObject(fixture.fresh(MANY + 1));
    expect(upstream.requests.filter(isConditional)).toHaveLength(1);
    const isTogether = dialect.lastPart > 0 && !dialect.isPaged;
    expect(upstream.requests.filter(fixture.isFirstPart)).toHaveLength(isTogether ? 2 : 1);
  });

  it('are read without conditions when an hour has passed since the last reading', async () => {
    const { clock, upstream, fetchList } = await start(withEntityTags(serve(30)), { ttl: '60s' });
    for (let time = TTL; time < MAX_UNVERIFIED; time += TTL) {
      expect(await fetchList()).toMatchObject(fixture.fresh(30));
      clock.advance(TTL);
    }
    expect(upstream.requests.filter(fixture.isFirstPart)).toHaveLength(MAX_UNVERIFIED / TTL - 1);
    expect(upstream.requests.every(isConditional)).toBe(true);
    upstream.forget();
    // The source has changed but still reports the old entity tag.
    upstream.handler = withEntityTags(serve(31));
    expect(await fetchList()).toMatchObject(fixture.fresh(31));
    expect(upstream.requests.filter(isConditional)).toEqual([]);
  });

  it('are read as soon as that hour ends, even within the time to live', async () => {
    const { clock, upstream, fetchList } = await start(withEntityTags(serve(30)), { ttl: '40m' });
    clock.advance(40 * 60_000 - TTL);
    await fetchList();
    upstream.handler = withEntityTags(serve(31));
    clock.advance(20 * 60_000 - 1);
    expect((await fetchList()).names).toEqual(fixture.names(30));
    clock.advance(1);
    expect(await fetchList()).toMatchObject(fixture.fresh(31));
  });

  it('are read without a condition where they were read while the clock was ahead', async () => {
    const { clock, upstream, fetchList } = await start(withEntityTags(serve(30)));
    await fetchList();
    upstream.forget();
    clock.advance(-2 * MAX_UNVERIFIED);
    expect(await fetchList()).toMatchObject(fixture.fresh(30));
    expect(upstream.requests.filter(isConditional)).toEqual([]);
  });

  it('are read from a source that refuses conditional requests', async () => {
    const { upstream, fetchList } = await start(withEntityTags(serve(30)));
    upstream.handler = faulty.when(isConditional, faulty.status(412), withEntityTags(serve(31)));
    expect(await fetchList()).toMatchObject(fixture.fresh(31));
  });

  it('are served stale when a request fails, and confirmed afterwards', async () => {
    const { clock, upstream, fetchList } = await start(withEntityTags(serve(MANY)));
    const stale = `one;state=stale;reason=status;status=500;records=${MANY};age=`;
    upstream.handler = faulty.status(500);
    expect((await fetchList()).sourceStatus).toBe(`${stale}60`);
    clock.advance(2_000);
    upstream.handler = faulty.when(fixture.isLastPart, faulty.status(500), withEntityTags(serve(MANY)));
    expect((await fetchList()).sourceStatus).toBe(`${stale}62`);
    clock.advance(2_000);
    upstream.handler = withEntityTags(serve(MANY));
    upstream.forget();
    expect(await fetchList()).toMatchObject(fixture.fresh(MANY));
    expect(upstream.requests.every(isConditional)).toBe(true);
  });

  it('are excluded with the source whose 304 names this gateway in Via', async () => {
    const { upstream, fetchList } = await start(withEntityTags(serve(30)));
    upstream.handler = (request, response) => {
      response.setHeader('Via', '1.1 own-gateway');
      withEntityTags(serve(30))(request, response);
    };
    expect((await fetchList()).sourceStatus).toBe('one;state=excluded;reason=loop');
  });

  it('have the max-age of the 304', async () => {
    let maxAge = 20;
    const baseHandler: RequestHandler = (request, response) => {
      response.setHeader('Cache-Control', `max-age=${maxAge}`);
      withEntityTags(serve(30))(request, response);
    };
    const { clock, upstream, fetchList } = await start(baseHandler);
    maxAge = 40;
    await fetchList();
    const { length } = upstream.requests;
    clock.advance(39_999);
    await fetchList();
    expect(upstream.requests).toHaveLength(length);
    clock.advance(1);
    await fetchList();
    expect(upstream.requests).toHaveLength(2 * length);
  });

  if (dialect.lastPart > 0)
    describe('of several responses', () => {
      it('are read again when only the last one has changed', async () => {
        const { upstream, fetchList } = await start(withEntityTags(serve(MANY)));
        const changed = withEntityTags(serve(MANY + 1), 'v2');
        upstream.handler = faulty.when(fixture.isLastPart, changed, withEntityTags(serve(MANY + 1)));
        expect(await fetchList()).toMatchObject(fixture.fresh(MANY + 1));
        if (dialect.isPaged) expect(upstream.requests.filter(fixture.isLastPart)).toHaveLength(1);
      });

      it('are read without conditions when one of them has no validators', async () => {
        const { upstream, fetchList } = await start(
          faulty.when((request) => dialect.partOf(request) === 1, serve(MANY), withEntityTags(serve(MANY))),
        );
        upstream.handler = serve(MANY + 1);
        expect(await fetchList()).toMatchObject(fixture.fresh(MANY + 1));
        expect(upstream.requests.filter(isConditional)).toEqual([]);
      });

      it('fail when the source responds 304 to an unconditional request', async () => {
        const { upstream, fetchList } = await start(withEntityTags(serve(MANY)));
        const first = withEntityTags(serve(MANY + 1), 'v2');
        upstream.handler = faulty.when(fixture.isFirstPart, first, faulty.status(304));
        expect((await fetchList()).sourceStatus).toBe(
          `one;state=stale;reason=status;status=304;records=${MANY};age=60`,
        );
      });
    });
}
