import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { unusedAddress, neverResponds } from '../../support/upstream/upstream-server.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';
import type { ContractFixture } from './contract-fixture.js';

/** Answers from which nothing can be made, and the reason for each, with the HTTP status where that is the reason. */
const FAILURES: [title: string, answering: RequestHandler, reason: string, status?: number][] = [
  ['a server error', faulty.status(500), 'status', 500],
  ['a path that is not there', faulty.status(404), 'status', 404],
  ['an empty success', faulty.status(204), 'status', 204],
  ['a 304 that nobody asked for', faulty.status(304), 'status', 304],
  ['a redirect that names no place', faulty.status(302), 'status', 302],
  ['a page of HTML', faulty.body('<!doctype html><p>Welcome'), 'body'],
  ['no body', faulty.body(''), 'body'],
  ['half a text', faulty.body('[{"short-team-name":"A"'), 'body'],
  ['half a body', faulty.halfBody, 'connect'],
  ['a reset', faulty.resetConnection, 'connect'],
  ['a body that is not UTF-8', faulty.body(Buffer.from([0x5b, 0x22, 0xe9, 0x22, 0x5d])), 'body'],
  ['a body in UTF-16', faulty.body(Buffer.from('[]', 'utf16le')), 'body'],
  ['a coding that nobody knows', faulty.body('[]', { 'Content-Encoding': 'snappy' }), 'body'],
  ['a coding that is not what it says', faulty.body('[]', { 'Content-Encoding': 'gzip' }), 'body'],
  [
    'a coding that breaks off',
    faulty.body(gzipSync('[]'.padEnd(5000)).subarray(0, 30), { 'Content-Encoding': 'gzip' }),
    'body',
  ],
  ['an envelope that tells of an error', faulty.body('{"status":"error","data":[]}'), 'schema'],
  ['an envelope with another status code', faulty.body('{"status":"OK","status_code":500,"data":[]}'), 'schema'],
  ['an empty list beside an error', faulty.body('{"error":"database down","data":[]}'), 'schema'],
  ['an empty list beside errors', faulty.body('{"status":"OK","errors":[{"message":"db"}],"data":[]}'), 'schema'],
  ['an empty list that is no success', faulty.body('{"success":false,"data":[],"total":0}'), 'schema'],
  ['an empty list beside the code of an error', faulty.body('{"code":500,"message":"x","data":[]}'), 'schema'],
  ['an envelope without data', faulty.body('{"status":"OK"}'), 'schema'],
  ['a number', faulty.body('7'), 'schema'],
  ['null', faulty.body('null'), 'schema'],
  ['records that are none', faulty.body('[1,"two",null]'), 'schema'],
];

/** A source that gives nothing usable, and the reason that is told. */
export function testFailures(bench: ContractFixture): void {
  it.each(FAILURES)('%s', async (_title, handler, reason, status) => {
    const { got, seen } = await bench.drain(handler);
    expect(got.status).toBe(502);
    const detail = status === undefined ? '' : `;status=${status}`;
    expect(seen.sourceStatus).toBe(`one;state=failed;reason=${reason}${detail}`);
    expect(seen.sources).toEqual([{ 'source-name': 'one', state: 'failed', reason, ...(status && { status }) }]);
  });

  it.each([
    ['an empty list beside what tells that all is well', { error: null, errors: [], success: true, code: 200 }, 0],
    ['an empty list beside other forms of it', { error: false, errors: {}, code: '200' }, 0],
    ['records beside an error, which may be a remark', { error: 'one of ten shards is late', success: false }, 3],
  ])('nothing of %s', async (_title, envelope, count) => {
    const { dialect } = bench;
    const { got, seen } = await bench.drain(
      faulty.when(
        faulty.atOffset(0),
        dialect.serve(dialect.records(count), { envelope }),
        dialect.serve(dialect.records(count)),
      ),
    );
    expect(got.status).toBe(200);
    expect(seen).toMatchObject({ names: bench.names(count), sourceStatus: `one;state=fresh;records=${count};age=0` });
  });

  it('nobody at the address', async () => {
    const sources = { one: bench.dialect.source(await unusedAddress()) };
    const got = await bench.all(await bench.gateway({ sources }));
    expect(got.status).toBe(502);
    expect(bench.seen(got).sourceStatus).toBe('one;state=failed;reason=connect');
  });

  it.each([
    ['a source that never answers', neverResponds],
    ['a body that comes drop by drop', faulty.dripBytes],
    ['an answer that comes too late', faulty.delayed(10_000, faulty.body('[]'))],
  ])('%s', async (_title, handler) => {
    const { got, seen } = await bench.drain(handler, { timeout: '150ms' });
    expect(got.status).toBe(504);
    expect(seen.sourceStatus).toBe('one;state=failed;reason=timeout');
  });

  it('a page in the middle: nothing of the source is shown, rather than a part as if it were all', async () => {
    const { dialect } = bench;
    const good = dialect.serve(dialect.records(450));
    const { got, seen } = await bench.drain(faulty.when(faulty.atOffset(200), faulty.status(503), good));
    expect(got.status).toBe(502);
    expect(seen).toMatchObject({ names: [], sourceStatus: 'one;state=failed;reason=status;status=503' });
  });

  it('an error whose text never reaches a client', async () => {
    const { got } = await bench.drain(faulty.status(500));
    expect(got.text).not.toMatch(/Something else|127\.0\.0\.1|at .*\.ts/);
  });
}
