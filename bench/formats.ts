import type { DocumentNode } from '../src/model/document-node.js';
import { directoryTeams } from '../src/model/resources/directory-teams.js';
import { forEachTimeSliced } from '../src/event-loop/time-slicing.js';
import { formats } from '../src/render/formats.js';
import { createRenderInput } from '../src/render/render-input.js';
import type { RecordItem } from '../src/render/render-input.js';
import type { Format } from '../src/render/formats.js';
import { createProjector } from '../src/projection/record-projector.js';
import type { Figure } from './bounds.js';
import { withFleet } from './harness/source-fleet.js';
import { configOf, cachedRecordSets, openGateway } from './harness/in-process-gateway.js';
import { cpuOf, longestBlock } from './harness/measure.js';

const RECORDS = 10_000;

/** Rounds of measurement; the shortest run counts. */
const ROUNDS = 7;

type Row = ReadonlyMap<string, DocumentNode>;

const pretty = { pretty: true };

const COLUMNS = [...directoryTeams.properties.map(({ name }) => name), '-s1-member-type', 'timezone', 'last-modified'];

/** 10,000 records: CPU time in each format except JSON, relative to JSON.stringify, and the longest block in every format. */
export async function formatsBench(): Promise<Figure[]> {
  const rows = await projectRecords();
  const figures: Figure[] = [];
  for (const format of formats) {
    const { name } = format;
    // Their size does not depend on the number of records.
    if (name === 'geojson' || name === 'asc') continue;
    if (name !== 'json')
      figures.push({ name: `${name}, to JSON.stringify`, value: await relativeCpuTime(format, rows), bound: name });
    figures.push({
      name: `longest block, ${name}, ${RECORDS} records`,
      value: await longestRenderBlock(format, rows),
      bound: 'block',
    });
  }
  return figures;
}

/** Records as a response shows them. */
function projectRecords(): Promise<readonly Row[]> {
  return withFleet({ subject: 'directory', sources: 1, records: RECORDS }, async ({ ports }) => {
    const running = await openGateway(configOf('directory', ports));
    const sets = await cachedRecordSets(running, directoryTeams);
    await running.close();
    return sets.flatMap((set) => set.records.map(createProjector(directoryTeams, 'public')));
  });
}

function toItem(properties: Row, at: number): RecordItem {
  return { id: `s1.${at}`, title: `Team ${at}`, sourceName: 's1', address: undefined, properties };
}

/** CPU time of all threads until the text or bytes are produced, relative to JSON.stringify. The output is dropped. */
async function relativeCpuTime(format: Format, rows: readonly Row[]): Promise<number> {
  const plain = rows.map((row) => Object.fromEntries(row));
  const [baselines, runs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    baselines.push(await cpuOf(() => JSON.stringify(plain)));
    runs.push(await cpuOf(() => render(format, rows, () => undefined)));
  }
  return Math.min(...runs) / Math.min(...baselines);
}

/** Longest block in milliseconds: the best of three rounds, because other work of the machine only lengthens a block. */
async function longestRenderBlock(format: Format, rows: readonly Row[]): Promise<number> {
  const blocks: number[] = [];
  for (let round = 0; round < 3; round += 1) blocks.push(await longestBlock(() => renderComplete(format, rows)));
  return Math.min(...blocks);
}

/** Characters that are encoded at a time, as by the public port. */
const SLICE = 256 * 1024;

/** Renders the complete output in turns of the event loop, as the public port does. */
async function renderComplete(format: Format, rows: readonly Row[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let text = '';
  await render(format, rows, (piece) => {
    text += piece;
    if (text.length < SLICE) return;
    chunks.push(Buffer.from(text));
    text = '';
  });
  return Buffer.concat([...chunks, Buffer.from(text)]);
}

async function render(format: Format, rows: readonly Row[], visit: (piece: string) => void): Promise<void> {
  const about = new Map<string, DocumentNode>([['total', rows.length]]);
  const table = { name: 'teams', columns: COLUMNS, rows, metadata: about };
  const input = createRenderInput({ document: rows, table, items: rows.map(toItem) });
  const output = await format.render(input, pretty);
  if (!(output instanceof Uint8Array)) await forEachTimeSliced(output, (piece) => visit(String(piece)));
}
