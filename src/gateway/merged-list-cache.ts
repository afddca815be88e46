import type { CacheLevel } from '../cache/cache-level.js';
import type { Query } from '../model/query.js';
import type { StoredRecord } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import type { RecordSet } from '../records/record-set.js';
import { MergedList } from './merged-list.js';

/** Caches merged lists by canonical query (decisions 5.20). */
export class MergedListCache {
  constructor(private readonly cacheLevel: CacheLevel<MergedList>) {}

  /** Returns the cached merged list of a canonical query. */
  get(key: Query['canonicalKey']): MergedList | undefined {
    return this.cacheLevel.get(key);
  }

  /**
   * Returns the merged list of a query over exactly these record sets: the cached one, or a new one that concurrent
   * requests share.
   */
  getOrCreate(query: Query, sets: readonly RecordSet[]): MergedList {
    const held = this.cacheLevel.get(query.canonicalKey);
    if (held?.isBuiltFrom(sets) === true) return held;
    const made = new MergedList(query, sets, query.limit === 0 ? 0 : query.offset + query.limit);
    this.cacheLevel.put(query.canonicalKey, made, made.weight);
    // A list that failed is removed, so that the next request builds it again.
    made.total().catch(() => {
      this.cacheLevel.removeWhere((one) => one === made);
    });
    return made;
  }

  /**
   * Returns the page of a query from its merged list. Reading may make the list larger, so its size in the cache is
   * updated.
   */
  async readPage({ canonicalKey: key, offset, limit }: Query, set: MergedList): Promise<readonly StoredRecord[]> {
    const before = set.weight;
    const records = await set.page(offset, limit);
    if (set.weight !== before && this.cacheLevel.get(key) === set) this.cacheLevel.put(key, set, set.weight);
    return records;
  }

  /**
   * Removes every merged list that a resource of a source takes part in: its records have changed, so the list is not
   * used again.
   */
  dropSource(sourceNumber: number, path: Resource['path']): void {
    this.cacheLevel.removeWhere(({ sets }) =>
      sets.some((set) => set.sourceNumber === sourceNumber && set.resource.path === path),
    );
  }
}
