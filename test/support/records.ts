import type { DraftRecord, RecordRow } from '../../src/model/record.js';
import type { Resource } from '../../src/model/resource.js';
import { RecordPacker } from '../../src/records/packed-records.js';

/** What a record says, as far as a test minds. */
interface Said extends Partial<RecordRow> {
  readonly id?: string;
}

/** Records as they are held. */
export function recordsOf(resource: Resource, all: readonly Said[]): readonly DraftRecord[] {
  const packer = new RecordPacker(resource);
  for (const { id, values = [], extraProperties: further = [] } of all)
    packer.add({ values, extraProperties: further }, id);
  return packer.records;
}

/** One of them. */
export function recordOf(resource: Resource, said: Said): DraftRecord {
  const [record] = recordsOf(resource, [said]);
  if (record === undefined) throw new Error('nothing was packed');
  return record;
}
