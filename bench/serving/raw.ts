import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pino, stdTimeFunctions } from 'pino';
import type { RawServer } from './baseline.js';

/**
 * The server that a gateway is compared with: node:http, and nothing beside it. It sends the same headers, which are written down for it,
 * with bytes that are (`body`), or that it makes of plain records (`records`), and logs a line for each request with the same facts, or none.
 * Started with the name of a file that says all this; sends its port.
 */
function main(file: string): void {
  const spec = JSON.parse(readFileSync(file, 'utf8')) as RawServer;
  const answer = answering(spec);
  const log = logging(spec);
  const server = createServer((request, response) => {
    log(request, response);
    answer(request, response);
  });
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

function logging({ line }: RawServer): (request: IncomingMessage, response: ServerResponse) => void {
  if (line === undefined) return () => undefined;
  const log = pino({ base: null, timestamp: stdTimeFunctions.isoTime }, pino.destination({ dest: 1, sync: true }));
  return ({ url, method }, response) => {
    const facts = { ...line, request: randomUUID(), method, path: url?.split('?', 1)[0] };
    const started = Date.now();
    response.once('close', () => {
      log.info({ ...facts, status: response.statusCode, milliseconds: Date.now() - started }, 'request');
    });
  };
}

main(process.argv[2] ?? '');
