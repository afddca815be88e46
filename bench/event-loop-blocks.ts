import { once } from 'node:events';
import { createServer } from 'node:http';
import { directoryTeams } from '../src/model/resources/directory-teams.js';
import type { Figure } from './bounds.js';
import { nextMessage, start } from './harness/source-fleet.js';
import { parseBenchConfig, openGateway } from './harness/in-process-gateway.js';
import { longestBlock } from './harness/measure.js';
import { silentLog } from '../test/support/silent-log.js';

/** Bytes of a hostile body: just under the default of `max-body`. */
const SIZE = 16 * 1024 * 1024 - 1_024;

const range = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);

/** Returns a text that starts with `begin`, ends with `end`, and repeats `pieceAt` between them up to `SIZE`. */
const repeated = (begin: string, pieceAt: (at: number) => string, end: string): string => {
  const pieces = [begin];
  for (let length = begin.length + end.length, at = 0; length < SIZE; at += 1) {
    const piece = pieceAt(at);
    length += piece.length;
    pieces.push(piece);
  }
  return [...pieces, end].join('');
};

const RECORD = JSON.stringify({ 'short-team-name': 'A', host: 'x'.repeat(700) });

/** Bodies of 16 MiB by a description of their content. */
const hostile: ReadonlyMap<string, () => string> = new Map([
  ['ordinary records', () => repeated('[', (at) => `${RECORD.replace('"A"', `"A ${at}"`)},`, `${RECORD}]`)],
  ['records with equal names', () => repeated('[', () => `${RECORD},`, `${RECORD}]`)],
  ['one record of a million properties', () => repeated('[{', (at) => `"k${at}":1,`, '"k":1}]')],
  [
    'records of 10,000 properties',
    () => repeated('[', (at) => `${JSON.stringify(team(at, uniqueProperties(at, 10_000)))},`, '{}]'),
  ],
  ['tiny items', () => repeated('[', () => '0,', '0]')],
  ['empty records', () => repeated('[', () => '{},', '{}]')],
  ['a million records', () => repeated('[', (at) => `{"email":${at}},`.padEnd(18), '{}]')],
  ['nested lists', () => '['.repeat(SIZE)],
  ['nested objects in an envelope', () => repeated('{"status":', () => '{"a":', '')],
]);

/** Wide records by description. The list of a source is within `max-body`, and each record is within the limit of values. */
const wide: ReadonlyMap<string, () => readonly object[]> = new Map([
  ['40 records of 18,000 names', () => range(40).map((nth) => team(nth, uniqueProperties(nth, 18_000)))],
  ['4,000 records of 180 names', () => range(4_000).map((nth) => team(nth, uniqueProperties(nth, 180)))],
  [
    '40 lists of 18,000 items',
    () => range(40).map((nth) => team(nth, { host: range(18_000).map((at) => `yes: ${at}|`) })),
  ],
  ['40 texts of 220 kB', () => range(40).map((nth) => team(nth, { host: 'a "b"\r\n'.repeat(32_000) }))],
]);

function team(nth: number, more: object): object {
  return { 'short-team-name': `T${nth}`, ...more };
}

/** Properties with names that no other record has. */
function uniqueProperties(nth: number, count: number): object {
  return Object.fromEntries(range(count).map((at) => [`k${nth}-${at}`, `v${at}`]));
}

/** Requests for cached wide records: every format, and a search over all values. */
const TARGETS = [
  '.json?limit=10000',
  '.yaml?limit=10000',
  '.xml?limit=10000',
  '.csv?limit=10000',
  '.xlsx?limit=10000',
  '.json?q=absent',
] as const;

/** Rounds of measurement; the best one counts, because other work of the machine only lengthens a block. */
const ROUNDS = 3;

/** Longest turn of the event loop while hostile bodies are read, and while wide records are read, rendered and sent. */
export async function blocks(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const name of [...hostile.keys(), ...wide.keys()]) {
    const targets = wide.has(name) ? TARGETS : [];
    const rounds: number[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await longestBlocks(name, targets));
    ['read', ...targets].forEach((what, at) => {
      const value = Math.min(...rounds.map((round) => round[at] ?? Infinity));
      figures.push({ name: `longest block, ${name}, ${what}`, value, bound: 'block' });
    });
  }
  return figures;
}

/** Milliseconds of the longest block while one source is read, and during the response to each target. */
async function longestBlocks(name: string, targets: readonly string[]): Promise<number[]> {
  const child = start(new URL(import.meta.url), [name]);
  try {
    const source = `{ number: 1, directory: "http://127.0.0.1:${Number(await nextMessage(child))}" }`;
    const config = parseBenchConfig([
      'server: { log: none, deadline: 60s }',
      'defaults: { timeout: 60s }',
      `sources: { one: ${source} }`,
    ]);
    const running = await openGateway(config, {
      log: { ...silentLog, error: console.error },
    });
    const address = running.address(directoryTeams);
    const sendRequest = async (target: string): Promise<void> => {
      child.send(`${address}${target}`);
      const status = await nextMessage(child);
      if (status !== 200) throw new Error(`${target} of ${name}: ${String(status)}`);
    };
    const longest = [await longestBlock(() => running.app.warmUp())];
    for (const target of targets) {
      // Loads the library of the format.
      await sendRequest(target.replace('limit=10000', 'limit=0'));
      longest.push(await longestBlock(() => sendRequest(target)));
    }
    await running.close();
    return longest;
  } finally {
    child.disconnect();
  }
}

/** The source, in a separate process. This process also sends the requests, because reading megabytes takes CPU time. */
async function serve(name: string): Promise<void> {
  const body = Buffer.from(hostile.get(name)?.() ?? '');
  const records = wide.get(name)?.() ?? [];
  const server = createServer(({ url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://source');
    const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
    response.setHeader('Content-Type', 'application/json');
    if (wide.has(name)) {
      response.setHeader('X-Total-Count', records.length);
      response.end(JSON.stringify(records.slice(offset, offset + limit)));
    } else response.end(offset === 0 ? body : '[]');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.on('message', (target) => {
    void fetch(String(target), { headers: { Prefer: 'handling=lenient' } }).then(async (response) => {
      await response.arrayBuffer();
      process.send?.(response.status);
    });
  });
  process.once('disconnect', () => process.exit(0));
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : undefined);
}

if (process.send !== undefined) await serve(process.argv[2] ?? '');
