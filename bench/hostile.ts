import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createApp } from '../src/app.js';
import { parseConfig } from '../src/config/parse.js';
import { systemClock } from '../src/model/clock.js';
import { undiciWire } from '../src/source/transport.js';
import { bodyParser } from './house.js';
import { longestBlock } from './measure.js';
import type { Figure } from './measure.js';

/** Bytes of a body: just under what `max-body` lets through. */
const SIZE = 16 * 1024 * 1024 - 1_024;

/** A body that repeats something between a beginning and an end, up to the size. */
const repeated = (begin: string, again: (at: number) => string, end: string): string => {
  const pieces = [begin];
  for (let length = begin.length + end.length, at = 0; length < SIZE; at += 1) {
    const piece = again(at);
    length += piece.length;
    pieces.push(piece);
  }
  return [...pieces, end].join('');
};

const RECORD = JSON.stringify({ 'short-team-name': 'A', host: 'x'.repeat(700) });

/** One text is decoded by one call of Node's, and parsed by another: for information. */
const WHOLE = 'one text of 10 MB';

/** Bodies by what they are made of: one source sends one of them. */
const bodies: ReadonlyMap<string, () => string> = new Map([
  ['ordinary records', () => repeated('[', (at) => `${RECORD.replace('"A"', `"A ${at}"`)},`, `${RECORD}]`)],
  ['records of one name', () => repeated('[', () => `${RECORD},`, `${RECORD}]`)],
  ['one record of a million properties', () => repeated('[{', (at) => `"k${at}":1,`, '"k":1}]')],
  ['records of 10,000 properties', () => repeated('[', (at) => `${wide(at)},`, '{}]')],
  ['tiny items', () => repeated('[', () => '0,', '0]')],
  ['empty records', () => repeated('[', () => '{},', '{}]')],
  ['a million records', () => repeated('[', (at) => `{"email":${at}},`.padEnd(18), '{}]')],
  ['nested lists', () => '['.repeat(SIZE)],
  ['nested objects in an envelope', () => repeated('{"status":', () => '{"a":', '')],
  [WHOLE, () => `[{"short-team-name":"${'é'.repeat(5_000_000)}"}]`],
]);

function wide(at: number): string {
  const properties = Array.from({ length: 10_000 }, (_, key) => `"k${at * 10_000 + key}":1`);
  return `{"short-team-name":"A ${at}",${properties.join()}}`;
}

/** The longest turn of the event loop while a source's body of 16 MiB is read, whatever it is made of. */
export async function hostile(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const name of bodies.keys()) {
    const bound = name === WHOLE ? {} : { bound: 50 };
    figures.push({ name: `longest block, a body of ${name}`, value: await blockOf(name), unit: 'ms', ...bound });
  }
  return figures;
}

async function blockOf(name: string): Promise<number> {
  const upstream = fork(new URL(import.meta.url), [name]);
  const wire = undiciWire();
  const bodies = bodyParser();
  try {
    const [port] = (await once(upstream, 'message')) as [unknown];
    const source = `{ number: 1, directory: "http://127.0.0.1:${Number(port)}", timeout: 60s, max-body: 16MiB }`;
    const parsed = parseConfig(`server: { log: none, deadline: 60s }\nsources: { one: ${source} }`, {});
    if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults));
    const quiet = { info: () => undefined, warn: () => undefined, error: console.error };
    const app = createApp(parsed.config, { transport: wire.transport, bodies, clock: systemClock, log: quiet });
    return await longestBlock(() => app.warmUp());
  } finally {
    bodies.close();
    await wire.close();
    upstream.disconnect();
  }
}

/** The source, in a process of its own. */
async function serve(name: string): Promise<void> {
  const body = Buffer.from(bodies.get(name)?.() ?? '');
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(url.includes('offset=0') ? body : '[]');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : undefined);
  process.once('disconnect', () => process.exit(0));
}

if (process.send !== undefined) await serve(process.argv[2] ?? '');
