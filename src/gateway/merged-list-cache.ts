import type { CacheLevel } from '../cache/cache-level.js';
import type { Query } from '../model/query.js';
import type { StoredRecord } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import type { RecordSet } from '../records/record-set.js';
import { MergedList } from './merged-list.js';

/** By canonical query (decisions 5.20). */
export class MergedListCache {
  constructor(private readonly cacheLevel: CacheLevel<MergedList>) {}

  get(key: Query['canonicalKey']): MergedList | undefined {
    return this.cacheLevel.get(key);
  }

  /** The cached list over exactly these record sets, or a new one that concurrent requests share. */
  getOrCreate(query: Query, sets: readonly RecordSet[]): MergedList {
    const cached = this.cacheLevel.get(query.canonicalKey);
    if (cached?.isBuiltFrom(sets) === true) return cached;
    const created = new MergedList(query, sets, query.limit === 0 ? 0 : query.offset + query.limit);
    this.cacheLevel.put(query.canonicalKey, created, created.weight);
    // A list that failed is removed, so that the next request builds it again.
    created.total().catch(() => {
      this.cacheLevel.removeWhere((one) => one === created);
    });
    return created;
  }

  /** Reading may make the list larger, so its size in the cache is updated. */
  async readPage({ canonicalKey: key, offset, limit }: Query, list: MergedList): Promise<readonly StoredRecord[]> {
    const before = list.weight;
    const records = await list.page(offset, limit);
    if (list.weight !== before && this.cacheLevel.get(key) === list) this.cacheLevel.put(key, list, list.weight);
    return records;
  }

  /** Removes every list with records of a resource of a source, because these have changed. */
  dropSource(sourceNumber: number, path: Resource['path']): void {
    this.cacheLevel.removeWhere(({ sets }) =>
      sets.some((set) => set.sourceNumber === sourceNumber && set.resource.path === path),
    );
  }
}
