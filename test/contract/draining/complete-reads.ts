import { expect, it } from 'vitest';
import { STATIC_FILE } from '../../support/upstream/paged-responses.js';
import type { PagingBehaviour } from '../../support/upstream/paged-responses.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { ContractFixture } from './contract-fixture.js';

/** Manners that keep nothing back: what the source is like, how much it has, and how many requests may be needed for it. */
const COMPLETE: [title: string, manners: PagingBehaviour, count: number, requests?: number][] = [
  ['of an exemplary source, its pages side by side', {}, 250, 3],
  ['of a source whose last page is full, and looks behind it', {}, 1000, 11],
  ['of a source that has nothing', {}, 0, 1],
  ['of a source that compresses with gzip', { coding: 'gzip' }, 250, 3],
  ['of a source that compresses with brotli', { coding: 'br' }, 250, 3],
  ['of a source that answers with a bare list, its total in a header', { form: 'bare' }, 250, 3],
  ['of a source that answers with a bare list and no total', { form: 'bare', total: 'absent' }, 250, 4],
  ['of a source that caps pages at 100', { cap: 100 }, 250, 3],
  ['of a source that caps pages at 20', { cap: 20 }, 250, 13],
  ['of a source that caps pages at 7', { cap: 7 }, 100, 15],
  ['of a source that caps pages at 1', { cap: 1 }, 5],
  ['of a source that caps pages and says no total', { cap: 20, total: 'absent' }, 250, 14],
  ['of a source that says no total', { total: 'absent' }, 250, 4],
  ['of a source that says no total, its last page full', { total: 'absent' }, 200, 3],
  ['of a source that counts too few', { total: -13 }, 250],
  ['of a source that counts a whole page too few', { total: -100 }, 300],
  ['of a source that counts nothing', { total: -250 }, 250],
  ['of a source that counts only the page', { total: 'page' }, 250],
  ['of a source that counts only the page, and caps it', { total: 'page', cap: 20 }, 90],
  ['of a source that counts a page too few, and caps it', { total: -20, cap: 20 }, 100],
  ['of a source that ignores the limit', { limit: 'ignored' }, 250, 2],
  ['of a source that ignores the limit and says no total', { limit: 'ignored', total: 'absent' }, 250, 2],
  ['of a source that ignores the offset, but grants a large limit', { offset: 'ignored' }, 250],
  ['of a source that answers offsets behind its end with its last page', { offset: 'clamped' }, 300],
  ['of a source that does so and says no total', { offset: 'clamped', total: 'absent' }, 250],
  ['of a source that does so on its only page', { offset: 'clamped' }, 30],
  ['of a source that counts on its first page only', { total: 'first' }, 250],
  ['of a source that counts what is left', { total: 'left' }, 250],
  [
    'of a source that gives more than is asked for, and counts only the page',
    { cut: (all, offset) => all.slice(offset, offset + 120), total: 'page' },
    250,
  ],
  [
    'of a source that takes an offset for the number of a page',
    { cut: (all, offset, limit) => all.slice(offset - (offset % limit)).slice(0, limit), total: 'absent' },
    250,
  ],
  ['of a file that knows its total', STATIC_FILE, 250, 2],
  ['of a small file that knows its total', STATIC_FILE, 30],
  ['of a file without a total', { ...STATIC_FILE, total: 'absent' }, 250, 2],
  ['of a small file without a total', { ...STATIC_FILE, total: 'absent' }, 30],
  ['of a file with one record', { ...STATIC_FILE, form: 'bare', total: 'absent' }, 1],
  ['of an envelope whose status is a number', { envelope: { status: 200, status_code: '200' } }, 250, 3],
  ['of an envelope without a status', { envelope: { status: null, status_code: null, version: 2 } }, 250, 3],
];

/** Good and bad manners that still deliver everything. */
export function testCompleteReads(bench: ContractFixture): void {
  const { dialect } = bench;
  it.each(COMPLETE)('%s', async (_title, paging, count, requests) => {
    const { upstream, seen } = await bench.drain(dialect.serve(dialect.records(count), paging));
    expect(seen).toMatchObject({ status: 200, names: bench.names(count), total: count });
    expect(seen.sourceStatus).toBe(`one;state=fresh;records=${count};age=0`);
    expect(seen.sources).toBeUndefined();
    if (requests !== undefined) expect(upstream.requests).toHaveLength(requests);
  });

  it.each([400, 403, 404, 416, 422])(
    'of a source whose last page is full, and that refuses to be asked behind it: status %i',
    async (status) => {
      const handler = faulty.when(faulty.atOffset(200), faulty.status(status), dialect.serve(dialect.records(200)));
      const { seen } = await bench.drain(handler);
      expect(seen).toMatchObject({ names: bench.names(200), sourceStatus: 'one;state=fresh;records=200;age=0' });
    },
  );

  it('of a source that counts nothing, and says of what is behind its end that it is not there', async () => {
    const all = dialect.serve(dialect.records(200), { total: 'absent' });
    const { seen } = await bench.drain(faulty.when(faulty.atOffset(200), faulty.status(404), all));
    expect(seen).toMatchObject({ names: bench.names(200), sourceStatus: 'one;state=fresh;records=200;age=0' });
  });

  it('of a source that changed once while it was drained, as it is afterwards', async () => {
    const [before, after] = [dialect.records(249), dialect.records(250)];
    const records: PagingBehaviour['records'] = ({ number }) => (number === 1 ? before : after);
    const { upstream, seen } = await bench.drain(dialect.serve([], { records }));
    expect(seen).toMatchObject({ names: bench.names(250), sourceStatus: 'one;state=fresh;records=250;age=0' });
    expect(upstream.requests.length).toBeGreaterThan(3);
  });

  it('of a source that dates every answer anew, once two drains saw the same', async () => {
    const lastModified: PagingBehaviour['lastModified'] = ({ number }) => new Date(number * 1000).toUTCString();
    const { upstream, seen } = await bench.drain(dialect.serve(dialect.records(250), { lastModified }));
    expect(seen).toMatchObject({ names: bench.names(250), sourceStatus: 'one;state=fresh;records=250;age=0' });
    expect(upstream.requests).toHaveLength(6);
  });

  it('but a record without a name, also where it is alone on the last page', async () => {
    const { upstream, seen } = await bench.drain(dialect.serve([...dialect.records(200), { host: 'Example Org' }]));
    expect(seen).toMatchObject({ names: bench.names(200), sourceStatus: 'one;state=fresh;records=200;age=0' });
    expect(upstream.requests).toHaveLength(3);
  });

  it('behind a byte order mark', async () => {
    const text = `\uFEFF${JSON.stringify(dialect.records(3))}`;
    const { seen } = await bench.drain(faulty.body(text, { 'X-Total-Count': '3' }));
    expect(seen).toMatchObject({ names: bench.names(3), sourceStatus: 'one;state=fresh;records=3;age=0' });
  });

  it('with page size, media type and codings in its requests, and its name in Via', async () => {
    const upstream = await bench.upstream(dialect.serve(dialect.records(30)));
    const sources = { one: { ...dialect.source(upstream.address), 'page-size': 12 } };
    await bench.all(await bench.gateway({ server: { name: 'house' }, sources }));
    const [first, ...others] = upstream.requests;
    expect(first?.query.get('limit')).toBe('12');
    expect(first?.headers).toMatchObject({ accept: 'application/json', via: '1.1 house', 'user-agent': 'rollcall' });
    expect(first?.headers['accept-encoding']).toBe('gzip, br');
    expect(others.map(({ query }) => query.get('offset')).sort()).toEqual(['12', '24']);
  });
}
