import type { FileHandle } from 'node:fs/promises';
import type { StoredRecord } from '../../model/record.js';
import type { Resource } from '../../model/resource.js';
import { openRegularFile } from '../regular-file.js';
import { RecordDigester, parseRecords, serializeRecords } from './record-stream.js';
import type { RecordDigest } from './record-stream.js';

/** Bytes that are read, hashed and parsed in one step: some milliseconds of work. */
const CHUNK_BYTES = 512 * 1024;

/** The event loop runs between the steps. */
export async function writeRecords(
  file: FileHandle,
  resource: Resource,
  records: readonly StoredRecord[],
): Promise<RecordDigest> {
  const digester = new RecordDigester();
  for (const lines of serializeRecords(resource, records)) {
    digester.add(lines);
    await file.writeFile(lines);
  }
  return digester.finish();
}

/** Rejects where the content is not what was written. */
export async function readRecords(path: string, expected: RecordDigest): Promise<readonly StoredRecord[]> {
  const file = await openRegularFile(path);
  return parseRecords(file.createReadStream({ highWaterMark: CHUNK_BYTES }), expected);
}
