import { readUrl } from '../text/url.js';
import type { Layer, WireReply, WireRequest } from './fetch.js';
import { SourceFailure } from './failure.js';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** decisions.md, section 8: same origin only, three at most. */
const MOST = 3;

/** Follows redirects within the source's own origin; anything else would hand a query to somebody who is not registered. */
export const sameOriginRedirects: Layer<WireReply> = (next) => (request, signal) =>
  next(request, signal).then((reply) =>
    locationOf(reply) === undefined ? reply : followed(request, reply, (asked) => next(asked, signal)),
  );

async function followed(
  first: WireRequest,
  redirect: WireReply,
  ask: (request: WireRequest) => Promise<WireReply>,
): Promise<WireReply> {
  let [asked, reply] = [first, redirect];
  for (let times = 0; ; times += 1) {
    const location = locationOf(reply);
    if (location === undefined) return reply;
    await reply.discard();
    asked = { url: target(location, asked.url), headers: asked.headers };
    if (times === MOST)
      throw new SourceFailure('redirect', `more than ${MOST} redirects, the last to ${asked.url.href}`);
    reply = await ask(asked);
  }
}

/** Where a reply redirects to. */
function locationOf(reply: WireReply): string | undefined {
  return REDIRECTS.has(reply.status) ? reply.header('location') : undefined;
}

function target(location: string, from: URL): URL {
  const url = readUrl(location, from);
  // Scheme and authority, not `origin`: a blob: URL borrows its origin from the address inside it.
  if (url?.protocol === from.protocol && url.host === from.host) return url;
  throw new SourceFailure('redirect', `a redirect to another origin: ${location.slice(0, 200)}`);
}
