import type { KnownNumbers } from '../config/source-number-changes.js';
import { forEachSlice } from '../event-loop/time-slicing.js';
import type { StoredRevision } from '../source/snapshot/history-store.js';

/** (decisions 7.9) */
export interface StateFileContent {
  readonly configuration: string;
  /** Written when its process stopped, so that it covers everything that was served. */
  readonly settled: boolean;
  /** Snapshots were served that the file does not contain. */
  readonly forgotten: boolean;
  /** In milliseconds since 1970 (`SnapshotHistoryStore.replacedAt`). */
  readonly replacedAt?: number | undefined;
  /** By the keys of snapshots; single items are not stored. */
  readonly copies: ReadonlyMap<string, StoredRevision>;
  /** By code. */
  readonly numbers: KnownNumbers;
  /** By key (`SnapshotHistoryStore.setRecordCount`). */
  readonly records: ReadonlyMap<string, number>;
}

const FORMAT = 'rollcall-state';
const VERSION = 1;

const ENTRIES_PER_SLICE = 2_000;

export async function serializeState({
  copies,
  records,
  configuration,
  settled,
  forgotten,
  replacedAt,
  numbers,
}: StateFileContent): Promise<string> {
  const facts = { configuration, settled, forgotten, replacedAt, numbers: Object.fromEntries(numbers) };
  const head = JSON.stringify({ format: FORMAT, version: VERSION, ...facts });
  return `${head.slice(0, -1)},"copies":${await serializeEntries(copies)},"records":${await serializeEntries(records)}}\n`;
}

async function serializeEntries(entries: ReadonlyMap<string, unknown>): Promise<string> {
  const list = [...entries];
  const pieces: string[] = [];
  await forEachSlice(list.length, ENTRIES_PER_SLICE, (from, to) => {
    for (const [key, entry] of list.slice(from, to))
      pieces.push(`${JSON.stringify(key)}:${JSON.stringify(entry, encodeInfinity)}`);
  });
  return `{${pieces.join(',\n')}}`;
}

function encodeInfinity(_key: string, value: unknown): unknown {
  return value === Infinity || value === -Infinity ? String(value) : value;
}

/** Throws an error that describes what is invalid. */
export function parseState(text: string): StateFileContent {
  const state = parseObject(JSON.parse(text), 'the file');
  const { format, version, configuration, settled, forgotten, replacedAt } = state;
  if (format !== FORMAT) throw new Error('not a Rollcall state file');
  if (version !== VERSION)
    throw new Error(`version ${String(version)} is not supported; the supported version is ${VERSION}`);
  if (typeof configuration !== 'string' || typeof settled !== 'boolean' || typeof forgotten !== 'boolean')
    throw new Error('invalid header');
  const copies = Object.entries(parseObject(state['copies'], 'copies'));
  const records = Object.entries(parseObject(state['records'], 'records'));
  // Earlier builds wrote no numbers.
  const numbers = Object.entries(parseObject(state['numbers'] ?? {}, 'numbers'));
  return {
    configuration,
    settled,
    forgotten,
    ...(replacedAt !== undefined && { replacedAt: parseStateNumber(replacedAt, 'replacedAt') }),
    numbers: new Map(numbers.map(([code, number]) => [code, parseStateNumber(number, code)])),
    copies: new Map(copies.map(([key, entry]) => [key, parseSnapshotEntry(parseObject(entry, key), key)])),
    records: new Map(records.map(([key, count]) => [key, parseStateNumber(count, key)])),
  };
}

function parseSnapshotEntry(entry: Readonly<Record<string, unknown>>, key: string): StoredRevision {
  const { fingerprint, floor } = entry;
  if (fingerprint !== undefined && typeof fingerprint !== 'string') throw new Error(`${key} has no fingerprint`);
  return {
    since: parseStateNumber(entry['since'], key),
    lastModified: parseStateNumber(entry['lastModified'], key),
    newest: parseStateNumber(entry['newest'], key),
    ...(floor !== undefined && { floor: parseStateNumber(floor, key) }),
    ...(fingerprint !== undefined && { fingerprint }),
  };
}

function parseStateNumber(value: unknown, key: string): number {
  if (value === 'Infinity' || value === '-Infinity') return Number(value);
  if (typeof value !== 'number') throw new Error(`${key} has an invalid number`);
  return value;
}

function parseObject(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${name} is not a JSON object`);
  return Object.fromEntries(Object.entries(value));
}
