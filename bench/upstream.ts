import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { pagesOf } from './pages.js';

/**
 * Upstream repositories in a process of their own, so that their CPU is not counted as the gateway's. Every page is made before the
 * first request. Started by `fork` with the number of sources and `gzip` or `identity`; sends its ports when it listens.
 */
async function main(sources: number, coding: string): Promise<void> {
  const ports = await Promise.all(Array.from({ length: sources }, (_, at) => open(at + 1, coding)));
  process.send?.(ports);
  process.once('disconnect', () => process.exit(0));
}

async function open(number: number, coding: string): Promise<number> {
  const server = createServer(serve(number, coding));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function serve(number: number, coding: string): RequestListener {
  const encoded = coding === 'gzip';
  const pages = pagesOf(number).map((page) => (encoded ? gzipSync(page) : Buffer.from(page)));
  return (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://upstream.example');
    const page = Number(searchParams.get('offset')) / Number(searchParams.get('limit'));
    const body = pages[page] ?? Buffer.from('[]');
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': body.length,
      ...(encoded && pages[page] && { 'Content-Encoding': 'gzip' }),
      'Last-Modified': 'Tue, 01 Sep 2026 06:00:00 GMT',
    });
    response.end(body);
  };
}

await main(Number(process.argv[2]), process.argv[3] ?? 'identity');
