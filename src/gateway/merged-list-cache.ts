import type { CacheLevel } from '../cache/cache-level.js';
import type { Query } from '../model/query.js';
import type { StoredRecord } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import type { RecordSet } from '../records/record-set.js';
import { MergedList } from './merged-list.js';

/** The merged sets that are held, by canonical query. */
export class MergedListCache {
  constructor(private readonly cacheLevel: CacheLevel<MergedList>) {}

  /** The merged set that is held of a query with this key. */
  get(key: Query['canonicalKey']): MergedList | undefined {
    return this.cacheLevel.get(key);
  }

  /** The merged set of a query over exactly these sets: the one that is held, or a new one, which whoever asks meanwhile shares. */
  getOrCreate(query: Query, sets: readonly RecordSet[]): MergedList {
    const held = this.cacheLevel.get(query.canonicalKey);
    if (held?.isBuiltFrom(sets) === true) return held;
    const made = new MergedList(query, sets, query.limit === 0 ? 0 : query.offset + query.limit);
    this.cacheLevel.put(query.canonicalKey, made, made.weight);
    // What could not be made is tried anew by the next who asks.
    made.total().catch(() => {
      this.cacheLevel.removeWhere((one) => one === made);
    });
    return made;
  }

  /** The page of a query, cut from its set; reading it may make the set larger. */
  async readPage({ canonicalKey: key, offset, limit }: Query, set: MergedList): Promise<readonly StoredRecord[]> {
    const before = set.weight;
    const records = await set.page(offset, limit);
    if (set.weight !== before && this.cacheLevel.get(key) === set) this.cacheLevel.put(key, set, set.weight);
    return records;
  }

  /** Lets go of every set that a changed resource of a source takes part in: nobody will ask for it again. */
  dropSource(sourceNumber: number, path: Resource['path']): void {
    this.cacheLevel.removeWhere(({ sets }) =>
      sets.some((set) => set.sourceNumber === sourceNumber && set.resource.path === path),
    );
  }
}
