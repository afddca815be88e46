import type { SerializedRecords } from '../cache/serialized-record-cache.js';
import type { ImmutableList, DocumentNode } from '../model/document-node.js';
import type { StoredRecord } from '../model/record.js';
import type { Projector } from './record-projector.js';

/** Each record is projected when it is read, so that a long list is never in memory as a whole. */
export class ProjectedRecords implements ImmutableList {
  constructor(
    private readonly records: readonly StoredRecord[],
    private readonly project: Projector,
    /** The cached texts of records in this projection, by serialisation. */
    private readonly getSerializedRecords: (serialization: string) => SerializedRecords,
  ) {}

  *[Symbol.iterator](): Generator<ReadonlyMap<string, DocumentNode>, void, undefined> {
    for (const record of this.records) yield this.project(record);
  }

  *serializeItems(
    serialization: string,
    write: (item: DocumentNode) => Iterable<string>,
  ): Generator<Uint8Array, void, undefined> {
    const texts = this.getSerializedRecords(serialization);
    for (const record of this.records) {
      const known = texts.get(record);
      if (known !== undefined) {
        yield known;
        continue;
      }
      const pieces: Uint8Array[] = [];
      for (const piece of write(this.project(record))) {
        const bytes = Buffer.from(piece);
        pieces.push(bytes);
        yield bytes;
      }
      texts.store(record, pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces));
    }
  }
}
