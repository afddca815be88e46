import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createGzip } from 'node:zlib';
import type { SampleResponse, InterfaceHandler } from './json-response.js';
import { errorResponse } from './json-response.js';

export const SAMPLE_HOST = '127.0.0.1';

export interface SampleRepository {
  /** Such as `http://127.0.0.1:8101`. */
  readonly origin: string;
  /** Closes all connections, active ones included. */
  close(): Promise<void>;
}

export interface RepositoryOptions {
  /** By base path, such as `/directory/v1`; published files by the empty path. */
  readonly interfaces: ReadonlyMap<string, InterfaceHandler>;
  readonly compresses: boolean;
}

/** On a loopback port; with 0 the operating system assigns one. Rejects with the system error if the port is in use. */
export async function startRepository(service: RepositoryOptions, port: number): Promise<SampleRepository> {
  const server = createServer((request, response) => {
    void respond(service, request, response);
  });
  server.listen(port, SAMPLE_HOST);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`no TCP port for ${SAMPLE_HOST}:${port}`);
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { origin: `http://${SAMPLE_HOST}:${address.port}`, close };
}

async function respond(service: RepositoryOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, headers, body } = await createResponse(service, request);
  const unchanged =
    headers['Last-Modified'] !== undefined && request.headers['if-modified-since'] === headers['Last-Modified'];
  if (unchanged) {
    response.writeHead(304, headers).end();
    return;
  }
  const headersWithType = { 'Content-Type': 'application/json; charset=utf-8', ...headers };
  if (!service.compresses || !/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
    response.writeHead(status, { ...headersWithType, 'Content-Length': Buffer.byteLength(body) }).end(body);
    return;
  }
  response.writeHead(status, { ...headersWithType, 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' });
  const gzip = createGzip();
  gzip.pipe(response);
  gzip.end(body);
}

async function createResponse(
  { interfaces }: RepositoryOptions,
  { url, method = '' }: IncomingMessage,
): Promise<SampleResponse> {
  const [path = '', search = ''] = (url ?? '').split('?', 2);
  const [base, handler] = [...interfaces].find(([start]) => path.startsWith(`${start}/`)) ?? [];
  if (base === undefined || handler === undefined) return errorResponse(404, { status: 'Not Found', status_code: 404 });
  if (['GET', 'HEAD'].includes(method)) {
    return handler(path.slice(base.length).replace(/\.json$/, ''), search);
  }
  return { ...errorResponse(405, { status: 'Method Not Allowed', status_code: 405 }), headers: { Allow: 'GET, HEAD' } };
}
