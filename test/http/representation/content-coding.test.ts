import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseContentCoding, encodeContent } from '../../../src/http/representation/content-coding.js';
import type { ContentCoding } from '../../../src/http/representation/content-coding.js';

/** Client, Accept-Encoding, coding of a long body, and coding of a body that is too short to be compressed. */
const table: [client: string, field: string | undefined, long: ContentCoding, short: ContentCoding][] = [
  ['a client that sends no Accept-Encoding', undefined, 'identity', 'identity'],
  ['curl without --compressed, Go without its own transport', undefined, 'identity', 'identity'],
  ['an empty field', '', 'identity', 'identity'],
  ['the example of the interface', 'compress, gzip', 'gzip', 'identity'],
  ['curl --compressed', 'deflate, gzip, br, zstd', 'br', 'identity'],
  ['Chrome and Firefox', 'gzip, deflate, br, zstd', 'br', 'identity'],
  ['Safari', 'gzip, deflate, br', 'br', 'identity'],
  ['Python requests', 'gzip, deflate', 'gzip', 'identity'],
  ['Python urllib and wget', 'identity', 'identity', 'identity'],
  ['Go net/http', 'gzip', 'gzip', 'identity'],
  ['Excel and .NET', 'gzip, deflate', 'gzip', 'identity'],
  ['axios', 'gzip, compress, deflate, br', 'br', 'identity'],
  ['Postman', 'gzip, deflate, br', 'br', 'identity'],
  ['weights for gzip', 'br;q=0.5, gzip;q=0.8', 'gzip', 'identity'],
  ['weights for br', 'gzip;q=0.5, br;q=0.8', 'br', 'identity'],
  ['a weight that prefers identity', 'gzip;q=0.5, identity', 'identity', 'identity'],
  ['a refusal of gzip', 'gzip;q=0', 'identity', 'identity'],
  ['a refusal of br and a wildcard', 'br;q=0, *', 'gzip', 'identity'],
  ['a wildcard', '*', 'br', 'identity'],
  ['gzip and a wildcard of low weight', 'gzip, *;q=0.1', 'gzip', 'identity'],
  ['the old name', 'x-gzip', 'gzip', 'identity'],
  ['capitals', 'GZIP;Q=1.0', 'gzip', 'identity'],
  ['a refusal of identity', 'gzip, identity;q=0', 'gzip', 'gzip'],
  ['a refusal of identity by wildcard', 'br, *;q=0', 'br', 'br'],
  ['only a refusal of identity', 'identity;q=0', 'identity', 'identity'],
  ['a refusal of everything', '*;q=0', 'identity', 'identity'],
  ['only unsupported codings', 'zstd, deflate', 'identity', 'identity'],
  ['nonsense', ';;,=,q', 'identity', 'identity'],
];

describe('chooseContentCoding', () => {
  test.each(table)('for %s (%s) chooses %s, and %s for a short body', (_, field, long, short) => {
    expect([chooseContentCoding(field, true), chooseContentCoding(field, false)]).toEqual([long, short]);
  });
});

describe('encodeContent', () => {
  const decoders: Record<ContentCoding, (bytes: Uint8Array) => Uint8Array> = {
    identity: (bytes) => bytes,
    gzip: (bytes) => gunzipSync(bytes),
    br: (bytes) => brotliDecompressSync(bytes),
  };

  test.each(['identity', 'gzip', 'br'] as const)('is lossless and deterministic for %s', async (coding) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5_000 }), async (bytes) => {
        const coded = await encodeContent(bytes, coding);
        expect(Buffer.from(decoders[coding](coded)).equals(bytes)).toBe(true);
        expect(Buffer.from(await encodeContent(bytes, coding)).equals(coded)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  test.each(['gzip', 'br'] as const)('compresses text with %s', async (coding) => {
    const text = Buffer.from('"short-team-name": "Acorn CERT",\n'.repeat(1_000));
    expect((await encodeContent(text, coding)).length).toBeLessThan(text.length / 10);
  });
});
