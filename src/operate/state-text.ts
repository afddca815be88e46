import { inSlices } from '../model/slices.js';
import type { Remembered } from '../source/snapshot/memory.js';

/** What stands in a state file (operation.md, `cache.state`). */
export interface State {
  /** Tells the configuration from those that answer otherwise. */
  readonly configuration: string;
  /** Whether it was the last that its process wrote, as it stopped: all that was shown is in it. */
  readonly settled: boolean;
  /** Whether copies were shown that are not in it. */
  readonly forgotten: boolean;
  /** By the keys of held copies; single items never are among them. */
  readonly copies: ReadonlyMap<string, Remembered>;
  /** How many records were last believed to be somewhere (`Memory.setRecords`). */
  readonly records: ReadonlyMap<string, number>;
}

const FORMAT = 'rollcall-state';
const VERSION = 1;

/** Entries that are written in one slice. */
const SLICE = 2_000;

/** The text of a state, as JSON. */
export async function writeState({ copies, records, configuration, settled, forgotten }: State): Promise<string> {
  const head = JSON.stringify({ format: FORMAT, version: VERSION, configuration, settled, forgotten });
  return `${head.slice(0, -1)},"copies":${await written(copies)},"records":${await written(records)}}\n`;
}

async function written(entries: ReadonlyMap<string, unknown>): Promise<string> {
  const all = [...entries];
  const pieces: string[] = [];
  await inSlices(all.length, SLICE, (from, to) => {
    for (const [key, entry] of all.slice(from, to))
      pieces.push(`${JSON.stringify(key)}:${JSON.stringify(entry, plainly)}`);
  });
  return `{${pieces.join(',\n')}}`;
}

/** JSON has no infinities. */
function plainly(_key: string, value: unknown): unknown {
  return value === Infinity || value === -Infinity ? String(value) : value;
}

/** The state in a text. Throws an error that tells what is wrong with it. */
export function readState(text: string): State {
  const state = fieldsOf(JSON.parse(text), 'it');
  const { format, version, configuration, settled, forgotten } = state;
  if (format !== FORMAT) throw new Error('it is no state of Rollcall');
  if (version !== VERSION) throw new Error(`it is of version ${String(version)}, and not ${VERSION}`);
  if (typeof configuration !== 'string' || typeof settled !== 'boolean' || typeof forgotten !== 'boolean')
    throw new Error('its head is not as it should be');
  const copies = Object.entries(fieldsOf(state['copies'], 'copies'));
  const records = Object.entries(fieldsOf(state['records'], 'records'));
  return {
    configuration,
    settled,
    forgotten,
    copies: new Map(copies.map(([key, entry]) => [key, readEntry(fieldsOf(entry, key), key)])),
    records: new Map(records.map(([key, count]) => [key, numberOf(count, key)])),
  };
}

function readEntry(entry: Readonly<Record<string, unknown>>, key: string): Remembered {
  const { fingerprint, floor } = entry;
  if (fingerprint !== undefined && typeof fingerprint !== 'string') throw new Error(`${key} has no fingerprint`);
  return {
    since: numberOf(entry['since'], key),
    lastModified: numberOf(entry['lastModified'], key),
    newest: numberOf(entry['newest'], key),
    ...(floor !== undefined && { floor: numberOf(floor, key) }),
    ...(fingerprint !== undefined && { fingerprint }),
  };
}

function numberOf(value: unknown, key: string): number {
  if (value === 'Infinity' || value === '-Infinity') return Number(value);
  if (typeof value !== 'number') throw new Error(`${key} has a number that is none`);
  return value;
}

function fieldsOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${name} is no JSON object`);
  return Object.fromEntries(Object.entries(value));
}
