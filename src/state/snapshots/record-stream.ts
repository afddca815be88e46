import { createHash } from 'node:crypto';
import type { Scalar } from '../../model/property-value.js';
import type { DraftRecord, StoredRecord } from '../../model/record.js';
import type { Resource } from '../../model/resource.js';
import { RecordPacker, unpackRecords } from '../../records/packed-records.js';
import type { PackedSheet } from '../../records/packed-sheet.js';

/** Records that are packed in one step: about a millisecond of work. */
const RECORDS_PER_STEP = 128;

const LINE_FEED = 0x0a;

export interface RecordDigest {
  readonly bytes: number;
  /** SHA-256 of all bytes, in base64url. */
  readonly sha256: string;
}

export class RecordDigester {
  private readonly hash = createHash('sha256');
  private bytes = 0;

  add(chunk: Buffer): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
  }

  /** To be called once. */
  finish(): RecordDigest {
    return { bytes: this.bytes, sha256: this.hash.digest('base64url') };
  }
}

/** Serializes records step by step: a sheet a line, as JSON. Only the sheets of one step are in memory. */
export function* serializeRecords(resource: Resource, records: readonly StoredRecord[]): Generator<Buffer> {
  for (let from = 0; from < records.length; from += RECORDS_PER_STEP)
    yield Buffer.from(packLines(resource, records.slice(from, from + RECORDS_PER_STEP)));
}

function packLines(resource: Resource, records: readonly StoredRecord[]): string {
  const packer = new RecordPacker(resource);
  for (const record of records) packer.add(record, record.id);
  const ids = records.map(({ id }) => id);
  let first = 0;
  return packer.sheets
    .map((sheet) => {
      const rows = sheet.slotsOffset - 1;
      first += rows;
      return `${JSON.stringify(toJson(sheet, ids.slice(first - rows, first)))}\n`;
    })
    .join('');
}

function toJson({ cells, otherValues, ...sheet }: PackedSheet, ids: readonly string[]): object {
  const bytes = Buffer.from(cells.buffer, cells.byteOffset, cells.byteLength);
  return { ...sheet, ids, cells: bytes.toString('base64'), otherValues: [...otherValues] };
}

/**
 * Parses chunks of any size. Rejects where they are not what was written. The caller lets the event loop run between
 * them.
 */
export async function parseRecords(
  chunks: AsyncIterable<Buffer>,
  expected: RecordDigest,
): Promise<readonly StoredRecord[]> {
  const digester = new RecordDigester();
  const records: DraftRecord[] = [];
  let beginning: readonly Buffer[] = [];
  for await (const chunk of chunks) {
    digester.add(chunk);
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const { sheet, ids } = parseSheet(Buffer.concat([...beginning, chunk.subarray(from, end)]).toString());
      for (const record of unpackRecords([sheet], ids)) records.push(record);
      [beginning, from] = [[], end + 1];
    }
    beginning = [...beginning, chunk.subarray(from)];
  }
  const { bytes, sha256 } = digester.finish();
  if (bytes !== expected.bytes || sha256 !== expected.sha256)
    throw new Error(`the records are not those that were written (${bytes} of ${expected.bytes} bytes)`);
  return records;
}

function parseSheet(line: string): { readonly sheet: PackedSheet; readonly ids: readonly string[] } {
  const json: unknown = JSON.parse(line);
  const fields = new Map<string, unknown>(typeof json === 'object' && json !== null ? Object.entries(json) : []);
  const [text, cells, ids] = [fields.get('text'), fields.get('cells'), fields.get('ids')];
  const [extraNames, otherValues] = [fields.get('extraNames'), fields.get('otherValues')];
  const numbers = ['width', 'slotsOffset', 'endsOffset'].map((name) => fields.get(name));
  const [width, slotsOffset, endsOffset] = numbers.map((value) => (Number.isSafeInteger(value) ? Number(value) : NaN));
  const idPosition = fields.get('idPosition');
  const isSheet = typeof text === 'string' && typeof cells === 'string' && isTextList(extraNames) && isTextList(ids);
  if (!isSheet || !Array.isArray(otherValues) || !otherValues.every(isNumberedValue)) throw new Error('not a sheet');
  const sheet: PackedSheet = {
    text,
    cells: decodeCells(cells),
    extraNames,
    otherValues: new Map(otherValues),
    width: width ?? NaN,
    slotsOffset: slotsOffset ?? NaN,
    endsOffset: endsOffset ?? NaN,
    ...(typeof idPosition === 'number' && { idPosition }),
  };
  if (sheet.slotsOffset - 1 !== ids.length || !(sheet.endsOffset < sheet.cells.length)) throw new Error('not a sheet');
  return { sheet, ids };
}

/** Copies the bytes, because those of a small Buffer are a part of a shared one at any offset. */
function decodeCells(text: string): Int32Array<ArrayBuffer> {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  return new Int32Array(bytes.buffer, 0, Math.floor(bytes.length / Int32Array.BYTES_PER_ELEMENT));
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isNumberedValue(value: unknown): value is [number, Scalar] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'number' && isScalar(value[1]);
}

function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
