import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { RawServer } from './baseline.js';

/**
 * The server that a gateway is compared with: node:http, and nothing beside it. It sends the same headers, which are written down for it,
 * with bytes that are (`body`), or that it makes of plain records (`records`).
 * Started with the name of a file that says all this; sends its port.
 */
function main(file: string): void {
  const spec = JSON.parse(readFileSync(file, 'utf8')) as RawServer;
  const server = createServer(answering(spec));
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(typeof address === 'object' && address !== null ? address.port : 0);
  });
  process.once('disconnect', () => process.exit(0));
}

function answering({ status, headers, body, records, limit }: RawServer): RequestListener {
  if (records !== undefined) return paging(headers, JSON.parse(readFileSync(records, 'utf8')) as unknown[], limit);
  const bytes = body === undefined ? undefined : readFileSync(body);
  return (_, response) => {
    response.writeHead(status, [...headers]);
    response.end(bytes);
  };
}

function paging(headers: readonly string[], records: readonly unknown[], limit: number): RequestListener {
  return ({ url = '' }, response) => {
    const offset = Number(url.slice(url.lastIndexOf('=') + 1));
    const bytes = Buffer.from(JSON.stringify(records.slice(offset, offset + limit), null, 4));
    response.writeHead(200, [...headers, 'Content-Length', String(bytes.length)]);
    response.end(bytes);
  };
}

main(process.argv[2] ?? '');
