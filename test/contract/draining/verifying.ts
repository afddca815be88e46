import { expect, it } from 'vitest';
import { fakeClock } from '../../support/clock.js';
import type { FakeClock } from '../../support/clock.js';
import * as mischief from '../../support/mischief.js';
import { STATIC } from '../../support/paging.js';
import { isConditional, tagged, validating } from '../../support/validating.js';
import type { Validators } from '../../support/validating.js';
import type { Answering, Asked, Upstream } from '../../support/upstream.js';
import type { Bench, Seen } from './bench.js';

const TTL = 60_000;

/** Milliseconds of `max-unverified`, its default. */
const TRUSTED = 3_600_000;

interface Stage {
  readonly clock: FakeClock;
  readonly upstream: Upstream;
  readonly ask: () => Promise<Seen>;
}

/** Copies that are verified by their source's own validators (decisions.md, section 7, "Upstream"). */
export function verifiesCopies(bench: Bench): void {
  const { dialect } = bench;
  const serve = (count: number): Answering => dialect.serve(dialect.records(count));

  /** A Rollcall that has drained the upstream, which has forgotten it, a time to live later. */
  const drained = async (answering: Answering, defaults: object = {}): Promise<Stage> => {
    const clock = fakeClock();
    const upstream = await bench.upstream(answering);
    const sources = { one: dialect.source(upstream.address) };
    const all = { 'stale-while-revalidate': '0s', ...defaults };
    const rollcall = await bench.rollcall({ server: { name: 'house' }, defaults: all, sources }, { clock });
    const ask = async (): Promise<Seen> => bench.seen(await bench.all(rollcall));
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

  it.each<[string, Validators, object]>([
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
    const { clock, upstream, ask } = await drained(validating(serve(30), () => validators));
    for (let time = 1; time <= 3; time += 1) {
      expect(await ask()).toMatchObject(fresh(30));
      expect(upstream.requests).toHaveLength(time);
      const { headers } = upstream.requests[time - 1] ?? {};
      const sent = Object.entries(headers ?? {}).filter(([name]) => name.startsWith('if-'));
      expect(Object.fromEntries(sent)).toEqual(condition);
      clock.advance(TTL);
    }
  });

  it.each<[string, Validators]>([
    ['it gives none', {}],
    ['a tag that would match anything', { etag: '*' }],
    ['a tag without quotes', { etag: 'a' }],
    ['a list of tags', { etag: '"a", "b"' }],
    // A day: the file's tests begin long after this line has run where the machine is busy.
    ['a date as new as the answer', { lastModified: new Date(Date.now() + 86_400_000).toUTCString() }],
    ['no date', { lastModified: 'yesterday' }],
  ])('only where it gives validators that prove something: %s', async (_title, validators) => {
    const { upstream, ask } = await drained(validating(serve(30), () => validators));
    expect(await ask()).toMatchObject(fresh(30));
    expect(upstream.requests.length).toBeGreaterThan(0);
    expect(upstream.requests.filter(isConditional)).toEqual([]);
  });

  it('page by page, each by its own', async () => {
    const { upstream, ask } = await drained(tagged(serve(250)));
    expect(await ask()).toMatchObject(fresh(250));
    const asked = upstream.requests.map(({ headers }) => headers['if-none-match']).sort();
    expect(asked).toEqual(['"v1 0"', '"v1 100"', '"v1 200"']);
  });

  it('in one request where it is a file, that gives the same whatever is asked', async () => {
    const file = validating(dialect.serve(dialect.records(30), { ...STATIC, total: 'absent' }), () => ({
      etag: '"a"',
    }));
    const { upstream, ask } = await drained(file);
    expect(await ask()).toMatchObject(fresh(30));
    expect(upstream.requests).toHaveLength(1);
  });

  it('and drained when the first page has changed, which is not asked for twice', async () => {
    const { upstream, ask } = await drained(tagged(serve(250)));
    upstream.answering = tagged(serve(251), 'v2');
    expect(await ask()).toMatchObject(fresh(251));
    const offsets = upstream.requests.map(({ query }) => query.get('offset'));
    expect(offsets.sort()).toEqual(['0', '100', '200']);
    expect(upstream.requests.filter(isConditional)).toHaveLength(1);
  });

  it('and drained when only a later page has changed', async () => {
    const { upstream, ask } = await drained(tagged(serve(250)));
    upstream.answering = mischief.when(mischief.atOffset(200), tagged(serve(251), 'v2'), tagged(serve(251)));
    expect(await ask()).toMatchObject(fresh(251));
    expect(upstream.requests.filter(mischief.atOffset(200))).toHaveLength(1);
  });

  it('and drained when a page is empty now', async () => {
    const { upstream, ask } = await drained(tagged(serve(250)));
    upstream.answering = mischief.when(mischief.atOffset(200), tagged(serve(200), 'v2'), tagged(serve(200)));
    expect(await ask()).toMatchObject(fresh(200));
  });

  it('and drained when a 304 counts otherwise, though the page itself is as it was', async () => {
    const counting =
      (count: number): Answering =>
      (asked, response) => {
        response.setHeader('X-Total-Count', String(count));
        tagged(dialect.serve(dialect.records(count), { form: 'bare' }))(asked, response);
      };
    const { clock, upstream, ask } = await drained(counting(250));
    expect(await ask()).toMatchObject(fresh(250));
    upstream.answering = counting(200);
    clock.advance(TTL);
    expect(await ask()).toMatchObject(fresh(200));
  });

  it('and drained where one page has no validators', async () => {
    const { upstream, ask } = await drained(mischief.when(mischief.atOffset(100), serve(250), tagged(serve(250))));
    upstream.answering = serve(251);
    expect(await ask()).toMatchObject(fresh(251));
    expect(upstream.requests.filter(isConditional)).toEqual([]);
  });

  it('also behind a full page, where the next record would be', async () => {
    const { upstream, ask } = await drained(tagged(dialect.serve(dialect.records(100), { total: 'absent' })));
    const grown = dialect.serve(dialect.records(101), { total: 'absent' });
    upstream.answering = mischief.when(mischief.atOffset(100), tagged(grown, 'v2'), tagged(grown));
    expect(await ask()).toMatchObject(fresh(101));
  });

  it('also behind a page that the source may have cut itself', async () => {
    const cut = { total: 'absent', cap: 30 } as const;
    const { upstream, ask } = await drained(tagged(dialect.serve(dialect.records(30), cut)));
    const grown = dialect.serve(dialect.records(31), cut);
    upstream.answering = mischief.when(mischief.atOffset(30), tagged(grown, 'v2'), tagged(grown));
    expect(await ask()).toMatchObject(fresh(31));
  });

  it('for max-unverified after the last drain, and then drained without conditions', async () => {
    const { clock, upstream, ask } = await drained(tagged(serve(30)), { ttl: '60s' });
    for (let time = TTL; time < TRUSTED; time += TTL) {
      expect(await ask()).toMatchObject(fresh(30));
      clock.advance(TTL);
    }
    expect(upstream.requests).toHaveLength(TRUSTED / TTL - 1);
    expect(upstream.requests.filter(isConditional)).toHaveLength(TRUSTED / TTL - 1);
    upstream.forget();
    // It lies: something has changed, and it says that nothing has.
    upstream.answering = tagged(serve(31));
    expect(await ask()).toMatchObject(fresh(31));
    expect(upstream.requests.filter(isConditional)).toEqual([]);
  });

  it('to the moment at which max-unverified is over, though that is within a time to live', async () => {
    const { clock, upstream, ask } = await drained(tagged(serve(30)), { 'max-unverified': '90s' });
    await ask();
    upstream.answering = tagged(serve(31));
    clock.advance(29_999);
    expect((await ask()).names).toEqual(bench.names(30));
    clock.advance(1);
    expect(await ask()).toMatchObject(fresh(31));
  });

  it('never where max-unverified is 0s', async () => {
    const { upstream, ask } = await drained(tagged(serve(30)), { 'max-unverified': '0s' });
    expect(await ask()).toMatchObject(fresh(30));
    expect(upstream.requests.filter(isConditional)).toEqual([]);
  });

  it('and drained where the source refuses to be asked so', async () => {
    const { upstream, ask } = await drained(tagged(serve(30)));
    upstream.answering = mischief.when(isConditional, mischief.status(412), tagged(serve(31)));
    expect(await ask()).toMatchObject(fresh(31));
  });

  it('and stand in when the source fails, on the first page or a later one; then they are verified again', async () => {
    const { clock, upstream, ask } = await drained(tagged(serve(250)));
    const stale = 'one;state=stale;reason=status;status=500;records=250;age=';
    upstream.answering = mischief.status(500);
    expect((await ask()).sourceStatus).toBe(`${stale}60`);
    clock.advance(2_000);
    upstream.answering = mischief.when(mischief.atOffset(200), mischief.status(500), tagged(serve(250)));
    expect((await ask()).sourceStatus).toBe(`${stale}62`);
    clock.advance(2_000);
    upstream.answering = tagged(serve(250));
    upstream.forget();
    expect(await ask()).toMatchObject(fresh(250));
    expect(upstream.requests.filter(isConditional)).toHaveLength(3);
  });

  it('and fail when a 304 comes to a drain, which asks on no condition', async () => {
    const { upstream, ask } = await drained(tagged(serve(250)));
    const firstPage = tagged(serve(251), 'v2');
    upstream.answering = mischief.when(mischief.atOffset(0), firstPage, mischief.status(304));
    expect((await ask()).sourceStatus).toBe('one;state=stale;reason=status;status=304;records=250;age=60');
  });

  it('and not believed when the answer leads back here', async () => {
    const { upstream, ask } = await drained(tagged(serve(30)));
    upstream.answering = (asked: Asked, response) => {
      response.setHeader('Via', '1.1 house');
      tagged(serve(30))(asked, response);
    };
    expect((await ask()).sourceStatus).toBe('one;state=excluded;reason=loop');
  });

  it('for as long as the 304 lets them be used', async () => {
    let maxAge = 20;
    const answering: Answering = (asked, response) => {
      response.setHeader('Cache-Control', `max-age=${maxAge}`);
      tagged(serve(30))(asked, response);
    };
    const { clock, upstream, ask } = await drained(answering);
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
