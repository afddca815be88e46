import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { ContractFixture } from './contract-fixture.js';

/** Sizes of bodies that a source must not exceed (decisions 5.8, 8.6). */
export function testBodyLimits(fixture: ContractFixture): void {
  const { dialect } = fixture;

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
    const text = JSON.stringify(dialect.records(3)).padEnd(2 ** 20);
    const { list } = await fixture.drain(faulty.body(text, { 'X-Total-Count': '3' }), { 'max-body': '1MiB' });
    expect(list).toMatchObject({ names: fixture.names(3) });
  });

  it('ends a drain whose pages together exceed the cache memory', async () => {
    const upstream = await fixture.upstream(dialect.serve(dialect.records(1000), { total: 'absent' }));
    const cache = { memory: '8KiB' };
    const response = await fixture.fetchAll(
      await fixture.gateway({ cache, sources: { one: dialect.source(upstream.address) } }),
    );
    expect(fixture.readList(response).sourceStatus).toMatch(/^one;state=partial;reason=too-large/);
    expect(upstream.requests.length).toBeLessThan(10);
  });
}

const GZIP = { 'Content-Encoding': 'gzip' };
