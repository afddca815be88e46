import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { withDecoding } from '../../../src/source/client/content-decoding.js';
import { asFailure } from '../../../src/source/client/source-failure.js';
import { calm, reply, request } from './layers.js';

describe('a reply that is not read', () => {
  test.each([
    ['0', 0],
    ['120', 120_000],
    ['999999999', 999_999_999_000],
  ])('tells when the source asks to be asked again: Retry-After: %s', async (text, milliseconds) => {
    const made = reply(503, { 'retry-after': text });
    const failure = withDecoding(() => Promise.resolve(made), 100)(request(), calm);
    await expect(failure).rejects.toMatchObject({ reason: 'status', status: 503, retryAfter: milliseconds });
    expect(made.discarded).toBe(true);
  });

  test.each([
    ['Wed, 21 Oct 2026 07:28:00 GMT', 90_000],
    ['Wed, 21 Oct 2026 07:00:00 GMT', 0],
  ])('tells it by its own clock where Retry-After is a date: %s', async (text, milliseconds) => {
    const made = reply(503, { 'retry-after': text, date: 'Wed, 21 Oct 2026 07:26:30 GMT' });
    const failure = withDecoding(() => Promise.resolve(made), 100)(request(), calm);
    await expect(failure).rejects.toMatchObject({ status: 503, retryAfter: milliseconds });
  });

  test.each([
    ['absent', {}],
    ['a date, and the source tells no time', { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }],
    ['negative', { 'retry-after': '-1' }],
    ['no whole number', { 'retry-after': '1.5' }],
    ['far too large', { 'retry-after': '1'.repeat(400) }],
  ])('leaves that to the jitter where Retry-After is %s', async (_title, headers) => {
    const failure = withDecoding(() => Promise.resolve(reply(503, headers)), 100)(request(), calm);
    await expect(failure).rejects.toMatchObject({ status: 503, retryAfter: undefined });
  });

  test('is ended when its coding is unknown, so that its connection is free again', async () => {
    const made = reply(200, { 'content-encoding': 'gzip, snappy' });
    const failure = withDecoding(() => Promise.resolve(made), 100)(request(), calm);
    await expect(failure).rejects.toMatchObject({
      reason: 'body',
      message: 'unsupported content coding, or more than 2: snappy',
    });
    expect(made.discarded).toBe(true);
  });

  test.each([{ 'if-none-match': '"a"' }, { 'if-modified-since': 'Wed, 21 Oct 2026 07:28:00 GMT' }])(
    'is an answer when it is a 304 to a request that asked on a condition: %o',
    async (condition) => {
      const made = reply(304, { etag: '"a"' });
      const asked = { ...request(), headers: condition };
      const answer = await withDecoding(() => Promise.resolve(made), 100)(asked, calm);
      expect(answer).toMatchObject({ notModified: true });
      expect(answer.header('etag')).toBe('"a"');
      expect(made.discarded).toBe(true);
    },
  );

  test('is a failure when it is a 304 that nobody asked for', async () => {
    const failure = withDecoding(() => Promise.resolve(reply(304)), 100)(request(), calm);
    await expect(failure).rejects.toMatchObject({ reason: 'status', status: 304 });
  });
});

describe('a body', () => {
  const MOST = 1024 * 1024;
  const short = JSON.stringify(['é', 1]);
  const long = JSON.stringify(Array.from({ length: 50_000 }, (_, at) => `é ${at}`));
  const codings = new Map([
    ['identity', (body: string) => Buffer.from(body)],
    ['gzip', (body: string) => gzipSync(body)],
    ['X-GZip', (body: string) => gzipSync(body)],
    ['deflate', (body: string) => deflateSync(body)],
    ['br', (body: string) => brotliCompressSync(body)],
    ['deflate, identity, gzip', (body: string) => gzipSync(deflateSync(body))],
  ]);

  const read = (coding: string, body: Buffer, most = MOST): ReturnType<ReturnType<typeof withDecoding>> =>
    withDecoding(() => Promise.resolve(reply(200, { 'content-encoding': coding }, body)), most)(request(), calm);

  const bodyOf = async (decoded: ReturnType<typeof read>): Promise<string> => {
    const reply = await decoded;
    if ('notModified' in reply) throw new Error('a 304');
    return reply.body.toString();
  };

  test.each([...codings])('is decoded, short or long: %s', async (coding, encode) => {
    for (const body of [short, long]) {
      const bytes = Buffer.byteLength(body);
      expect(await bodyOf(read(coding, encode(body)))).toBe(body);
      expect(await bodyOf(read(coding, encode(body), bytes))).toHaveLength(body.length);
    }
  });

  test.each([...codings].slice(1))('is refused where more comes of it than may: %s', async (coding, encode) => {
    for (const body of [short, long]) {
      const most = Buffer.byteLength(body) - 1;
      await expect(read(coding, encode(body), most)).rejects.toMatchObject({ reason: 'size' });
    }
  });

  test.each([...codings.keys()].slice(1))(
    'is refused where it is not coded so, or ends too soon: %s',
    async (coding) => {
      const encoded = codings.get(coding)?.(short) ?? Buffer.alloc(0);
      for (const body of [Buffer.from(short), encoded.subarray(0, -9)]) {
        const failure = await read(coding, body).catch((error: unknown) => asFailure(error));
        expect(failure).toMatchObject({ reason: 'body' });
      }
    },
  );
});
