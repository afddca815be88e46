import { createBrotliCompress, createGzip } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import type { RequestHandler, UpstreamRequest } from './upstream-server.js';

/** Answers as `bad` where the request is one of these (numbers count from 1), else as `good`. */
export function when(
  is: (asked: UpstreamRequest) => boolean,
  bad: RequestHandler,
  good: RequestHandler,
): RequestHandler {
  return (asked, response) => {
    (is(asked) ? bad : good)(asked, response);
  };
}

/** The requests for the page that begins at an offset. */
export function atOffset(offset: number): (asked: UpstreamRequest) => boolean {
  return ({ query }) => query.get('offset') === String(offset);
}

/** Stands in whatever a source says that is no record; no client may ever read it. */
export const SOURCE_TEXT = 'Something else, from /srv/repository/index.php line 1';

/** Answers with a status, and a body that is not the interface's. */
export function status(code: number, headers: Readonly<Record<string, string>> = {}): RequestHandler {
  return (_asked, response) => {
    response.writeHead(code, { 'Content-Type': 'text/html', 'X-Gossip': SOURCE_TEXT, ...headers });
    response.end(`<h1>${SOURCE_TEXT}</h1>`);
  };
}

/** Answers 200, or another success, with this body. */
export function body(
  content: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  code = 200,
): RequestHandler {
  return (_asked, response) => {
    response.writeHead(code, { 'Content-Type': 'application/json', ...headers }).end(content);
  };
}

/** Sends these bytes in place of an HTTP answer, and ends the connection. */
export function rawBytes(bytes: string): RequestHandler {
  return (_asked, response) => {
    response.socket?.end(bytes);
  };
}

/** Ends the connection before anything is said. */
export const resetConnection: RequestHandler = (_asked, response) => {
  response.destroy();
};

/** Announces more than it sends, and ends the connection. */
export const halfBody: RequestHandler = (_asked, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  response.write(`{"status":"OK","note":"${SOURCE_TEXT}","data":[`, () => response.destroy());
};

/** So many bytes of headers before its body. */
export function headerFlood(bytes: number): RequestHandler {
  const lines = Math.ceil(bytes / 1_000);
  const flood = Array.from({ length: lines }, (_, at) => [`X-Flood-${at}`, SOURCE_TEXT.padEnd(1_000, '.')] as const);
  return body('[]', Object.fromEntries(flood));
}

/** Answers after so many milliseconds. */
export function delayed(milliseconds: number, then: RequestHandler): RequestHandler {
  return (asked, response) => {
    whileOpen(response, setTimeout(then, milliseconds, asked, response));
  };
}

/** Sends white space, which JSON allows, one character at a time, and never ends. */
export const dripBytes: RequestHandler = (_asked, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.flushHeaders();
  whileOpen(
    response,
    setInterval(() => response.write(' '), 10),
  );
};

/** Sends as fast as the client reads, and never ends. */
export const endlessBody: RequestHandler = (_asked, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
};

/** White space that decodes to so many mebibytes, and takes a thousandth of that on the wire, or less. */
export function decompressionBomb(coding: 'gzip' | 'br', mebibytes: number): RequestHandler {
  return (_asked, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': coding });
    const encoder = coding === 'gzip' ? createGzip() : createBrotliCompress();
    encoder.pipe(response);
    const chunk = Buffer.alloc(2 ** 20, ' ');
    for (let sent = 0; sent < mebibytes; sent += 1) encoder.write(chunk);
    encoder.end('[]');
  };
}

/** Redirects so many times within its own origin, then answers. */
export function redirectRepeatedly(times: number, then: RequestHandler): RequestHandler {
  return (asked, response) => {
    const hop = Number(asked.query.get('hop') ?? 0);
    if (hop >= times) return then(asked, response);
    const query = new URLSearchParams(asked.query);
    query.set('hop', String(hop + 1));
    response.writeHead(307, { Location: `${asked.path}?${query.toString()}` }).end();
  };
}

/** Redirects to the same path and query at another origin. */
export function redirectTo(origin: string): RequestHandler {
  return (asked, response) => {
    response.writeHead(302, { Location: `${origin}${asked.path}?${asked.query.toString()}` }).end();
  };
}

/** A timer that must not outlive its response. */
function whileOpen(response: ServerResponse, timer: NodeJS.Timeout): void {
  response.once('close', () => {
    clearTimeout(timer);
  });
}

/** Keeps every request waiting until it is told to let them go. */
export function holdResponses(then: RequestHandler): { readonly handler: RequestHandler; release(): void } {
  const waiting: (() => void)[] = [];
  let open = false;
  return {
    handler: (asked, response) => {
      if (open) then(asked, response);
      else waiting.push(() => then(asked, response));
    },
    release: () => {
      open = true;
      for (const go of waiting.splice(0)) go();
    },
  };
}
