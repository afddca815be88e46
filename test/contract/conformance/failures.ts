import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { unusedAddress, neverResponds } from '../../support/upstream/upstream-server.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';
import { MANY } from './contract-fixture.js';
import type { ContractFixture } from './contract-fixture.js';

/** Statuses that make a source fail. */
const STATUSES: readonly (readonly [title: string, status: number])[] = [
  ['a server error', 500],
  ['a path that does not exist', 404],
  ['a 204', 204],
  ['a 304 to an unconditional request', 304],
  ['a redirect without Location', 302],
];

/** Other responses that make a source fail: title, handler and reason. */
const FAILURES: readonly (readonly [title: string, handler: RequestHandler, reason: string])[] = [
  ['a connection that breaks within the body', faulty.halfBody, 'connect'],
  ['a connection reset', faulty.resetConnection, 'connect'],
  ['an unsupported content coding', faulty.body('[]', { 'Content-Encoding': 'snappy' }), 'body'],
  ['a body that does not have the declared content coding', faulty.body('[]', { 'Content-Encoding': 'gzip' }), 'body'],
  [
    'a truncated gzip body',
    faulty.body(gzipSync('[]'.padEnd(5000)).subarray(0, 30), { 'Content-Encoding': 'gzip' }),
    'body',
  ],
];

/** Sources that return nothing usable, and the reason that Rollcall reports (decisions 6.3, 6.14). */
export function testFailures(fixture: ContractFixture): void {
  const { dialect } = fixture;

  it.each(STATUSES)('is reported with the reason and the status for %s', async (_title, status) => {
    const { response, list } = await fixture.drain(faulty.status(status));
    expect(response.status).toBe(502);
    expect(list.sourceStatus).toBe(`one;state=failed;reason=status;status=${status}`);
    expect(list.sources).toEqual([{ 'source-name': 'one', state: 'failed', reason: 'status', status }]);
  });

  it.each([...FAILURES, ...dialect.invalidBodies])(
    'is reported with the reason for %s',
    async (_title, handler, reason) => {
      const { response, list } = await fixture.drain(handler);
      expect(response.status).toBe(502);
      // A list of other names is reported with the missing one.
      const missing = /;missing=([a-z-]+)$/.exec(list.sourceStatus)?.[1];
      const entry = { 'source-name': 'one', state: 'failed', reason, ...(missing && { missing }) };
      expect(list.sourceStatus.replace(/;missing=.*$/, '')).toBe(`one;state=failed;reason=${reason}`);
      expect(list.sources).toEqual([entry]);
    },
  );

  it('is reported with the reason connect when nothing listens at the address', async () => {
    const sources = { one: dialect.source(await unusedAddress()) };
    const response = await fixture.fetchAll(await fixture.gateway({ sources }));
    expect(response.status).toBe(502);
    expect(fixture.readList(response).sourceStatus).toBe('one;state=failed;reason=connect');
  });

  it.each([
    ['a source that never responds', neverResponds],
    ['a body sent one byte at a time', faulty.dripBytes],
    ['a response after the timeout', faulty.delayed(10_000, faulty.body('[]'))],
  ])('is reported with 504 and the reason timeout for %s', async (_title, handler) => {
    const { response, list } = await fixture.drain(handler, { timeout: '150ms' });
    expect(response.status).toBe(504);
    expect(list.sourceStatus).toBe('one;state=failed;reason=timeout');
  });

  it('never passes the text of its error to a client', async () => {
    const { response } = await fixture.drain(faulty.status(500));
    expect(response.text).not.toMatch(/Something else|127\.0\.0\.1|at .*\.ts/);
  });

  if (dialect.lastPart > 0)
    describe('on one of several responses', () => {
      it.each([
        ['a 503', faulty.status(503), 'status;status=503'],
        ['a connection reset', faulty.resetConnection, 'connect'],
        ['half a body', faulty.halfBody, 'connect'],
        ['a body that is not JSON', faulty.body('<html>'), 'body'],
        ['a page that is no list', faulty.body('{"error":"none"}'), 'schema'],
        ['a redirect to another origin', faulty.redirectTo('http://127.0.0.1:9'), 'redirect'],
      ])('shows no record when it is %s', async (_title, bad, reason) => {
        const good = dialect.serve(dialect.records(MANY));
        const { response, list } = await fixture.drain(faulty.when(fixture.isLastPart, bad, good));
        expect(response.status).toBe(502);
        expect(list).toMatchObject({ names: [], sourceStatus: `one;state=failed;reason=${reason}` });
      });
    });
}
