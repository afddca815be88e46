import type { Transport, WireReply } from '../../src/source/fetch.js';

/**
 * A wire on `globalThis.fetch`, looked up at each call, so that nock can stand behind it: it cannot stand behind undici's own
 * requests. What is true of the wire itself is not tested through this one.
 */
export const fetchTransport: Transport = async ({ url, headers }, signal) => {
  const response = await globalThis.fetch(url, { headers: { ...headers }, redirect: 'manual', signal });
  const body = response.body ?? new Blob([]).stream();
  const reply: WireReply = {
    status: response.status,
    // `fetch` has decoded the body already.
    header: (name) => (name === 'content-encoding' ? undefined : (response.headers.get(name) ?? undefined)),
    body,
    discard: () => body.cancel(),
  };
  return reply;
};
