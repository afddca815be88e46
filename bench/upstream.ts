import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { listingsOf, pagesOf } from './pages.js';
import { subjectOf } from './subjects/all.js';
import type { Subject } from './subjects/subject.js';

/** How an upstream behaves: it answers, never answers, cuts the connection instead, or answers with 500. */
const MANNERS = ['well', 'hang', 'reset', 'error'] as const;

/** One of these manners. */
export type Manner = (typeof MANNERS)[number];

/** What the upstreams of one process serve. */
interface Service {
  readonly subject: Subject;
  readonly encoded: boolean;
}

/**
 * Upstream repositories in a process of their own, so that their CPU is not counted as the gateway's. Every page is made before the
 * first request. Started by `fork` with the subject's name, `gzip` or `identity`, and the manner of each; sends its ports when it listens.
 */
async function main([name, coding, manners = '']: readonly string[]): Promise<void> {
  const service = { subject: subjectOf(name ?? ''), encoded: coding === 'gzip' };
  const ports = await Promise.all(manners.split(',').map((manner, at) => open(listener(service, manner, at + 1))));
  process.send?.(ports);
  process.once('disconnect', () => process.exit(0));
}

async function open(serve: RequestListener): Promise<number> {
  const server = createServer(serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function listener(service: Service, name: string, number: number): RequestListener {
  const manner = MANNERS.find((one) => one === name);
  switch (manner) {
    case undefined:
      throw new Error(`no manner ${name}`);
    case 'well':
      return serve(service, number);
    case 'hang':
      return () => undefined;
    case 'reset':
      return ({ socket }) => socket.resetAndDestroy();
    case 'error':
      return (_, response) => response.writeHead(500, { 'Content-Type': 'text/plain' }).end('out of order');
  }
}

function serve({ subject, encoded }: Service, number: number): RequestListener {
  const lists = new Map(
    listingsOf(subject, number).map((listing) => {
      const pages = pagesOf(subject, listing).map((page) => (encoded ? gzipSync(page) : Buffer.from(page)));
      return [`/${listing.path} ${listing.channel ?? ''}`, pages];
    }),
  );
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://upstream.example');
    const pages = lists.get(`${pathname} ${searchParams.get('channel') ?? ''}`);
    const page = pages?.[Number(searchParams.get('offset')) / Number(searchParams.get('limit'))];
    const body = page ?? Buffer.from('[]');
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': body.length,
      ...(encoded && page && { 'Content-Encoding': 'gzip' }),
      'Last-Modified': 'Tue, 01 Sep 2026 06:00:00 GMT',
    });
    response.end(body);
  };
}

await main(process.argv.slice(2));
