import { describe, expect, it } from 'vitest';
import { STATIC_FILE } from '../../support/upstream/paged-responses.js';
import type { PagingBehaviour } from '../../support/upstream/paged-responses.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { useDirectory } from '../directory-teams.js';

/** Paging behaviours that deliver every record: title, behaviour, number of records, and number of requests that the drain takes. */
const COMPLETE: [title: string, paging: PagingBehaviour, count: number, requests?: number][] = [
  ['a source without faults, with its pages in parallel', {}, 250, 3],
  ['a source whose last page is full, with one request behind it', {}, 1000, 11],
  ['a source without records', {}, 0, 1],
  ['a source that sends a bare list with the total in a header field', { form: 'bare' }, 250, 3],
  ['a source that sends a bare list without a total', { form: 'bare', total: 'absent' }, 250, 4],
  ['a source that caps pages at 100', { cap: 100 }, 250, 3],
  ['a source that caps pages at 20', { cap: 20 }, 250, 13],
  ['a source that caps pages at 7', { cap: 7 }, 100, 15],
  ['a source that caps pages at 1', { cap: 1 }, 5],
  ['a source that caps pages and reports no total', { cap: 20, total: 'absent' }, 250, 14],
  ['a source that reports no total', { total: 'absent' }, 250, 4],
  ['a source that reports no total and whose last page is full', { total: 'absent' }, 200, 3],
  ['a source whose total is too small', { total: -13 }, 250],
  ['a source whose total is a whole page too small', { total: -100 }, 300],
  ['a source whose total is 0', { total: -250 }, 250],
  ['a source whose total counts only the page', { total: 'page' }, 250],
  ['a source whose total counts only the page, which is capped', { total: 'page', cap: 20 }, 90],
  ['a source that caps pages and whose total is a page too small', { total: -20, cap: 20 }, 100],
  ['a source that ignores the limit', { limit: 'ignored' }, 250, 2],
  ['a source that ignores the limit and reports no total', { limit: 'ignored', total: 'absent' }, 250, 2],
  ['a source that ignores the offset but accepts a large limit', { offset: 'ignored' }, 250],
  ['a source that repeats its last page for offsets behind its end', { offset: 'clamped' }, 300],
  ['a source that repeats its last page and reports no total', { offset: 'clamped', total: 'absent' }, 250],
  ['a source that repeats its only page', { offset: 'clamped' }, 30],
  ['a source that reports a total on its first page only', { total: 'first' }, 250],
  ['a source whose total counts the records from the offset on', { total: 'left' }, 250],
  [
    'a source that sends more than the limit and whose total counts only the page',
    { cut: (all, offset) => all.slice(offset, offset + 120), total: 'page' },
    250,
  ],
  [
    'a source that rounds the offset down to a whole page',
    { cut: (all, offset, limit) => all.slice(offset - (offset % limit)).slice(0, limit), total: 'absent' },
    250,
  ],
  ['a static file with a total', STATIC_FILE, 250, 2],
  ['a small static file with a total', STATIC_FILE, 30],
  ['a static file without a total', { ...STATIC_FILE, total: 'absent' }, 250, 2],
  ['a small static file without a total', { ...STATIC_FILE, total: 'absent' }, 30],
  ['a static file with one record', { ...STATIC_FILE, form: 'bare', total: 'absent' }, 1],
  ['an envelope whose status is a number', { envelope: { status: 200, status_code: '200' } }, 250, 3],
  ['an envelope without a status', { envelope: { status: null, status_code: null, version: 2 } }, 250, 3],
];

/** Sources whose lists can be read completely, whatever their paging behaviour (decisions 5.5, 5.6, 5.7). */
describe('a source with pages', () => {
  const fixture = useDirectory();
  const { dialect } = fixture;
  it.each(COMPLETE)('reads every record of %s', async (_title, paging, count, requests) => {
    const { upstream, list } = await fixture.drain(dialect.serve(dialect.records(count), paging));
    expect(list).toMatchObject({ status: 200, names: fixture.names(count), total: count });
    expect(list.sourceStatus).toBe(`one;state=fresh;records=${count};age=0`);
    expect(list.sources).toBeUndefined();
    if (requests !== undefined) expect(upstream.requests).toHaveLength(requests);
  });

  it.each([400, 403, 404, 416, 422])(
    'reads every record of a source that refuses the request behind its full last page with status %i',
    async (status) => {
      const handler = faulty.when(faulty.atOffset(200), faulty.status(status), dialect.serve(dialect.records(200)));
      const { list } = await fixture.drain(handler);
      expect(list).toMatchObject({ names: fixture.names(200), sourceStatus: 'one;state=fresh;records=200;age=0' });
    },
  );

  it('takes a 404 behind the last page as the end of a source that reports no total', async () => {
    const all = dialect.serve(dialect.records(200), { total: 'absent' });
    const { list } = await fixture.drain(faulty.when(faulty.atOffset(200), faulty.status(404), all));
    expect(list).toMatchObject({ names: fixture.names(200), sourceStatus: 'one;state=fresh;records=200;age=0' });
  });

  it('reads the new list of a source that changed once during the drain', async () => {
    const [before, after] = [dialect.records(249), dialect.records(250)];
    const records: PagingBehaviour['records'] = ({ number }) => (number === 1 ? before : after);
    const { upstream, list } = await fixture.drain(dialect.serve([], { records }));
    expect(list).toMatchObject({ names: fixture.names(250), sourceStatus: 'one;state=fresh;records=250;age=0' });
    expect(upstream.requests.length).toBeGreaterThan(3);
  });

  it('leaves out a record without a name, even when it is alone on the last page', async () => {
    const { upstream, list } = await fixture.drain(dialect.serve([...dialect.records(200), { host: 'Example Org' }]));
    expect(list).toMatchObject({ names: fixture.names(200), sourceStatus: 'one;state=fresh;records=200;age=0' });
    expect(upstream.requests).toHaveLength(3);
  });

  it('sends page size and offset', async () => {
    const upstream = await fixture.upstream(dialect.serve(dialect.records(30)));
    const sources = { one: { ...dialect.source(upstream.address), 'page-size': 12 } };
    await fixture.fetchAll(await fixture.gateway({ sources }));
    const [first, ...others] = upstream.requests;
    expect(first?.query.get('limit')).toBe('12');
    expect(others.map(({ query }) => query.get('offset')).sort()).toEqual(['12', '24']);
  });
});
