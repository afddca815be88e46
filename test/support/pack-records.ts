import type { DraftRecord, RecordRow } from '../../src/model/record.js';
import type { Resource } from '../../src/model/resource.js';
import { RecordPacker } from '../../src/records/packed-records.js';

/** What a record says, as far as a test minds. */
interface RecordInput extends Partial<RecordRow> {
  readonly id?: string;
}

/** Records as they are held. */
export function packRecords(resource: Resource, all: readonly RecordInput[]): readonly DraftRecord[] {
  const packer = new RecordPacker(resource);
  for (const { id, values = [], extraProperties: further = [] } of all)
    packer.add({ values, extraProperties: further }, id);
  return packer.records;
}

/** One of them. */
export function packRecord(resource: Resource, said: RecordInput): DraftRecord {
  const [record] = packRecords(resource, [said]);
  if (record === undefined) throw new Error('nothing was packed');
  return record;
}
