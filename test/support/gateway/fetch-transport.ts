import { SourceFailure } from '../../../src/source/client/source-failure.js';
import type { Transport, HttpResponse } from '../../../src/source/client/http-client-types.js';

/**
 * A transport that uses `globalThis.fetch`, looked up at each call, so that nock can intercept it; nock cannot intercept requests
 * of undici itself. Tests of the real transport do not use it.
 */
export const fetchTransport: Transport = async ({ url, headers }, signal) => {
  const response = await globalThis.fetch(url, { headers: { ...headers }, redirect: 'manual', signal });
  const reply: HttpResponse = {
    status: response.status,
    // `fetch` has already decoded the body.
    header: (name) => (name === 'content-encoding' ? undefined : (response.headers.get(name) ?? undefined)),
    readBytes: (most) => within(response, most),
    discard: async () => response.body?.cancel(),
  };
  return reply;
};

async function within(response: Response, most: number): Promise<Buffer> {
  const body = Buffer.from(await response.arrayBuffer());
  if (body.length > most) throw new SourceFailure('size', `a body of more than ${most} bytes`);
  return body;
}
