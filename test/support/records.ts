import type { Draft, Row } from '../../src/model/record.js';
import type { Resource } from '../../src/model/resource.js';
import { Packer } from '../../src/records/packed.js';

/** What a record says, as far as a test minds. */
interface Said extends Partial<Row> {
  readonly id?: string;
}

/** Records as they are held. */
export function recordsOf(resource: Resource, all: readonly Said[]): readonly Draft[] {
  const packer = new Packer(resource);
  for (const { id, values = [], further = [] } of all) packer.add({ values, further }, id);
  return packer.records;
}

/** One of them. */
export function recordOf(resource: Resource, said: Said): Draft {
  const [record] = recordsOf(resource, [said]);
  if (record === undefined) throw new Error('nothing was packed');
  return record;
}
