import type { CacheLevel } from '../cache/cache-level.js';
import { forEachTimeSliced } from '../event-loop/time-slicing.js';
import type { AccessKey } from '../model/access-level.js';
import type { Clock } from '../model/clock.js';
import type { RecordSet } from '../records/record-set.js';
import { TaskAbortedError } from '../workers/worker-thread.js';
import { IndexAssembly } from './index/index-thread.js';
import type { BuiltIndex, RecordChunk } from './index/index-thread.js';
import { collectTexts, createPropertyLister } from './index/field-texts.js';
import type { FieldTexts } from './index/field-texts.js';
import { searchRecords } from './ranking/search-records.js';
import type { SearchResult, SearchTask } from './ranking/search-records.js';
import type { SearchThreads } from './search-threads.js';

/** An index in the cache. */
export interface CachedIndex {
  readonly built: BuiltIndex;
  /** The records that it indexes, as long as anything else needs them. */
  readonly set: WeakRef<RecordSet>;
}

/** Size of an index. */
export interface IndexSize {
  readonly records: number;
  readonly bytes: number;
  /** Bytes of the texts that it indexes, in UTF-8. */
  readonly textBytes: number;
  /** Ids of some records that are too long to be searched as a whole. */
  readonly longIds: readonly string[];
}

/** Dependencies of {@link SearchEngine}. */
export interface SearchEngineDependencies {
  /** Keeps the indexes. They count towards `cache.memory` with their bytes (decisions 7.16). */
  readonly cacheLevel: CacheLevel<CachedIndex>;
  /** Absent: indexes are built and searched in this thread. */
  readonly threads?: Pick<SearchThreads, 'buildIndex' | 'search'> | undefined;
  readonly clock: Clock;
  /** Called with the number of the source and the size of an index that was built. */
  readonly onIndexed: (sourceNumber: number, size: IndexSize) => void;
  /** Called with the number of the source and the error of an index that could not be built. */
  readonly onIndexFailure: (sourceNumber: number, error: unknown) => void;
  /** Called with the error of a search that failed. */
  readonly onSearchFailure: (error: unknown) => void;
}

/** Milliseconds after which an index is built again that could not be built, or did not fit into the cache. */
const PAUSE_AFTER_FAILURE = 60_000;

/** Indexes the record sets of one access level, and searches them (decisions 2.40). */
export class SearchEngine {
  /** Indexes that are being built. */
  private readonly building = new WeakMap<RecordSet, Promise<BuiltIndex | undefined>>();
  /** The set that is being indexed for each key. */
  private readonly latest = new Map<AccessKey, RecordSet>();
  /** The key of each set: the one under which it was first indexed, because several lists may have the same records. */
  private readonly keys = new WeakMap<RecordSet, AccessKey>();
  /** When the index of a set could last not be built, in milliseconds since 1970. */
  private readonly failedAt = new WeakMap<RecordSet, number>();

  constructor(private readonly dependencies: SearchEngineDependencies) {}

  /**
   * Returns the index of a record set: the cached one, or one that is built now and shared with concurrent searches.
   * Undefined where it cannot be built, or does not fit into the cache. `list` names the list; the index of an earlier set of
   * the same list is replaced. Never rejects.
   */
  getIndex(list: AccessKey, set: RecordSet): Promise<BuiltIndex | undefined> {
    const { cacheLevel, clock } = this.dependencies;
    const key = this.keys.get(set) ?? list;
    this.keys.set(set, key);
    const cached = cacheLevel.get(key);
    if (cached?.set.deref() === set) return Promise.resolve(cached.built);
    const now = clock.now();
    const failedAt = this.failedAt.get(set) ?? -Infinity;
    if (now >= failedAt && now - failedAt < PAUSE_AFTER_FAILURE) return Promise.resolve(undefined);
    const building = this.building.get(set) ?? this.buildAndCache(key, set);
    this.building.set(set, building);
    return building;
  }

  /**
   * Searches indexed records. Undefined where the thread exceeds a limit or ends, or the signal is aborted. Never rejects.
   */
  async search(task: SearchTask, signal?: AbortSignal): Promise<SearchResult | undefined> {
    const { threads, onSearchFailure } = this.dependencies;
    try {
      return threads === undefined || task.sources.length === 0
        ? searchRecords(task)
        : await threads.search(task, signal);
    } catch (error) {
      if (!isClosed(error) && signal?.aborted !== true) onSearchFailure(error);
      return undefined;
    }
  }

  /**
   * Takes over the indexes that an earlier configuration built of sources that keep their records. Each serves only the record
   * set that it indexes.
   */
  continueFrom({ dependencies }: SearchEngine, keepsRecords: (sourceNumber: number) => boolean): void {
    for (const { key, value, bytes } of dependencies.cacheLevel.list()) {
      const set = value.set.deref();
      if (set === undefined || !keepsRecords(set.sourceNumber)) continue;
      this.keys.set(set, key);
      this.dependencies.cacheLevel.put(key, value, bytes);
    }
  }

  /** Removes the indexes whose keys meet a condition: their records are no longer used. */
  dropWhere(matches: (key: AccessKey) => boolean): void {
    for (const key of this.latest.keys()) if (matches(key)) this.latest.delete(key);
    this.dependencies.cacheLevel.removeWhere((_index, key) => matches(key));
  }

  private async buildAndCache(key: AccessKey, set: RecordSet): Promise<BuiltIndex | undefined> {
    const { cacheLevel, clock, threads, onIndexed, onIndexFailure } = this.dependencies;
    this.latest.set(key, set);
    try {
      const built = await (threads?.buildIndex(listChunks(set)) ?? buildIndexHere(set));
      const { byteLength } = built.index;
      const { textBytes, longIds } = built;
      onIndexed(set.sourceNumber, { records: set.records.length, bytes: byteLength, textBytes, longIds });
      // The records were replaced while they were indexed: only the searches that wait for the index still need it.
      if (this.latest.get(key) !== set) return built;
      if (cacheLevel.put(key, { built, set: new WeakRef(set) }, byteLength)) return built;
      throw new RangeError(`an index of ${byteLength} bytes does not fit into the cache`);
    } catch (error) {
      this.failedAt.set(set, clock.now());
      if (!isClosed(error)) onIndexFailure(set.sourceNumber, error);
      return undefined;
    } finally {
      this.building.delete(set);
      if (this.latest.get(key) === set) this.latest.delete(key);
    }
  }
}

/** Whether the work was given up because the threads of a replaced configuration, or of the process, are closed. */
function isClosed(error: unknown): boolean {
  return error instanceof TaskAbortedError && error.reason === 'closed';
}

/** Maximum number of records and of characters of one chunk, but for its last record: some milliseconds of work. */
const MAX_CHUNK = { records: 128, characters: 2_097_152 };

function* listChunks({ resource, records }: RecordSet): Generator<RecordChunk, void, undefined> {
  const listProperties = createPropertyLister(resource);
  let [chunk, characters] = [startChunk(), 0];
  for (const record of records) {
    const properties = listProperties(record);
    const texts = collectTexts(properties);
    chunk.ids.push(record.id);
    chunk.texts.push(texts);
    if (properties.some(({ isCut }) => isCut === true)) chunk.longIds.push(record.id);
    characters += texts.reduce((sum, { length }) => sum + length, 0);
    if (chunk.ids.length < MAX_CHUNK.records && characters < MAX_CHUNK.characters) continue;
    yield chunk;
    [chunk, characters] = [startChunk(), 0];
  }
  if (chunk.ids.length > 0) yield chunk;
}

function startChunk(): { ids: string[]; texts: FieldTexts[]; longIds: string[] } {
  return { ids: [], texts: [], longIds: [] };
}

async function buildIndexHere(set: RecordSet): Promise<BuiltIndex> {
  const assembly = new IndexAssembly();
  await forEachTimeSliced(listChunks(set), (chunk) => {
    assembly.add(chunk);
  });
  return assembly.finish();
}
