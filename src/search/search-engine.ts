import type { Publish } from '../events/event.js';
import type { CacheLevel } from '../cache/cache-level.js';
import { forEachTimeSliced } from '../event-loop/time-slicing.js';
import type { Clock } from '../model/clock.js';
import type { RecordSet, ReplacedRecords } from '../records/record-set.js';
import { raceAbort } from '../source/client/abortable-wait.js';
import { runWithTimeout } from '../source/client/timeout.js';
import type { Snapshot } from '../lists/snapshot.js';
import { getErrorMessage } from '../text/get-error-message.js';
import { isClosed } from '../workers/worker-thread.js';
import { IndexAssembly } from './index/index-thread.js';
import type { BuiltIndex, RecordChunk } from './index/index-thread.js';
import { collectTexts, createPropertyLister } from './index/field-texts.js';
import type { FieldTexts } from './index/field-texts.js';
import type { SearchResult, SearchTask } from './ranking/search-records.js';
import type { SearchThreads } from './search-threads.js';
import { SharedSearches } from './shared-searches.js';
import type { SearchOptions } from './shared-searches.js';

export interface IndexedSnapshot {
  readonly built: BuiltIndex;
  readonly snapshot: Snapshot;
}

export interface SearchedSnapshot {
  readonly snapshot: Snapshot;
  /** Has all records of the source, so that the index may answer in place of later ones. */
  readonly isComplete: boolean;
}

export interface CachedIndex {
  readonly built: BuiltIndex;
  /** Absent where the records are not complete. */
  readonly facts?: Omit<Snapshot, 'set'> | undefined;
  /** As long as anything else needs the records. */
  readonly set: WeakRef<RecordSet>;
  /** Present once the snapshot has been replaced: its records are kept until the next index replaces this one. */
  readonly replaced?: { readonly at: number; readonly set: RecordSet } | undefined;
}

/** In milliseconds since 1970, and the bytes that the records take. */
interface Replacement {
  readonly at: number;
  readonly bytes: number;
}

/** In progress, or waiting for its turn. */
interface IndexBuild {
  /** By a monotonic clock. */
  readonly requestedAt: number;
  readonly done: Promise<void>;
  wanted: SearchedSnapshot;
  /** The snapshot that is being indexed, and since when by the same clock; absent before its turn. */
  begun?: SearchedSnapshot & { readonly at: number };
}

export interface SearchEngineDependencies {
  /** Indexes count towards `cache.memory` with their bytes (decisions 7.16). */
  readonly cacheLevel: CacheLevel<CachedIndex>;
  /** Absent: indexes are built and searched in this thread. */
  readonly threads?: Pick<SearchThreads, 'buildIndex' | 'search'> | undefined;
  readonly clock: Clock;
  readonly publish: Publish;
  /** By the number of the source. */
  readonly codeOf: (source: number) => string;
}

/** Milliseconds until a list is indexed again whose index could not be built or cached. */
const PAUSE_AFTER_FAILURE = 60_000;

/**
 * Milliseconds for which searches wait for an index: where an earlier one can answer, and where none can. A list whose
 * last index took longer is not waited for.
 */
const MAX_WAIT = { withEarlier: 2_000, without: 5_000 };

/** Milliseconds for which an index answers after its records were replaced: the time limit of two indexes, and some. */
const MAX_EARLIER_AGE = 300_000;

/** Indexes and searches the record sets of one access level (decisions 2.40). */
export class SearchEngine {
  private readonly builds = new Map<string, IndexBuild>();
  /** Milliseconds for the last index of each list. */
  private readonly buildTimes = new Map<string, number>();
  /** The key under which each set was first indexed, because several lists may have the same records. */
  private readonly keys = new WeakMap<RecordSet, string>();
  private readonly replacements = new WeakMap<RecordSet, Replacement>();
  /** In milliseconds since 1970. */
  private readonly failedAt = new Map<string, number>();

  private readonly searches: SharedSearches;

  constructor(private readonly dependencies: SearchEngineDependencies) {
    this.searches = new SharedSearches(dependencies.threads, dependencies.publish);
  }

  /** Undefined where the thread exceeds a limit or ends, or nobody waits. Never rejects. */
  search(task: SearchTask, options: SearchOptions): Promise<SearchResult | undefined> {
    return this.searches.search(task, options);
  }

  /**
   * The index of its snapshot, which is built now if need be and shared with concurrent searches, or, while that takes
   * long, of an earlier snapshot. Undefined where there is neither in time. Never rejects.
   */
  async getIndex(list: string, searched: SearchedSnapshot, signal: AbortSignal): Promise<IndexedSnapshot | undefined> {
    const key = this.keyOf(list, searched);
    for (;;) {
      const present = this.findPresent(key, searched.snapshot);
      if (present !== undefined) return present;
      const build = this.requestBuild(key, searched);
      const isInTime = build !== undefined && (await this.waitForBuild(key, build, signal));
      const found = this.findPresent(key, searched.snapshot) ?? this.findEarlier(key);
      if (found !== undefined || !isInTime) return found;
    }
  }

  /** Ends when the index is there, or the signal is aborted. Never rejects. */
  async buildIndex(list: string, searched: SearchedSnapshot, signal: AbortSignal): Promise<void> {
    const key = this.keyOf(list, searched);
    while (!signal.aborted && this.findPresent(key, searched.snapshot) === undefined) {
      const build = this.requestBuild(key, searched);
      if (build === undefined) return;
      await raceAbort(build.done, signal, () => undefined);
    }
  }

  private keyOf(list: string, { snapshot: { set } }: SearchedSnapshot): string {
    const key = this.keys.get(set) ?? list;
    this.keys.set(set, key);
    return key;
  }

  /** Takes over the indexes of sources that keep their records. Each serves only the record set that it indexes. */
  continueFrom({ dependencies }: SearchEngine, keepsRecords: (sourceNumber: number) => boolean): void {
    for (const { key, value, bytes } of dependencies.cacheLevel.list()) {
      const set = value.replaced?.set ?? value.set.deref();
      if (set === undefined || !keepsRecords(set.sourceNumber)) continue;
      this.keys.set(set, key);
      this.dependencies.cacheLevel.put(key, value, bytes);
    }
  }

  /** The index of replaced records answers until the next one is built. */
  noteReplaced({ set, bytes }: ReplacedRecords): void {
    this.replacements.set(set, { at: this.dependencies.clock.now(), bytes });
    const key = this.keys.get(set);
    if (key !== undefined) this.markReplaced(key);
  }

  /** Any other index of replaced records is dropped. */
  private markReplaced(key: string): void {
    const { cacheLevel } = this.dependencies;
    const cached = cacheLevel.peek(key);
    const set = cached?.set.deref();
    const replacement = set && this.replacements.get(set);
    if (cached === undefined || set === undefined || replacement === undefined) return;
    const { at, bytes } = replacement;
    if (cached.facts === undefined) this.drop(key);
    else cacheLevel.put(key, { ...cached, replaced: { at, set } }, cached.built.index.byteLength + bytes);
  }

  /** The records of these indexes must not be shown again. */
  dropWhere(matches: (key: string) => boolean): void {
    for (const key of this.builds.keys()) if (matches(key)) this.builds.delete(key);
    this.dependencies.cacheLevel.removeWhere((_index, key) => matches(key));
  }

  private findPresent(key: string, snapshot: Snapshot): IndexedSnapshot | undefined {
    const { cacheLevel } = this.dependencies;
    const cached = cacheLevel.get(key);
    return cached?.set.deref() === snapshot.set ? { built: cached.built, snapshot } : undefined;
  }

  /** Of the records before, as long as the index may answer. */
  private findEarlier(key: string): IndexedSnapshot | undefined {
    const { built, facts, replaced } = this.dependencies.cacheLevel.get(key) ?? {};
    if (built === undefined || facts === undefined || replaced === undefined || !this.mayAnswer(replaced))
      return undefined;
    return { built, snapshot: { ...facts, set: replaced.set } };
  }

  private mayAnswer({ at }: Pick<Replacement, 'at'>): boolean {
    const age = this.dependencies.clock.now() - at;
    return age >= 0 && age < MAX_EARLIER_AGE;
  }

  private drop(dropped: string): void {
    this.dependencies.cacheLevel.removeWhere((_index, key) => key === dropped);
  }

  /** Waits as long as the age of a build allows. Returns whether it has ended. */
  private waitForBuild(key: string, { requestedAt, done }: IndexBuild, signal: AbortSignal): Promise<boolean> {
    const most = MAX_WAIT[this.findEarlier(key) === undefined ? 'without' : 'withEarlier'];
    const isSlow = (this.buildTimes.get(key) ?? 0) > most;
    const rest = isSlow ? 0 : Math.max(0, requestedAt + most - performance.now());
    return runWithTimeout(rest, signal, (timed) =>
      raceAbort(
        done.then(() => true),
        timed,
        () => false,
      ),
    );
  }

  /**
   * A list has one build at a time: one that has not begun indexes the snapshot that was requested last; one that has
   * begun is followed by a build of this one. Undefined where one failed a moment ago.
   */
  private requestBuild(key: string, wanted: SearchedSnapshot): IndexBuild | undefined {
    const known = this.builds.get(key);
    if (known !== undefined) {
      known.wanted = wanted;
      return known;
    }
    const now = this.dependencies.clock.now();
    const failedAt = this.failedAt.get(key) ?? -Infinity;
    if (now >= failedAt && now - failedAt < PAUSE_AFTER_FAILURE) return undefined;
    let finish: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const build: IndexBuild = { requestedAt: performance.now(), done, wanted };
    this.builds.set(key, build);
    void this.runBuild(key, build).finally(finish);
    return build;
  }

  private async runBuild(key: string, build: IndexBuild): Promise<void> {
    const { clock, threads, publish, codeOf } = this.dependencies;
    const listChunks = (): Iterable<RecordChunk> => {
      build.begun = { ...build.wanted, at: performance.now() };
      return listRecordChunks(build.begun.snapshot.set);
    };
    const isCurrent = (): boolean => this.builds.get(key) === build;
    try {
      const built = await (threads?.buildIndex(listChunks) ?? buildIndexHere(listChunks()));
      if (isCurrent()) this.keep(key, build, built);
      this.failedAt.delete(key);
    } catch (error) {
      this.failedAt.set(key, clock.now());
      const source = codeOf(build.wanted.snapshot.set.sourceNumber);
      if (!isClosed(error)) publish({ type: 'source not indexed', source, error: getErrorMessage(error) });
    }
    if (build.begun !== undefined) this.buildTimes.set(key, performance.now() - build.begun.at);
    if (!isCurrent()) return;
    this.builds.delete(key);
    if (build.wanted.snapshot.set !== build.begun?.snapshot.set) this.requestBuild(key, build.wanted);
  }

  /** Throws where the index does not fit. */
  private keep(key: string, { begun }: IndexBuild, built: BuiltIndex): void {
    if (begun === undefined) return;
    const { set, lists, ...rest } = begun.snapshot;
    // With times of now: a reload keeps the index, and must not keep what the lists belonged to.
    const facts = { ...rest, lists: lists.map(({ times }) => ({ times: { ...times, isRefreshing: false } })) };
    const { byteLength } = built.index;
    const { textBytes, longIds } = built;
    const { publish, codeOf } = this.dependencies;
    const source = codeOf(set.sourceNumber);
    publish({ type: 'source indexed', source, records: set.records.length, bytes: byteLength, textBytes });
    if (longIds.length > 0) publish({ type: 'records too long to be searched', source, records: longIds });
    const cached: CachedIndex = { built, set: new WeakRef(set), facts: begun.isComplete ? facts : undefined };
    if (!this.dependencies.cacheLevel.put(key, cached, byteLength)) {
      this.drop(key);
      throw new RangeError(`an index of ${byteLength} bytes does not fit into the cache`);
    }
    this.markReplaced(key);
  }
}

/** But for the last record of a chunk: some milliseconds of work. */
const MAX_CHUNK = { records: 128, characters: 2_097_152 };

function* listRecordChunks({ resource, records }: RecordSet): Generator<RecordChunk, void, undefined> {
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

async function buildIndexHere(chunks: Iterable<RecordChunk>): Promise<BuiltIndex> {
  const assembly = new IndexAssembly();
  await forEachTimeSliced(chunks, (chunk) => {
    assembly.add(chunk);
  });
  return assembly.finish();
}
