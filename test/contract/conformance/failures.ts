import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { unusedAddress, neverResponds } from '../../support/upstream/upstream-server.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';
import type { ContractFixture } from './contract-fixture.js';

/** Responses that make a source fail: title, handler, reason, and the HTTP status where that is the reason. */
const FAILURES: [title: string, handler: RequestHandler, reason: string, status?: number][] = [
  ['a server error', faulty.status(500), 'status', 500],
  ['a path that does not exist', faulty.status(404), 'status', 404],
  ['a 204', faulty.status(204), 'status', 204],
  ['a 304 to an unconditional request', faulty.status(304), 'status', 304],
  ['a redirect without Location', faulty.status(302), 'status', 302],
  ['an HTML page', faulty.body('<!doctype html><p>Welcome'), 'body'],
  ['an empty body', faulty.body(''), 'body'],
  ['truncated JSON', faulty.body('[{"short-team-name":"A"'), 'body'],
  ['a connection that breaks within the body', faulty.halfBody, 'connect'],
  ['a connection reset', faulty.resetConnection, 'connect'],
  ['a body that is not UTF-8', faulty.body(Buffer.from([0x5b, 0x22, 0xe9, 0x22, 0x5d])), 'body'],
  ['a body in UTF-16', faulty.body(Buffer.from('[]', 'utf16le')), 'body'],
  ['an unsupported content coding', faulty.body('[]', { 'Content-Encoding': 'snappy' }), 'body'],
  ['a body that does not have the declared content coding', faulty.body('[]', { 'Content-Encoding': 'gzip' }), 'body'],
  [
    'a truncated gzip body',
    faulty.body(gzipSync('[]'.padEnd(5000)).subarray(0, 30), { 'Content-Encoding': 'gzip' }),
    'body',
  ],
  ['an envelope whose status is an error', faulty.body('{"status":"error","data":[]}'), 'schema'],
  ['an envelope with another status code', faulty.body('{"status":"OK","status_code":500,"data":[]}'), 'schema'],
  ['an empty list beside an error', faulty.body('{"error":"database down","data":[]}'), 'schema'],
  ['an empty list beside errors', faulty.body('{"status":"OK","errors":[{"message":"db"}],"data":[]}'), 'schema'],
  ['an empty list beside success: false', faulty.body('{"success":false,"data":[],"total":0}'), 'schema'],
  ['an empty list beside an error code', faulty.body('{"code":500,"message":"x","data":[]}'), 'schema'],
  ['an envelope without data', faulty.body('{"status":"OK"}'), 'schema'],
  ['a JSON number', faulty.body('7'), 'schema'],
  ['a JSON null', faulty.body('null'), 'schema'],
  ['a list of scalars', faulty.body('[1,"two",null]'), 'schema'],
];

/** Sources that return nothing usable, and the reason that Rollcall reports (decisions 6.3, 6.14). */
export function testFailures(fixture: ContractFixture): void {
  it.each(FAILURES)('reports the failed source and the reason for %s', async (_title, handler, reason, status) => {
    const { response, list } = await fixture.drain(handler);
    expect(response.status).toBe(502);
    const detail = status === undefined ? '' : `;status=${status}`;
    expect(list.sourceStatus).toBe(`one;state=failed;reason=${reason}${detail}`);
    expect(list.sources).toEqual([{ 'source-name': 'one', state: 'failed', reason, ...(status && { status }) }]);
  });

  it.each([
    ['an empty list beside success: true and no errors', { error: null, errors: [], success: true, code: 200 }, 0],
    [
      'an empty list beside error: false, empty errors and the code as text',
      { error: false, errors: {}, code: '200' },
      0,
    ],
    ['records beside an error and success: false', { error: 'one of ten shards is late', success: false }, 3],
  ])('accepts %s', async (_title, envelope, count) => {
    const { dialect } = fixture;
    const { response, list } = await fixture.drain(
      faulty.when(
        faulty.atOffset(0),
        dialect.serve(dialect.records(count), { envelope }),
        dialect.serve(dialect.records(count)),
      ),
    );
    expect(response.status).toBe(200);
    expect(list).toMatchObject({ names: fixture.names(count), sourceStatus: `one;state=fresh;records=${count};age=0` });
  });

  it('reports reason connect when nothing listens at the address', async () => {
    const sources = { one: fixture.dialect.source(await unusedAddress()) };
    const response = await fixture.fetchAll(await fixture.gateway({ sources }));
    expect(response.status).toBe(502);
    expect(fixture.readList(response).sourceStatus).toBe('one;state=failed;reason=connect');
  });

  it.each([
    ['a source that never responds', neverResponds],
    ['a body sent one byte at a time', faulty.dripBytes],
    ['a response after the timeout', faulty.delayed(10_000, faulty.body('[]'))],
  ])('responds 504 and reports reason timeout for %s', async (_title, handler) => {
    const { response, list } = await fixture.drain(handler, { timeout: '150ms' });
    expect(response.status).toBe(504);
    expect(list.sourceStatus).toBe('one;state=failed;reason=timeout');
  });

  it('shows no record of a source that fails on a page in the middle', async () => {
    const { dialect } = fixture;
    const good = dialect.serve(dialect.records(450));
    const { response, list } = await fixture.drain(faulty.when(faulty.atOffset(200), faulty.status(503), good));
    expect(response.status).toBe(502);
    expect(list).toMatchObject({ names: [], sourceStatus: 'one;state=failed;reason=status;status=503' });
  });

  it('never passes the text of a source’s error to a client', async () => {
    const { response } = await fixture.drain(faulty.status(500));
    expect(response.text).not.toMatch(/Something else|127\.0\.0\.1|at .*\.ts/);
  });
}
