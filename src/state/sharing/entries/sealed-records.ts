import type { StoredRecord } from '../../../model/record.js';
import type { RecordSet } from '../../../records/record-set.js';
import { RecordDigester, parseRecords, serializeRecords } from '../../snapshots/record-stream.js';
import type { RecordDigest } from '../../snapshots/record-stream.js';
import type { EntrySealer } from '../../../lists/store/redis/entry-sealer.js';

const LENGTH_BYTES = 4;

/** In bytes. 128 records of the maximum size are below it. */
const MAX_CHUNK_BYTES = 64 * 2 ** 20;

/** Serialized records, sealed chunk by chunk (operation 2.5.4). */
export class SealedRecords {
  private readonly digester = new RecordDigester();

  constructor(
    private readonly sealer: EntrySealer,
    private readonly id: string,
  ) {}

  /** Serializes and seals step by step. The event loop runs where the caller lets it. */
  *seal({ resource, records }: RecordSet): Generator<Buffer> {
    let position = 0;
    for (const chunk of serializeRecords(resource, records)) {
      this.digester.add(chunk);
      const sealed = this.sealer.seal(this.purposeOf(position), chunk);
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32BE(sealed.length);
      yield Buffer.concat([length, sealed]);
      position += 1;
    }
  }

  /** To be called once, after the last record was sealed. */
  finish(): RecordDigest {
    return this.digester.finish();
  }

  /** Rejects where the records are not what was sealed. */
  open(chunks: AsyncIterable<Buffer>, expected: RecordDigest): Promise<readonly StoredRecord[]> {
    return parseRecords(this.openChunks(chunks), expected);
  }

  private async *openChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let position = 0;
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of chunks) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      for (;;) {
        const length = rest.length < LENGTH_BYTES ? Infinity : rest.readUInt32BE();
        if (length !== Infinity && length > MAX_CHUNK_BYTES) throw new Error('a chunk of records is too long');
        if (rest.length < LENGTH_BYTES + length) break;
        yield this.sealer.open(this.purposeOf(position), rest.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
        rest = rest.subarray(LENGTH_BYTES + length);
        position += 1;
      }
    }
    if (rest.length > 0) throw new Error('the records are incomplete');
  }

  private purposeOf(position: number): string {
    return `records ${this.id} ${position}`;
  }
}
