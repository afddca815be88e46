import type { HttpResponse, HttpRequest } from '../../../src/source/client/http-client-types.js';

/** A request as it enters a layer. */
export function request(path = '/teams'): HttpRequest {
  return { url: new URL(path, 'https://irt.example.org'), headers: { via: '1.1 rollcall' } };
}

/** A signal that is never aborted. */
export const calm = new AbortController().signal;

/** A response of the transport that records whether it was discarded. */
export function reply(
  status: number,
  headers: Record<string, string> = {},
  body: Buffer = Buffer.alloc(0),
): HttpResponse & { discarded: boolean } {
  const made = {
    status,
    header: (name: string) => headers[name],
    readBytes: () => Promise.resolve(body),
    discarded: false,
    discard: () => {
      made.discarded = true;
      return Promise.resolve();
    },
  };
  return made;
}
