import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { BaselineResponses } from './server-processes.js';

/** The server that a gateway is compared with: node:http and nothing beside it. Sends its port once it was sent what to answer. */
process.once('message', (answers: BaselineResponses) => {
  const server = createServer(handler(answers));
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
