import type { DraftRecord, RecordRow } from '../../../src/model/record.js';
import type { Resource } from '../../../src/model/resource.js';
import { RecordPacker } from '../../../src/records/packed-records.js';

/** The parts of a record that a test specifies. */
interface RecordInput extends Partial<RecordRow> {
  readonly id?: string;
}

/** Packs records as a snapshot stores them. */
export function packRecords(resource: Resource, all: readonly RecordInput[]): readonly DraftRecord[] {
  const packer = new RecordPacker(resource);
  for (const { id, values = [], extraProperties = [] } of all) packer.add({ values, extraProperties }, id);
  return packer.records;
}

/** Packs one record. */
export function packRecord(resource: Resource, input: RecordInput): DraftRecord {
  const [record] = packRecords(resource, [input]);
  if (record === undefined) throw new Error('nothing was packed');
  return record;
}
