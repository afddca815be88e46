import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import * as faulty from '../support/upstream/faulty-responses.js';
import { useDirectory } from './directory-teams.js';

const LIMIT = 2 ** 20;

/** What the layers of the client do together, on a real connection (operation 2.7; decisions 5.8, 6.3, 8.6). */
describe('a source', () => {
  const fixture = useDirectory();
  const { dialect } = fixture;

  it.each(['gzip', 'br'] as const)('is read with the content coding %s', async (coding) => {
    const { list } = await fixture.drain(dialect.serve(dialect.records(250), { coding }));
    expect(list).toMatchObject(fixture.fresh(250));
  });

  it('is read where a body has exactly max-body bytes, and has failed where one has a byte more after decoding', async () => {
    const lengthen = (body: Buffer): Buffer => Buffer.concat([body, Buffer.alloc(LIMIT - body.length, '\n')]);
    const { list } = await fixture.drain(dialect.serve(dialect.records(3), { edit: lengthen }), { 'max-body': '1MiB' });
    expect(list).toMatchObject(fixture.fresh(3));
    const tooLong = faulty.body(gzipSync('[]'.padEnd(LIMIT + 1)), { 'Content-Encoding': 'gzip' });
    const { list: failed } = await fixture.drain(tooLong, { 'max-body': '1MiB' });
    expect(failed).toMatchObject({ status: 502, sourceStatus: 'one;state=failed;reason=size' });
  });

  it('is read through three redirects within its origin', async () => {
    const { upstream, list } = await fixture.drain(faulty.redirectRepeatedly(3, dialect.serve(dialect.records(30))));
    expect(list).toMatchObject(fixture.fresh(30));
    expect(upstream.requests.length % 4).toBe(0);
  });

  it.each([
    ['a 503', faulty.status(503)],
    ['a connection reset', faulty.resetConnection],
  ])('is complete where a second request succeeds after %s', async (_title, bad) => {
    const good = dialect.serve(dialect.records(30));
    const { upstream, list } = await fixture.drain(faulty.when(({ number }) => number === 1, bad, good));
    expect(list).toMatchObject(fixture.fresh(30));
    expect(upstream.requests).toHaveLength(1 + (await fixture.countRequests(dialect.records(30))));
  });

  it.each([
    ['a 403', faulty.status(403), 1],
    ['a 500', faulty.status(500), 2],
    ['a 500 where retries are 2', faulty.status(500), 3, 2],
  ])('is sent no more requests than retries allow for %s', async (_title, handler, requests, retries = 1) => {
    const { upstream } = await fixture.drain(handler, { retries });
    expect(upstream.requests).toHaveLength(requests);
  });

  it('is suspended after failures in a row, and is sent no request then', async () => {
    const { clock, upstream, fetchList } = await fixture.start(faulty.status(500), { retries: 0 });
    for (const state of [...Array.from({ length: 5 }, () => 'failed'), 'suspended']) {
      expect((await fetchList()).sourceStatus).toMatch(new RegExp(`^one;state=${state}`));
      clock.advance(2_000);
    }
    expect(upstream.requests).toHaveLength(5);
  });
});
