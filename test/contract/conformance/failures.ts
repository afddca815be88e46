import { expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';
import { bodyParser } from '../../support/gateway/threads/body-parser.js';
import type { BodyParser } from '../../support/gateway/program.js';
import type { ContractFixture } from '../contract-fixture.js';

/** Responses without a list of any format: title, handler and reason, with the status where it is the reason. */
const FAILURES: readonly (readonly [title: string, handler: RequestHandler, reason: string])[] = [
  ['a server error', faulty.status(500), 'status;status=500'],
  ['a path that does not exist', faulty.status(404), 'status;status=404'],
  ['a 204', faulty.status(204), 'status;status=204'],
  ['a connection reset', faulty.resetConnection, 'connect'],
  ['a body that is too long', faulty.body('[]'.padEnd(2 ** 20 + 1)), 'size'],
];

const SETTINGS = { 'stale-while-revalidate': '0s', 'max-body': '1MiB', retries: 0 };

/** An endless sequence of failures shows no effect of the circuit breaker. */
const NO_SUSPENSION = { suspension: { failures: 1_000, cooldown: 30_000 } };

/** Sources that return nothing usable: never an empty list (decisions 6.2, 6.3, 6.7, 6.14, 8.5). */
export function testFailures(fixture: ContractFixture): void {
  const { dialect, many } = fixture;
  const faults = [...FAILURES, ...dialect.invalidBodies];

  it('has failed, with the reason and without data, after each faulty response', async () => {
    const { clock, upstream, fetchList } = await fixture.start(faulty.status(500), SETTINGS, NO_SUSPENSION);
    for (const [title, handler, reason] of faults) {
      upstream.handler = handler;
      const list = await fetchList();
      const [, failure, missing] =
        /^one;state=failed;reason=(.*?)(?:;missing=([a-z-]+))?$/.exec(list.sourceStatus) ?? [];
      expect([title, list.status, failure]).toEqual([title, 502, reason]);
      const [name, status] = reason.split(';status=');
      const detail = { ...(status !== undefined && { status: Number(status) }), ...(missing && { missing }) };
      expect(list.sources).toEqual([{ 'source-name': 'one', state: 'failed', reason: name, ...detail }]);
      expect(list.text).not.toMatch(/Something else|127\.0\.0\.1|at .*\.ts/);
      clock.advance(60_000);
    }
    upstream.handler = dialect.serve(dialect.records(30));
    expect(await fetchList()).toMatchObject(fixture.fresh(30));
  });

  it('is served from its last list, with the reason, after each faulty response, also with large bodies', async () => {
    const parsed: number[] = [];
    const large = dialect.serve(dialect.records(many), {
      edit: (body) => (dialect.pad ?? addLineFeeds)(body, 200_000),
    });
    const { clock, upstream, fetchList } = await fixture.start(large, SETTINGS, {
      bodies: countingParser(parsed),
      ...NO_SUSPENSION,
    });
    expect(await fetchList()).toMatchObject(fixture.fresh(many));
    expect(parsed.length).toBeGreaterThan(dialect.lastPart);
    for (const [title, handler, reason] of faults) {
      upstream.handler = handler;
      clock.advance(60_000);
      const { names, sourceStatus } = await fetchList();
      expect([title, sourceStatus]).toEqual([title, expect.stringContaining(`one;state=stale;reason=${reason};`)]);
      expect(names).toEqual(fixture.names(many));
    }
  });

  it('is named as failed in header and envelope, beside the records of other sources, and forbids caching', async () => {
    const lastModified = (): string => 'Wed, 13 May 2015 01:56:15 GMT';
    const one = await fixture.upstream(dialect.serve(dialect.records(3), { lastModified }));
    const other = await fixture.upstream(faulty.status(500));
    const sources = { one: dialect.source(one.address), other: dialect.source(other.address) };
    const response = await fixture.fetchAll(await fixture.gateway({ sources }));
    expect(fixture.readList(response)).toMatchObject({
      status: 200,
      names: fixture.names(3),
      total: 3,
      sources: [{ 'source-name': 'other', state: 'failed', reason: 'status', status: 500 }],
      sourceStatus: 'one;state=fresh;records=3;age=0, other;state=failed;reason=status;status=500',
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('last-modified')).toBeNull();
  });

  it('fails where it redirects to another origin, which is never requested', async () => {
    const other = await fixture.upstream(dialect.serve(dialect.records(30)));
    const { list } = await fixture.drain(faulty.redirectTo(new URL(other.address).origin));
    expect(list.sourceStatus).toBe('one;state=failed;reason=redirect');
    expect(other.requests).toHaveLength(0);
  });

  it('is excluded, with reason loop, where its response names this gateway in Via', async () => {
    const headers = { Via: '1.1 elsewhere, 1.1 own-gateway' };
    const { fetchList } = await fixture.start(dialect.serve(dialect.records(9), { headers }));
    expect(await fetchList()).toMatchObject({ names: [], sourceStatus: 'one;state=excluded;reason=loop' });
  });

  it('is incomplete where its bodies together exceed the cache memory', async () => {
    const upstream = await fixture.upstream(dialect.serve(dialect.records(1_000)));
    const cache = { memory: '8KiB' };
    const sources = { one: dialect.source(upstream.address) };
    const response = await fixture.fetchAll(await fixture.gateway({ cache, sources }));
    expect(response.status).toBe(502);
    expect(fixture.readList(response).sourceStatus).toMatch(/^one;state=partial;reason=too-large/);
  });
}

/** Adds line feeds, which no format reads, up to a length in bytes. */
function addLineFeeds(body: Buffer, length: number): Buffer {
  return Buffer.concat([body, Buffer.alloc(length - body.length, '\n')]);
}

/** Its threads are started once for all kinds of sources. */
const threads = bodyParser();

/** Real worker threads; records the length of each body that they get. */
function countingParser(parsed: number[]): BodyParser {
  const parse: BodyParser['parse'] = (received, expected) => {
    parsed.push(received.body.length);
    return threads.parse(received, expected);
  };
  return Object.assign(bodyParser(), { parse });
}
