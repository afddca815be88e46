import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { withDecoding } from '../../../src/source/client/content-decoding.js';
import { asFailure } from '../../../src/source/client/source-failure.js';
import { calm, reply, request } from './layers.js';

describe('a response whose body is not read', () => {
  test.each([
    ['0', 0],
    ['120', 120_000],
    ['999999999', 999_999_999_000],
  ])('fails with the time of Retry-After: %s', async (text, milliseconds) => {
    const made = reply(503, { 'retry-after': text });
    const failure = withDecoding(() => Promise.resolve(made), 100)(request(), calm);
    await expect(failure).rejects.toMatchObject({ reason: 'status', status: 503, retryAfter: milliseconds });
    expect(made.discarded).toBe(true);
  });

  test.each([
    ['Wed, 21 Oct 2026 07:28:00 GMT', 90_000],
    ['Wed, 21 Oct 2026 07:00:00 GMT', 0],
  ])('compares a Retry-After date with the Date of the response: %s', async (text, milliseconds) => {
    const made = reply(503, { 'retry-after': text, date: 'Wed, 21 Oct 2026 07:26:30 GMT' });
    const failure = withDecoding(() => Promise.resolve(made), 100)(request(), calm);
    await expect(failure).rejects.toMatchObject({ status: 503, retryAfter: milliseconds });
  });

  test.each([
    ['absent', {}],
    ['a date without a Date field', { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }],
    ['negative', { 'retry-after': '-1' }],
    ['not a whole number', { 'retry-after': '1.5' }],
    ['far too large', { 'retry-after': '1'.repeat(400) }],
  ])('fails without a time to retry where Retry-After is %s', async (_title, headers) => {
    const failure = withDecoding(() => Promise.resolve(reply(503, headers)), 100)(request(), calm);
    await expect(failure).rejects.toMatchObject({ status: 503, retryAfter: undefined });
  });

  test('is discarded when its content coding is unknown, which frees the connection', async () => {
    const made = reply(200, { 'content-encoding': 'gzip, snappy' });
    const failure = withDecoding(() => Promise.resolve(made), 100)(request(), calm);
    await expect(failure).rejects.toMatchObject({
      reason: 'body',
      message: 'unsupported content coding, or more than 2: snappy',
    });
    expect(made.discarded).toBe(true);
  });

  test.each([{ 'if-none-match': '"a"' }, { 'if-modified-since': 'Wed, 21 Oct 2026 07:28:00 GMT' }])(
    'is a result when it is a 304 to a conditional request: %o',
    async (condition) => {
      const made = reply(304, { etag: '"a"' });
      const conditional = { ...request(), headers: condition };
      const answer = await withDecoding(() => Promise.resolve(made), 100)(conditional, calm);
      expect(answer).toMatchObject({ notModified: true });
      expect(answer.header('etag')).toBe('"a"');
      expect(made.discarded).toBe(true);
    },
  );

  test('fails when it is a 304 to an unconditional request', async () => {
    const failure = withDecoding(() => Promise.resolve(reply(304)), 100)(request(), calm);
    await expect(failure).rejects.toMatchObject({ reason: 'status', status: 304 });
  });
});

describe('the body of a response', () => {
  const MAX_BYTES = 1024 * 1024;
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

  const read = (coding: string, body: Buffer, most = MAX_BYTES): ReturnType<ReturnType<typeof withDecoding>> =>
    withDecoding(() => Promise.resolve(reply(200, { 'content-encoding': coding }, body)), most)(request(), calm);

  const bodyOf = async (decoded: ReturnType<typeof read>): Promise<string> => {
    const reply = await decoded;
    if ('notModified' in reply) throw new Error('a 304');
    return reply.body.toString();
  };

  test.each([...codings])('is decoded, short and long: %s', async (coding, encode) => {
    for (const body of [short, long]) {
      const bytes = Buffer.byteLength(body);
      expect(await bodyOf(read(coding, encode(body)))).toBe(body);
      expect(await bodyOf(read(coding, encode(body), bytes))).toHaveLength(body.length);
    }
  });

  test.each([...codings].slice(1))('is rejected where it exceeds the size limit: %s', async (coding, encode) => {
    for (const body of [short, long]) {
      const most = Buffer.byteLength(body) - 1;
      await expect(read(coding, encode(body), most)).rejects.toMatchObject({ reason: 'size' });
    }
  });

  test.each([...codings.keys()].slice(1))(
    'is rejected where it has another coding or ends too early: %s',
    async (coding) => {
      const encoded = codings.get(coding)?.(short) ?? Buffer.alloc(0);
      for (const body of [Buffer.from(short), encoded.subarray(0, -9)]) {
        const failure = await read(coding, body).catch((error: unknown) => asFailure(error));
        expect(failure).toMatchObject({ reason: 'body' });
      }
    },
  );
});
