import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { codeOf } from '../pages.js';
import { directory } from '../subjects/directory.js';

/** A page as it is sent, and the tag that it is known by. */
interface Page {
  readonly body: Buffer;
  readonly etag: string;
}

let requests = 0;

/**
 * Sources whose records never change, in a process of their own: every page has an entity tag, and is answered with 304 where that is known.
 * Started with the number of sources and of the records of each; sends its ports, and to every message the number of requests so far.
 */
async function main([sources, records]: readonly string[]): Promise<void> {
  const ports = await Promise.all(
    Array.from({ length: Number(sources) }, (_, at) => open(serve(at + 1, Number(records)))),
  );
  process.on('message', () => process.send?.(requests));
  process.once('disconnect', () => process.exit(0));
  process.send?.(ports);
}

async function open(listener: RequestListener): Promise<number> {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function serve(number: number, count: number): RequestListener {
  const all = directory.recordsOf({ code: codeOf(number), count, from: number * count });
  const pages = new Map<string, Page>();
  return (request, response) => {
    requests += 1;
    const { searchParams } = new URL(request.url ?? '', 'http://upstream.example');
    const [limit, offset] = [Number(searchParams.get('limit')), Number(searchParams.get('offset'))];
    const page = pages.get(`${offset} ${limit}`) ?? pageOf(all.slice(offset, offset + limit));
    pages.set(`${offset} ${limit}`, page);
    const known = request.headers['if-none-match'] === page.etag;
    response.writeHead(known ? 304 : 200, {
      ETag: page.etag,
      ...(!known && {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': page.body.length,
        'X-Total-Count': all.length,
      }),
    });
    response.end(known ? undefined : page.body);
  };
}

function pageOf(records: readonly unknown[]): Page {
  const body = Buffer.from(JSON.stringify(records));
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}

await main(process.argv.slice(2));
