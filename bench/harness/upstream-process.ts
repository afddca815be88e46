import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { portionOf } from './source-fleet.js';
import type { Behaviour, Fleet } from './source-fleet.js';
import { subjectOf } from '../subjects/all.js';
import type { BenchRecord } from '../subjects/records.js';
import type { Subject } from '../subjects/subject.js';

let requests = 0;

/**
 * Runs the upstreams of a fleet in a separate process, so that their CPU time is not counted as the gateway's. All records are
 * serialized before the first request. The process sends its ports once it listens, and replies to every message with the number
 * of requests so far.
 */
async function main([text = '']: readonly string[]): Promise<void> {
  const fleet = JSON.parse(text) as Fleet;
  const numbers = Array.from({ length: fleet.sources }, (_, at) => at + 1);
  const ports = await Promise.all(numbers.map((number) => open(listener(fleet, number))));
  process.on('message', () => process.send?.(requests));
  process.once('disconnect', () => process.exit(0));
  process.send?.(ports);
}

async function open(serve: RequestListener): Promise<number> {
  const server = createServer({ keepAliveTimeout: 60_000 }, serve);
  server.listen(0, '127.0.0.1', 1_024);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function listener(fleet: Fleet, number: number): RequestListener {
  const behaviour: Behaviour = fleet.behaviours?.[number - 1] ?? 'healthy';
  switch (behaviour) {
    case 'healthy':
      return serve(fleet, number);
    case 'hang':
      return () => undefined;
    case 'reset':
      return ({ socket }) => socket.resetAndDestroy();
    case 'error':
      return (_, response) => response.writeHead(500, { 'Content-Type': 'text/plain' }).end('out of order');
  }
}

function serve(fleet: Fleet, number: number): RequestListener {
  const subject = subjectOf(fleet.subject);
  const records = subject.recordsOf(portionOf(fleet, number));
  if (fleet.newestFirst === true) records.sort((a, b) => published(b) - published(a));
  const all = new Pages(subject, records);
  const channels = new Pages(subject, subject.channels ?? []);
  const members = new Map<string, Pages>();
  const inChannel = (title: string): Pages => {
    const pages =
      members.get(title) ??
      new Pages(
        subject,
        records.filter((record) => subject.inChannel?.(record, title)),
      );
    members.set(title, pages);
    return pages;
  };
  return (request, response) => {
    requests += 1;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://upstream.example');
    const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
    const channel = searchParams.get('channel');
    const list = channel === null ? all : inChannel(channel);
    const body = (pathname === '/channels' ? channels : list).page(offset, limit);
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': body.length,
      'Last-Modified': 'Tue, 01 Sep 2026 06:00:00 GMT',
    });
    response.end(body);
  };
}

function published(record: BenchRecord): number {
  return Date.parse(String(record['published']));
}

/** Records serialized once as JSON. Each page is a slice of this text inside an envelope. */
class Pages {
  private readonly text: Buffer;
  /** Start offset of each record, followed by the end offset of the last one. */
  private readonly starts: Uint32Array;

  constructor(
    private readonly subject: Subject,
    records: readonly BenchRecord[],
  ) {
    const parts = records.map((record) => Buffer.from(`${JSON.stringify(record)},`));
    this.text = Buffer.concat(parts);
    this.starts = new Uint32Array(parts.length + 1);
    for (const [at, part] of parts.entries()) this.starts[at + 1] = (this.starts[at] ?? 0) + part.length;
  }

  page(offset: number, limit: number): Buffer {
    const total = this.starts.length - 1;
    const [start, end] = [Math.min(offset, total), Math.min(offset + limit, total)].map((at) => this.starts[at]);
    const text = JSON.stringify(this.subject.envelope({ total, limit, offset, data: [] }));
    // `data` is the last property of an envelope. The comma after the last record of the page is left out.
    const records = this.text.subarray(start, start === end ? end : (end ?? 0) - 1);
    return Buffer.concat([Buffer.from(text.slice(0, -2)), records, Buffer.from(']}')]);
  }
}

await main(process.argv.slice(2));
