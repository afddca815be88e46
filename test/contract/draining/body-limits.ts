import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { ContractFixture } from './contract-fixture.js';

/** Sizes that a source may not pass. */
export function testBodyLimits(bench: ContractFixture): void {
  const { dialect } = bench;

  it.each([
    ['a body that never ends', faulty.endlessBody],
    ['a gzip bomb of 64 MiB in 64 KiB', faulty.decompressionBomb('gzip', 64)],
    ['a body one byte too long', faulty.body('[]'.padEnd(2 ** 20 + 1))],
    ['a body one byte too long once it is decoded', faulty.body(gzipSync('[]'.padEnd(2 ** 20 + 1)), GZIP)],
  ])('%s', async (_title, handler) => {
    const { got, seen } = await bench.drain(handler, { 'max-body': '1MiB' });
    expect(got.status).toBe(502);
    expect(seen.sourceStatus).toBe('one;state=failed;reason=size');
  });

  it('but not a body that is as long as it may be', async () => {
    const text = JSON.stringify(dialect.records(3)).padEnd(2 ** 20);
    const { seen } = await bench.drain(faulty.body(text, { 'X-Total-Count': '3' }), { 'max-body': '1MiB' });
    expect(seen).toMatchObject({ names: bench.names(3) });
  });

  it('and the pages of one drain together, by the memory there is for them', async () => {
    const upstream = await bench.upstream(dialect.serve(dialect.records(1000), { total: 'absent' }));
    const cache = { memory: '8KiB' };
    const got = await bench.all(await bench.gateway({ cache, sources: { one: dialect.source(upstream.address) } }));
    expect(bench.seen(got).sourceStatus).toMatch(/^one;state=partial;reason=too-large/);
    expect(upstream.requests.length).toBeLessThan(10);
  });
}

const GZIP = { 'Content-Encoding': 'gzip' };
