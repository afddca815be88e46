import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { subjectOf } from '../subjects/all.js';
import type { Subject } from '../subjects/subject.js';
import { fleetIn, listOf } from './fleet.js';
import type { Fleet } from './fleet.js';
import { Pages } from './pages.js';

let requests = 0;

/**
 * The sources of a fleet in a process of their own, so that their CPU is not counted as the gateway's: every record is written before the first
 * request. Started by `fork` with the fleet; sends its ports when it listens, and to every message the number of requests so far.
 */
async function main([text = '']: readonly string[]): Promise<void> {
  const fleet = fleetIn(text);
  const subject = subjectOf(fleet.subject);
  const numbers = Array.from({ length: fleet.sources }, (_, at) => at + 1);
  const ports = await Promise.all(numbers.map((number) => open(serve(fleet, subject, number))));
  process.on('message', () => process.send?.(requests));
  process.once('disconnect', () => process.exit(0));
  process.send?.(ports);
}

async function open(listener: RequestListener): Promise<number> {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  server.listen(0, '127.0.0.1', 1_024);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function serve(fleet: Fleet, subject: Subject, number: number): RequestListener {
  const pages = new Pages(subject, listOf(fleet, subject, number));
  // Of the other lists that a source is registered with it has nothing.
  const nothing = new Pages(subject, []);
  const path = `/${subject.resource.path}`;
  const { delay = 0, slowest = delay, sources } = fleet;
  const wait = number === sources ? slowest : delay;
  return (request, response) => {
    requests += 1;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://upstream.example');
    const body = (pathname === path ? pages : nothing).page({
      offset: Number(searchParams.get('offset')),
      limit: Number(searchParams.get('limit')),
      before: searchParams.get('before') ?? undefined,
    });
    const answer = (): void => {
      response.writeHead(200, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': body.length,
        'Last-Modified': 'Tue, 01 Sep 2026 06:00:00 GMT',
      });
      response.end(body);
    };
    if (wait === 0) answer();
    else setTimeout(answer, wait);
  };
}

await main(process.argv.slice(2));
