import type { Node } from '../src/model/document.js';
import { directoryTeams } from '../src/model/resources/directory-teams.js';
import { inTurns } from '../src/model/slices.js';
import { formats } from '../src/render/formats.js';
import type { Format, Rendering } from '../src/render/formats.js';
import { projector } from '../src/result/project.js';
import { heldSets } from './held.js';
import { bytesHeld, cpuOf, longestBlock } from './measure.js';
import type { Figure } from './measure.js';
import { directory } from './subjects/directory.js';

const RECORDS = 10_000;

const ROUNDS = 7;

/** Records between two looks at the memory. */
const LOOK = 500;

type Row = ReadonlyMap<string, Node>;

const bounds: Readonly<Partial<Record<Format['name'], number>>> = { yaml: 14, xml: 15, csv: 4, xlsx: 20 };

const pretty = { pretty: true };

const COLUMNS = [...directoryTeams.properties.map(({ name }) => name), '-s1-member-type', 'timezone', 'last-modified'];

/** 10,000 records in each format: time, the longest block, and memory. */
export async function formatsBench(): Promise<Figure[]> {
  const rows = await shown();
  const figures: Figure[] = [];
  for (const format of formats) {
    figures.push(await speed(format, rows));
    figures.push(await block(format, rows));
    figures.push(await peak(format, rows));
  }
  return figures;
}

/** Records as an answer shows them. */
async function shown(): Promise<Row[]> {
  const [set] = await heldSets(directory, 1, RECORDS);
  return (set?.records ?? []).map(projector(directory.resource));
}

/** CPU, of all threads, to the text or bytes; of each the shortest run counts. */
async function speed(format: Format, rows: readonly Row[]): Promise<Figure> {
  const plain = rows.map((row) => Object.fromEntries(row));
  const baselines: number[] = [];
  const runs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    baselines.push(await cpuOf(() => JSON.stringify(plain)));
    runs.push(await cpuOf(() => rendered(format, rows)));
  }
  const bound = bounds[format.name];
  const name = `${format.name} to JSON.stringify, ${RECORDS} records`;
  const value = Math.min(...runs) / Math.min(...baselines);
  return { name, value, unit: '×', ...(bound !== undefined && { bound }) };
}

/** Runs a renderer to its end, and keeps nothing. */
async function rendered(format: Format, rows: readonly Row[]): Promise<number> {
  const output = await format.render(rendering(rows), pretty);
  if (output instanceof Uint8Array) return output.length;
  let length = 0;
  for (const piece of output) length += piece.length;
  return length;
}

/** The best of some rounds: what else the machine does only adds to a block. */
async function block(format: Format, rows: readonly Row[]): Promise<Figure> {
  const blocks: number[] = [];
  for (let round = 0; round < 3; round += 1) blocks.push(await longestBlock(() => whole(format, rows)));
  return { name: `${format.name}, longest block`, value: Math.min(...blocks), unit: 'ms', bound: 50 };
}

/** The most that is held beside the records while they are rendered: output so far, and what the renderer keeps. */
async function peak(format: Format, rows: readonly Row[]): Promise<Figure> {
  const before = bytesHeld();
  let most = 0;
  const look = (): number => (most = Math.max(most, bytesHeld() - before));
  const body = await whole(format, rows, look);
  look();
  return { name: `${format.name}, peak memory to the output`, value: most / body.length, unit: '×', bound: 6 };
}

/** Characters of text that are turned into bytes at a time, as the public port does. */
const SLICE = 256 * 1024;

/** The whole output in turns of the event loop. */
async function whole(format: Format, rows: readonly Row[], look?: () => unknown): Promise<Uint8Array> {
  const output = await format.render(rendering(rows, look), pretty);
  if (output instanceof Uint8Array) return output;
  const chunks: Buffer[] = [];
  let text = '';
  await inTurns(output, (piece) => {
    text += String(piece);
    if (text.length < SLICE) return;
    chunks.push(Buffer.from(text));
    text = '';
  });
  const body = Buffer.concat([...chunks, Buffer.from(text)]);
  look?.();
  return body;
}

function rendering(rows: readonly Row[], look?: () => unknown): Rendering {
  const about = new Map<string, Node>([['total', rows.length]]);
  return { document: lazily(rows, look), table: { name: 'teams', columns: COLUMNS, rows: lazily(rows, look), about } };
}

function* lazily(rows: readonly Row[], look?: () => unknown): Generator<Row, void, undefined> {
  for (const [at, row] of rows.entries()) {
    if (at % LOOK === 0) look?.();
    yield row;
  }
}
