import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseContentCoding, encodeContent } from '../../../src/http/representation/content-coding.js';
import type { ContentCoding } from '../../../src/http/representation/content-coding.js';

/** Field, coding of a long text, coding of what is not worth its while. */
const table: [client: string, field: string | undefined, long: ContentCoding, short: ContentCoding][] = [
  ['a client that says nothing', undefined, 'identity', 'identity'],
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
  ['a weight that prefers none', 'gzip;q=0.5, identity', 'identity', 'identity'],
  ['a refusal of gzip', 'gzip;q=0', 'identity', 'identity'],
  ['a refusal of br, and anything else', 'br;q=0, *', 'gzip', 'identity'],
  ['anything', '*', 'br', 'identity'],
  ['gzip, or anything at need', 'gzip, *;q=0.1', 'gzip', 'identity'],
  ['the old name', 'x-gzip', 'gzip', 'identity'],
  ['capitals', 'GZIP;Q=1.0', 'gzip', 'identity'],
  ['a refusal of what is not coded', 'gzip, identity;q=0', 'gzip', 'gzip'],
  ['the same by the star', 'br, *;q=0', 'br', 'br'],
  ['nothing that there is', 'identity;q=0', 'identity', 'identity'],
  ['nothing at all', '*;q=0', 'identity', 'identity'],
  ['only what is not had here', 'zstd, deflate', 'identity', 'identity'],
  ['nonsense', ';;,=,q', 'identity', 'identity'],
];

describe('chooseCoding', () => {
  test.each(table)('codes for %s (%s) as %s, and what is short as %s', (_, field, long, short) => {
    expect([chooseContentCoding(field, true), chooseContentCoding(field, false)]).toEqual([long, short]);
  });
});

describe('encode', () => {
  const decoders: Record<ContentCoding, (bytes: Uint8Array) => Uint8Array> = {
    identity: (bytes) => bytes,
    gzip: (bytes) => gunzipSync(bytes),
    br: (bytes) => brotliDecompressSync(bytes),
  };

  test.each(['identity', 'gzip', 'br'] as const)('loses no byte by %s, and is the same each time', async (coding) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5_000 }), async (bytes) => {
        const coded = await encodeContent(bytes, coding);
        expect(Buffer.from(decoders[coding](coded)).equals(bytes)).toBe(true);
        expect(Buffer.from(await encodeContent(bytes, coding)).equals(coded)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  test.each(['gzip', 'br'] as const)('makes text much smaller by %s', async (coding) => {
    const text = Buffer.from('"short-team-name": "Acorn CERT",\n'.repeat(1_000));
    expect((await encodeContent(text, coding)).length).toBeLessThan(text.length / 10);
  });
});
