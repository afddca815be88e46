import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { RenderedBody } from '../../../src/http/cache/rendered-body.js';

it('is encoded once in each content coding, however often it is sent', async () => {
  const bytes = Buffer.from('text '.repeat(1_000));
  const body = new RenderedBody(bytes, new Uint8Array(32), false);
  expect(body.getEncodedIfReady('gzip')).toBeUndefined();
  const [first, concurrent] = await Promise.all([body.getEncoded('gzip'), body.getEncoded('gzip')]);
  expect(gunzipSync(first)).toEqual(bytes);
  expect(concurrent).toBe(first);
  expect(await body.getEncoded('gzip')).toBe(first);
  expect(body.getEncodedIfReady('gzip')).toBe(first);
  expect(body.getEncodedIfReady('br')).toBeUndefined();
});
