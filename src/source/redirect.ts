import type { Layer, WireReply, WireRequest } from './fetch.js';
import { SourceFailure } from './failure.js';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** decisions.md, section 8: same origin only, three at most. */
const MOST = 3;

/** Follows redirects within the source's own origin; anything else would hand a query to somebody who is not registered. */
export const sameOriginRedirects: Layer<WireReply> = (next) => async (request, signal) => {
  let asked: WireRequest = request;
  for (let followed = 0; ; followed += 1) {
    const reply = await next(asked, signal);
    const location = reply.header('location');
    if (!REDIRECTS.has(reply.status) || location === undefined) return reply;
    await reply.discard();
    asked = { ...asked, url: target(location, asked.url) };
    if (followed === MOST)
      throw new SourceFailure('redirect', `more than ${MOST} redirects, the last to ${asked.url.href}`);
  }
};

function target(location: string, from: URL): URL {
  const url = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  // Scheme and authority, not `origin`: a blob: URL borrows its origin from the address inside it.
  if (url?.protocol === from.protocol && url.host === from.host) return url;
  throw new SourceFailure('redirect', `a redirect to another origin: ${location.slice(0, 200)}`);
}
