import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { BaselineResponses } from './server-processes.js';

/** Baseline server: only node:http. Receives the responses as a message, and sends its port. */
process.once('message', (responses: BaselineResponses) => {
  const server = createServer(handler(responses));
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(typeof address === 'object' && address !== null ? address.port : 0);
  });
});
process.once('disconnect', () => process.exit(0));

function handler({ status, headers, body }: BaselineResponses): RequestListener {
  if (body instanceof Uint8Array) return (_, response) => response.writeHead(status, [...headers]).end(body);
  const { records, limit } = body;
  return ({ url = '' }, response) => {
    const offset = Number(url.slice(url.lastIndexOf('=') + 1));
    const bytes = Buffer.from(JSON.stringify(records.slice(offset, offset + limit), null, 4));
    response.writeHead(status, [...headers, 'Content-Length', String(bytes.length)]).end(bytes);
  };
}
