import type { RecordSet } from '../../../records/record-set.js';
import type { ChunkedRecords } from './sealed-list.js';

/** Records that are in this process and in Redis. They are not transferred again when their source confirms them. */
export class KnownRecords {
  private readonly sets = new Map<string, WeakRef<RecordSet>>();
  private readonly chunks = new WeakMap<RecordSet, ChunkedRecords & { readonly name: string }>();
  private readonly unused = new FinalizationRegistry<string>((id) => this.sets.delete(id));

  add(name: string, set: RecordSet, { id, count }: ChunkedRecords): void {
    this.chunks.set(set, { name, id, count });
    this.sets.set(id, new WeakRef(set));
    this.unused.register(set, id);
  }

  findSet({ id }: ChunkedRecords): RecordSet | undefined {
    return this.sets.get(id)?.deref();
  }

  /** Under one name, because a copy of another name may keep them for a shorter time. */
  findChunks(name: string, set: RecordSet): ChunkedRecords | undefined {
    const found = this.chunks.get(set);
    return found?.name === name ? found : undefined;
  }
}
