import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { BodyParser } from '../../support/gateway/program.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { bodyParser } from '../../support/gateway/threads/body-parser.js';
import { MANY } from './contract-fixture.js';
import type { ContractFixture } from './contract-fixture.js';

/** Sizes of bodies that a source must not exceed, and bodies that a worker thread reads (decisions 5.8, 8.6). */
export function testBodyLimits(fixture: ContractFixture): void {
  const { dialect } = fixture;
  const { pad = addLineFeeds } = dialect;

  it.each([
    ['an endless body', faulty.endlessBody],
    ['a gzip bomb of 64 MiB in 64 KiB', faulty.decompressionBomb('gzip', 64)],
    ['a body one byte too long', faulty.body('[]'.padEnd(2 ** 20 + 1))],
    ['a body one byte too long after decoding', faulty.body(gzipSync('[]'.padEnd(2 ** 20 + 1)), GZIP)],
  ])('fails with reason size for %s', async (_title, handler) => {
    const { response, list } = await fixture.drain(handler, { 'max-body': '1MiB' });
    expect(response.status).toBe(502);
    expect(list.sourceStatus).toBe('one;state=failed;reason=size');
  });

  it('reads a body of exactly max-body bytes', async () => {
    const handler = dialect.serve(dialect.records(3), { edit: (body) => pad(body, 2 ** 20) });
    const { list } = await fixture.drain(handler, { 'max-body': '1MiB' });
    expect(list).toMatchObject(fixture.fresh(3));
  });

  it('ends a reading whose bodies together exceed the cache memory', async () => {
    const upstream = await fixture.upstream(dialect.serve(dialect.records(1_000)));
    const cache = { memory: '8KiB' };
    const sources = { one: dialect.source(upstream.address) };
    const response = await fixture.fetchAll(await fixture.gateway({ cache, sources }));
    expect(response.status).toBe(502);
    expect(fixture.readList(response).sourceStatus).toMatch(/^one;state=partial;reason=too-large/);
  });

  it('reads large bodies in the worker thread, with the same records and failures', async () => {
    const parsed: number[] = [];
    const bodies = countingParser(parsed);
    const settings = { 'stale-while-revalidate': '0s', breaker: { failures: 1_000 } };
    const large = dialect.serve(dialect.records(MANY), { edit: (body) => pad(body, 200_000) });
    const { clock, upstream, fetchList } = await fixture.start(large, settings, { bodies });
    expect(await fetchList()).toMatchObject(fixture.fresh(MANY));
    expect(parsed.length).toBeGreaterThan(dialect.lastPart);
    for (const [, handler, reason] of dialect.invalidBodies) {
      upstream.handler = handler;
      clock.advance(60_000);
      expect((await fetchList()).sourceStatus).toContain(`one;state=stale;reason=${reason}`);
    }
  });
}

const GZIP = { 'Content-Encoding': 'gzip' };

/** Adds line feeds, which no format reads, up to a length in bytes. */
function addLineFeeds(body: Buffer, length: number): Buffer {
  return Buffer.concat([body, Buffer.alloc(length - body.length, '\n')]);
}

/** A real worker thread that records the length of each body that it gets. */
function countingParser(parsed: number[]): BodyParser {
  const thread = bodyParser();
  const parse: BodyParser['parse'] = (received, expected) => {
    parsed.push(received.body.length);
    return thread.parse(received, expected);
  };
  return Object.assign(bodyParser(), { parse });
}
