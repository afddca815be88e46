import { parseUrl } from '../../text/url.js';
import type { Layer, HttpResponse, HttpRequest } from './http-client-types.js';
import { SourceFailure } from './source-failure.js';

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** For one request (decisions 8.5). */
const MAX_REDIRECTS = 3;

/** Another origin would get the query without being registered. Rejects with a `SourceFailure` (`redirect`). */
export const withSameOriginRedirects: Layer<HttpResponse> = (next) => (request, signal) =>
  next(request, signal).then((reply) =>
    locationOf(reply) === undefined ? reply : followRedirects(request, reply, (redirected) => next(redirected, signal)),
  );

async function followRedirects(
  first: HttpRequest,
  redirect: HttpResponse,
  send: (request: HttpRequest) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  let [redirected, reply] = [first, redirect];
  for (let times = 0; ; times += 1) {
    const location = locationOf(reply);
    if (location === undefined) return reply;
    await reply.discard();
    redirected = { url: resolveLocation(location, redirected.url), headers: redirected.headers };
    if (times === MAX_REDIRECTS)
      throw new SourceFailure('redirect', `more than ${MAX_REDIRECTS} redirects, the last to ${redirected.url.href}`);
    reply = await send(redirected);
  }
}

/** Undefined if the response is not a redirect. */
function locationOf(reply: HttpResponse): string | undefined {
  return REDIRECT_STATUSES.has(reply.status) ? reply.header('location') : undefined;
}

function resolveLocation(location: string, from: URL): URL {
  const url = parseUrl(location, from);
  // Compares scheme and authority instead of `origin`: the origin of a blob: URL is that of the URL inside it.
  if (url?.protocol === from.protocol && url.host === from.host) return url;
  throw new SourceFailure('redirect', `a redirect to another origin: ${location.slice(0, 200)}`);
}
