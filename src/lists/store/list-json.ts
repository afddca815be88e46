import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import type { RecordRow, StoredRecord } from '../../model/record.js';
import type { Resource } from '../../model/resource.js';
import { RecordPacker } from '../../records/packed-records.js';
import type { RecordSet } from '../../records/record-set.js';

type RowValue = RecordRow['values'][number] | null;
type Row = readonly [id: string, values: readonly RowValue[], extraProperties: RecordRow['extraProperties']];

/** As `JSON.stringify` takes it: values that JSON does not have. */
export function encodeValue(this: object, key: string, value: unknown): unknown {
  const original: unknown = Reflect.get(this, key);
  if (original instanceof URL) return { $url: value };
  if (original instanceof Map) return { $map: Object.fromEntries(original) as unknown };
  return original === Infinity ? { $number: 'Infinity' } : value;
}

/** As `JSON.parse` takes it. */
export function decodeValue(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('$url' in value) return new URL(String(value.$url));
  if ('$map' in value && typeof value.$map === 'object') return new Map(Object.entries(value.$map ?? {}));
  return '$number' in value ? Number(value.$number) : value;
}

/** A line a record, in buffers of about so many bytes; an empty one without records. */
export function* formatRows(records: readonly StoredRecord[], bytes: number): Generator<Buffer> {
  let text = '';
  for (const { id, values, extraProperties } of records) {
    text += `${JSON.stringify([id, values, extraProperties])}\n`;
    if (text.length < bytes) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

/** What is stored of a set besides its records. */
export type SetFacts = Pick<RecordSet, 'readAt' | 'contestedIds' | 'unfetchedCount' | 'isTruncated'>;

export function factsOf({ readAt, contestedIds, unfetchedCount, isTruncated }: SetFacts): SetFacts {
  return { readAt, contestedIds, unfetchedCount, isTruncated };
}

/** Whole lines, in steps of a few milliseconds. Rejects where one is not a record. */
export async function readRows(resource: Resource, rows: Buffer): Promise<readonly StoredRecord[]> {
  const packer = new RecordPacker(resource);
  await forEachTimeSliced(rows.toString().split('\n').slice(0, -1), (line) => addRow(packer, line));
  return packer.records;
}

function addRow(packer: RecordPacker, line: string): void {
  const row: unknown = JSON.parse(line);
  if (!isRow(row)) throw new Error('a line is not a record');
  const [id, values, extraProperties] = row;
  packer.add({ values: values.map((value) => value ?? undefined), extraProperties }, id);
}

function isRow(json: unknown): json is Row {
  return Array.isArray(json) && typeof json[0] === 'string' && Array.isArray(json[1]) && Array.isArray(json[2]);
}
