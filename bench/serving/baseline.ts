import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workshop } from './build.js';
import type { Exchange } from './exchange.js';
import type { Served } from './gateway.js';
import { SERVING, end, startHelper } from './process.js';

/** What a server of nothing but node:http sends. */
export interface RawServer {
  readonly status: number;
  /** Names and values in turns. */
  readonly headers: readonly string[];
  /** File of the bytes that it always sends. */
  readonly body?: string;
  /** File of the records whose pages it sends instead, by the number at the end of the target. */
  readonly records?: string;
  /** Records of such a page. */
  readonly limit: number;
}

let files = 0;

/** Starts a raw server that always answers as somebody else did. */
export function startAlike(workshop: Workshop, { status, headers, body }: Exchange): Promise<Served> {
  const file = body.length === 0 ? {} : { body: keep(workshop, body) };
  return startRaw(workshop, { status, headers, limit: 0, ...file });
}

/** Starts a raw server that makes pages of plain records. */
export function startPaging(workshop: Workshop, { headers }: Exchange, pages: Pages): Promise<Served> {
  const own = headers.filter((_, at) => headers[at & ~1] !== 'Content-Length');
  const records = keep(workshop, JSON.stringify(pages.records));
  return startRaw(workshop, { status: 200, headers: own, records, limit: pages.limit });
}

/** All records, in their order, and how many stand on a page. */
export interface Pages {
  readonly records: readonly unknown[];
  readonly limit: number;
}

async function startRaw(workshop: Workshop, server: RawServer): Promise<Served> {
  const { child, told } = await startHelper(SERVING, 'raw.ts', [keep(workshop, JSON.stringify(server))]);
  return { origin: `http://127.0.0.1:${Number(told)}`, pid: child.pid ?? 0, close: () => end(child) };
}

function keep({ folder }: Workshop, content: string | Buffer): string {
  files += 1;
  const file = join(folder, `raw-${files}`);
  writeFileSync(file, content);
  return file;
}
