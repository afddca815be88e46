import { createBrotliCompress, createGzip } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import type { RequestHandler, UpstreamRequest } from './upstream-server.js';

/** Passes matching requests to `bad` and all others to `good`. Request numbers start at 1. */
export function when(
  is: (request: UpstreamRequest) => boolean,
  bad: RequestHandler,
  good: RequestHandler,
): RequestHandler {
  return (request, response) => {
    (is(request) ? bad : good)(request, response);
  };
}

/** Matches requests for the page at an offset. */
export function atOffset(offset: number): (request: UpstreamRequest) => boolean {
  return ({ query }) => query.get('offset') === String(offset);
}

/** Text in every upstream response that is not a record; it must never appear in a response to a client. */
export const SOURCE_TEXT = 'Something else, from /srv/repository/index.php line 1';

/** Responds with a status and an HTML body. */
export function status(code: number, headers: Readonly<Record<string, string>> = {}): RequestHandler {
  return (_request, response) => {
    response.writeHead(code, { 'Content-Type': 'text/html', 'X-Gossip': SOURCE_TEXT, ...headers });
    response.end(`<h1>${SOURCE_TEXT}</h1>`);
  };
}

/** Responds with this body, and with status 200 or another success status. */
export function body(
  content: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  code = 200,
): RequestHandler {
  return (_request, response) => {
    response.writeHead(code, { 'Content-Type': 'application/json', ...headers }).end(content);
  };
}

/** Sends these bytes instead of an HTTP response and closes the connection. */
export function rawBytes(bytes: string): RequestHandler {
  return (_request, response) => {
    response.socket?.end(bytes);
  };
}

/** Closes the connection without a response. */
export const resetConnection: RequestHandler = (_request, response) => {
  response.destroy();
};

/** Declares a larger Content-Length than it sends, and closes the connection. */
export const halfBody: RequestHandler = (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  response.write(`{"status":"OK","note":"${SOURCE_TEXT}","data":[`, () => response.destroy());
};

/** Sends about this many bytes of header fields before the body. */
export function headerFlood(bytes: number): RequestHandler {
  const lines = Math.ceil(bytes / 1_000);
  const flood = Array.from({ length: lines }, (_, at) => [`X-Flood-${at}`, SOURCE_TEXT.padEnd(1_000, '.')] as const);
  return body('[]', Object.fromEntries(flood));
}

/** Handles a request after the given milliseconds. */
export function delayed(milliseconds: number, then: RequestHandler): RequestHandler {
  return (request, response) => {
    whileOpen(response, setTimeout(then, milliseconds, request, response));
  };
}

/** Sends white space, which JSON allows, one character every 10 ms, and never ends. */
export const dripBytes: RequestHandler = (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.flushHeaders();
  whileOpen(
    response,
    setInterval(() => response.write(' '), 10),
  );
};

/** Sends as fast as the client reads, and never ends. */
export const endlessBody: RequestHandler = (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
};

/** Sends compressed white space that decodes to this many mebibytes; the encoded body is at most a thousandth of that. */
export function decompressionBomb(coding: 'gzip' | 'br', mebibytes: number): RequestHandler {
  return (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': coding });
    const encoder = coding === 'gzip' ? createGzip() : createBrotliCompress();
    encoder.pipe(response);
    const chunk = Buffer.alloc(2 ** 20, ' ');
    for (let sent = 0; sent < mebibytes; sent += 1) encoder.write(chunk);
    encoder.end('[]');
  };
}

/** Redirects this many times within its own origin, then handles the request. */
export function redirectRepeatedly(times: number, then: RequestHandler): RequestHandler {
  return (request, response) => {
    const hop = Number(request.query.get('hop') ?? 0);
    if (hop >= times) return then(request, response);
    const query = new URLSearchParams(request.query);
    query.set('hop', String(hop + 1));
    response.writeHead(307, { Location: `${request.path}?${query.toString()}` }).end();
  };
}

/** Redirects to the same path and query at another origin. */
export function redirectTo(origin: string): RequestHandler {
  return (request, response) => {
    response.writeHead(302, { Location: `${origin}${request.path}?${request.query.toString()}` }).end();
  };
}

/** Clears a timer when its response is closed. */
function whileOpen(response: ServerResponse, timer: NodeJS.Timeout): void {
  response.once('close', () => {
    clearTimeout(timer);
  });
}

/** Delays every request until `release` is called. */
export function holdResponses(then: RequestHandler): { readonly handler: RequestHandler; release(): void } {
  const waiting: (() => void)[] = [];
  let open = false;
  return {
    handler: (request, response) => {
      if (open) then(request, response);
      else waiting.push(() => then(request, response));
    },
    release: () => {
      open = true;
      for (const go of waiting.splice(0)) go();
    },
  };
}
