import { describe, expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { isConditional, withEntityTags, withValidators } from '../../support/upstream/conditional-responses.js';
import type { PageValidators } from '../../support/upstream/conditional-responses.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';
import { TTL } from '../contract-fixture.js';
import { useDirectory } from '../directory-teams.js';

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

/** Snapshots that are revalidated with their source's own validators (decisions 7.4, 7.5). */
describe('lists that are revalidated', () => {
  const fixture = useDirectory();
  const { dialect } = fixture;
  const serve = (count: number): RequestHandler => dialect.serve(dialect.records(count));

  it.each(CONDITIONS)('are confirmed with %s', async (_title, validators, condition) => {
    const { clock, upstream, fetchList } = await fixture.startDrained(withValidators(serve(30), () => validators));
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
    const { upstream, fetchList } = await fixture.startDrained(withValidators(serve(30), () => validators));
    expect(await fetchList()).toMatchObject(fixture.fresh(30));
    expect(upstream.requests.length).toBeGreaterThan(0);
    expect(upstream.requests.filter(isConditional)).toEqual([]);
  });

  it('are read without conditions when an hour has passed since the last reading', async () => {
    const { clock, upstream, fetchList } = await fixture.startDrained(withEntityTags(serve(30)), { ttl: '60s' });
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
    const { clock, upstream, fetchList } = await fixture.startDrained(withEntityTags(serve(30)), { ttl: '40m' });
    clock.advance(40 * 60_000 - TTL);
    await fetchList();
    upstream.handler = withEntityTags(serve(31));
    clock.advance(20 * 60_000 - 1);
    expect((await fetchList()).names).toEqual(fixture.names(30));
    clock.advance(1);
    expect(await fetchList()).toMatchObject(fixture.fresh(31));
  });

  it('are read without a condition where they were read while the clock was ahead', async () => {
    const { clock, upstream, fetchList } = await fixture.startDrained(withEntityTags(serve(30)));
    await fetchList();
    upstream.forget();
    clock.advance(-2 * MAX_UNVERIFIED);
    expect(await fetchList()).toMatchObject(fixture.fresh(30));
    expect(upstream.requests.filter(isConditional)).toEqual([]);
  });

  it('are read from a source that refuses conditional requests', async () => {
    const { upstream, fetchList } = await fixture.startDrained(withEntityTags(serve(30)));
    upstream.handler = faulty.when(isConditional, faulty.status(412), withEntityTags(serve(31)));
    expect(await fetchList()).toMatchObject(fixture.fresh(31));
  });

  it('are excluded with the source whose 304 names this gateway in Via', async () => {
    const { upstream, fetchList } = await fixture.startDrained(withEntityTags(serve(30)));
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
    const { clock, upstream, fetchList } = await fixture.startDrained(baseHandler);
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
});
