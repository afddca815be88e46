import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createGzip } from 'node:zlib';
import type { Answer } from './habits.js';

/** Where each sample repository has its directory interface. */
const base = '/directory/v1';

const host = '127.0.0.1';

/** A running sample repository. */
export interface Repository {
  /** Base URL of its directory interface, without a slash at the end. */
  readonly address: string;
  /** Stops it, idle connections and requests under way included. */
  close(): Promise<void>;
}

/** How a repository answers queries, and whether it compresses the answers. */
export interface Service {
  readonly answer: (query: URLSearchParams) => Answer;
  readonly compresses: boolean;
}

/** Opens a repository on a loopback port; 0 takes a free one. Rejects with the system's error when the port is in use. */
export async function openRepository(service: Service, port: number): Promise<Repository> {
  const server = createServer((request, response) => {
    respond(service, request, response);
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`no TCP port for ${host}:${port}`);
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { address: `http://${host}:${address.port}${base}`, close };
}

function respond(service: Service, request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = answerTo(service, request);
  const unchanged =
    headers['Last-Modified'] !== undefined && request.headers['if-modified-since'] === headers['Last-Modified'];
  if (unchanged) {
    response.writeHead(304, headers).end();
    return;
  }
  const described = { ...headers, 'Content-Type': 'application/json; charset=utf-8' };
  if (!service.compresses || !/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
    response.writeHead(status, { ...described, 'Content-Length': Buffer.byteLength(body) }).end(body);
    return;
  }
  response.writeHead(status, { ...described, 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' });
  const gzip = createGzip();
  gzip.pipe(response);
  gzip.end(body);
}

function answerTo(service: Service, request: IncomingMessage): Answer {
  const [path, search] = (request.url ?? '').split('?', 2);
  if (path !== `${base}/teams` && path !== `${base}/teams.json`) return failure(404, 'Not Found', {});
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead
    ? service.answer(new URLSearchParams(search))
    : failure(405, 'Method Not Allowed', { Allow: 'GET, HEAD' });
}

function failure(status: number, text: string, headers: Readonly<Record<string, string>>): Answer {
  return { status, headers, body: JSON.stringify({ status: text, status_code: status, version: '1.0' }) };
}
