import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from '../measure.js';
import { startAlike } from './baseline.js';
import type { Workshop } from './build.js';
import { exchange, headerOf, requireAlike } from './exchange.js';
import type { Exchange } from './exchange.js';
import { startGateway, TEAMS, withFleet } from './gateway.js';
import type { Fleet, Served, Settings } from './gateway.js';
import { startNginx } from './nginx.js';
import { duel } from './wrk.js';

/** As many sources as the house of the other benchmarks. */
export const FLEET = { sources: 20, records: 1_000 };

/** Bytes of the answer that is asked for, about. */
const SIZE = 20 * 1024;

/** Seconds of one turn. */
export const TURN = 3;

/** Answers held ready to send: to node:http alone, logging and not, to nginx, in gzip, and as 304. */
export function heldAnswers(workshop: Workshop): Promise<Figure[]> {
  return withFleet(FLEET, async (fleet) => {
    const target = await targetOf(workshop, fleet);
    return [...(await logged(workshop, fleet, target)), ...(await unlogged(workshop, fleet, target))];
  });
}

/** A page of teams whose answer is nearest to 20 KiB. */
export async function targetOf(workshop: Workshop, fleet: Fleet): Promise<string> {
  return withGateway(workshop, fleet, { log: 'none' }, async ({ origin }) => {
    const { body } = await exchange(`${origin}${TEAMS}?limit=100`);
    const records = JSON.parse(body.toString()) as unknown[];
    let [bytes, limit] = [0, 0];
    for (; bytes < SIZE && limit < records.length; limit += 1) {
      bytes += JSON.stringify([records[limit]], null, 4).length;
    }
    return `${TEAMS}?limit=${limit}`;
  });
}

/** Opens a gateway, hands it to the work, and ends it. */
export async function withGateway<T>(
  workshop: Workshop,
  fleet: Fleet,
  settings: Settings,
  work: (gateway: Served) => Promise<T>,
): Promise<T> {
  const gateway = await startGateway(workshop, fleet, settings);
  try {
    return await work(gateway);
  } finally {
    await gateway.close();
  }
}

/** With a line for each request. */
async function logged(workshop: Workshop, fleet: Fleet, target: string): Promise<Figure[]> {
  const line = await lineOf(workshop, fleet, target);
  return withGateway(workshop, fleet, { log: 'all' }, (gateway) =>
    toRaw(workshop, gateway, { name: 'held answer of 20 KB to node:http, both logging', target, line, least: 0.85 }),
  );
}

/** What the log tells of a held answer: a gateway whose log is read. */
function lineOf(workshop: Workshop, fleet: Fleet, target: string): Promise<Line> {
  const output = join(workshop.folder, 'log');
  return withGateway(workshop, fleet, { log: 'all', output }, async ({ origin }) => {
    // The second one is held ready.
    for (let asked = 0; asked < 2; asked += 1) await exchange(origin + target);
    return lastLine(output);
  });
}

type Line = Readonly<Record<string, unknown>>;

function lastLine(file: string): Line {
  const lines = readFileSync(file, 'utf8').split('\n');
  const line = lines.findLast((text) => text.includes('"msg":"request"'));
  if (line === undefined) throw new Error('the gateway logged no request');
  const facts = JSON.parse(line) as Record<string, unknown>;
  // What the logger adds by itself, to this server's lines too.
  for (const own of ['level', 'time', 'msg']) Reflect.deleteProperty(facts, own);
  return facts;
}

function unlogged(workshop: Workshop, fleet: Fleet, target: string): Promise<Figure[]> {
  return withGateway(workshop, fleet, { log: 'none' }, async (gateway) => {
    const { etag } = await known(gateway, target);
    const least = 0.85;
    return [
      ...(await toRaw(workshop, gateway, { name: 'held answer of 20 KB to node:http, no log', target, least: 0.9 })),
      ...(await toNginx(workshop, gateway, target)),
      ...(await toRaw(workshop, gateway, {
        name: '304 to node:http, no log',
        target,
        headers: { 'If-None-Match': etag },
        least,
      })),
      ...(await toRaw(workshop, gateway, {
        name: 'held answer in gzip to node:http, no log',
        target,
        headers: { 'Accept-Encoding': 'gzip' },
      })),
    ];
  });
}

async function known({ origin }: Served, target: string): Promise<{ etag: string }> {
  const etag = headerOf(await exchange(origin + target), 'ETag');
  if (etag === undefined) throw new Error('an answer without an entity tag');
  return { etag };
}

/** What is asked for, and how fast it must be to what is compared with it. */
interface Case {
  readonly name: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly line?: Line;
  readonly least?: number;
}

async function toRaw(workshop: Workshop, one: Served, { name, target, headers, line, least }: Case): Promise<Figure[]> {
  const answer = await settled(one.origin + target, headers);
  const other = await startAlike(workshop, answer, line);
  requireAlike(answer, await exchange(other.origin + target, headers));
  const fields = Object.entries(headers ?? {}).map(([field, value]) => `${field}: ${value}`);
  const load = { target, headers: fields, seconds: TURN };
  const figures = await duel({ name, one, other, load, ...(least !== undefined && { least }) });
  await other.close();
  return figures;
}

/** The answer once it is held ready. */
async function settled(url: string, headers: Case['headers']): Promise<Exchange> {
  await exchange(url, headers);
  return exchange(url, headers);
}

/** The server behind nginx is gone when it is measured: what it answers, it holds. */
async function toNginx(workshop: Workshop, one: Served, target: string): Promise<Figure[]> {
  const answer = await settled(one.origin + target, undefined);
  const behind = await startAlike(workshop, answer);
  const other = await startNginx(workshop, behind.origin);
  await exchange(other.origin + target);
  await behind.close();
  const held = await exchange(other.origin + target);
  if (held.status !== 200 || !held.body.equals(answer.body)) throw new Error('nginx holds another answer');
  const name = 'held answer of 20 KB to nginx proxy_cache, no log';
  const load = { target, seconds: TURN };
  const figures = [
    ...(await duel({ name, one, other, load, least: 0.8 })),
    ...(await duel({ name: `${name}, no two requests alike`, one, other, load: { ...load, script: 'traced.lua' } })),
  ];
  await other.close();
  return figures;
}
