import { createHash } from 'node:crypto';
import type { StoredRecord } from '../model/record.js';
import { forEachTimeSliced } from '../event-loop/time-slicing.js';
import { findPropertyKind } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import { parseDate } from '../text/date.js';
import { foldText } from '../text/text-folding.js';
import { hashText } from '../text/fnv-hash.js';
import {
  filterCountryCodes,
  createOrderColumn,
  setSortKey,
  listComparedItems,
  createPropertyReader,
  createSearchTextReader,
  createTextReader,
} from './sort-and-search-columns.js';
import type { HashedItems, OrderColumn } from './sort-and-search-columns.js';

/** Ids of records of one source with the same slug, by the id that each would have alone (decisions 4.18). */
export type ContestedIds = ReadonlyMap<string, readonly string[]>;

const NO_CONTESTED_IDS: ContestedIds = new Map();

/** The least recently used is evicted: clients choose the properties of the keys, and could name any number. */
const MAX_BOUNDED_RESULTS = 8;

export interface RecordOrigin {
  /** Breaks ties between sources (decisions 2.23). */
  readonly sourceNumber: number;
}

/** Records that others have replaced, and their bytes. */
export interface ReplacedRecords {
  readonly set: RecordSet;
  readonly bytes: number;
}

/**
 * The records of one source in memory. Folded text, sort keys and dates are computed at the first use, in slices, and
 * cached; concurrent queries share the computation.
 */
export class RecordSet implements RecordOrigin {
  readonly sourceNumber: number;
  /** Matches that the source counts after these records in the requested order (decisions 5.15). 0: complete. */
  readonly unfetchedCount: number;
  /** The source does not return records after these, because of its news window (decisions 5.9). */
  readonly isTruncated: boolean;
  /** Assigned by comparing the records of this set. Another set may assign them differently. */
  readonly contestedIds: ContestedIds;
  /**
   * In milliseconds since 1970. Later dates are no evidence of a change (decisions 4.4, 7.8), and it stays the same
   * when such a date passes.
   */
  readonly readAt: number;
  private readonly results = new Map<string, CachedResult>();
  private readonly boundedResults = new Map<string, CachedResult>();
  private useCount = 0;

  constructor(
    readonly resource: Resource,
    { sourceNumber }: RecordOrigin,
    readonly records: readonly StoredRecord[],
    {
      unfetchedCount = 0,
      isTruncated = false,
      contestedIds = NO_CONTESTED_IDS,
      readAt = Infinity,
    }: Partial<Pick<RecordSet, 'unfetchedCount' | 'isTruncated' | 'contestedIds' | 'readAt'>> = {},
  ) {
    this.sourceNumber = sourceNumber;
    this.unfetchedCount = unfetchedCount;
    this.isTruncated = isTruncated;
    this.contestedIds = contestedIds;
    this.readAt = readAt;
  }

  get hasMore(): boolean {
    return this.unfetchedCount > 0 && !this.isTruncated;
  }

  /** Includes matches at the source that were not fetched. */
  get totalCount(): number {
    return this.records.length + this.unfetchedCount;
  }

  hashedItems(property: string): Promise<HashedItems> {
    return this.computeOnceBounded(`items ${property}`, async () => {
      const read = createPropertyReader(this.resource, property);
      const [hashes, owners]: [number[], number[]] = [[], []];
      await this.forEachRecord((record, at) => {
        for (const item of listComparedItems(read(record))) {
          hashes.push(hashText(foldText(item)));
          owners.push(at);
        }
      });
      return { hashes: Int32Array.from(hashes), recordPositions: Uint32Array.from(owners) };
    });
  }

  /** Folded text of each record as `q` searches it. */
  searchTexts(): Promise<readonly string[]> {
    return this.computeOnce('search', () => this.mapRecords(createSearchTextReader(this.resource)));
  }

  /** Folded text of some properties together, by record. */
  propertyTexts(properties: readonly string[]): Promise<readonly string[]> {
    return this.computeOnceBounded(`text ${properties.join()}`, () =>
      this.mapRecords(createTextReader(this.resource, properties)),
    );
  }

  /** Ascending positions of the records of each country (alpha-2) in a property. */
  positionsByCountry(property: string): Promise<ReadonlyMap<string, readonly number[]>> {
    return this.computeOnceBounded(`countries ${property}`, async () => {
      const positions = new Map<string, number[]>();
      const read = createPropertyReader(this.resource, property);
      await this.forEachRecord((record, at) => {
        for (const code of filterCountryCodes(read(record))) addPosition(positions, code, at);
      });
      return positions;
    });
  }

  orderColumn(property: string): Promise<OrderColumn> {
    return this.computeOnceBounded(`order ${property}`, async () => {
      const read = createPropertyReader(this.resource, property);
      const kind = findPropertyKind(this.resource, property);
      const column = createOrderColumn(this.records.length, kind);
      await this.forEachRecord((record, at) => {
        setSortKey(column, at, read(record), kind);
      });
      return column;
    });
  }

  /** In milliseconds since 1970, from `Resource.dateProperty`; NaN without a readable date. */
  dateColumn(): Promise<Float64Array> {
    return this.computeOnce('modified', async () => {
      const { dateProperty } = this.resource;
      const read = dateProperty === undefined ? () => undefined : createPropertyReader(this.resource, dateProperty);
      const column = new Float64Array(this.records.length);
      await this.forEachRecord((record, at) => {
        const value = read(record);
        column[at] = (value === undefined ? undefined : parseDate(String(value))?.epochMs) ?? NaN;
      });
      return column;
    });
  }

  /** Does not depend on the order of the records (decisions 7.6). */
  fingerprint(): Promise<string> {
    return this.computeOnce('fingerprint', async () => {
      const digests = await this.mapRecords(({ id, values, extraProperties: further }) =>
        digest(JSON.stringify([id, values, further])),
      );
      return digest([...digests.sort(), ...(this.unfetchedCount === 0 ? [] : [this.unfetchedCount])].join());
    });
  }

  /** Computes once and caches. After a failure, the next call computes again. */
  computeOnce<T>(key: string, compute: () => Promise<T>): Promise<T> {
    return this.getOrCompute(this.results, key, compute);
  }

  /** For keys with properties that a client chose: keeps only the most recently used results. */
  computeOnceBounded<T>(key: string, compute: () => Promise<T>): Promise<T> {
    const result = this.getOrCompute(this.boundedResults, key, compute);
    if (this.boundedResults.size > MAX_BOUNDED_RESULTS) this.evictLeastRecentlyUsed();
    return result;
  }

  private getOrCompute<T>(results: Map<string, CachedResult>, key: string, compute: () => Promise<T>): Promise<T> {
    this.useCount += 1;
    const known = results.get(key);
    if (known !== undefined) {
      known.lastUse = this.useCount;
      // Each key is used by one computation only, so the cached result has its type.
      return known.promise as Promise<T>;
    }
    const promise = compute();
    results.set(key, { promise, lastUse: this.useCount });
    promise.catch(() => results.delete(key));
    return promise;
  }

  private evictLeastRecentlyUsed(): void {
    const [[oldest] = ['']] = [...this.boundedResults].sort(([, one], [, other]) => one.lastUse - other.lastUse);
    this.boundedResults.delete(oldest);
  }

  private async mapRecords<T>(compute: (record: StoredRecord) => T): Promise<T[]> {
    const column: T[] = [];
    await this.forEachRecord((record) => column.push(compute(record)));
    return column;
  }

  private forEachRecord(callback: (record: StoredRecord, at: number) => void): Promise<void> {
    let at = 0;
    return forEachTimeSliced(this.records, (record) => {
      callback(record, at);
      at += 1;
    });
  }
}

interface CachedResult {
  readonly promise: Promise<unknown>;
  /** Sequence number. The entry is not moved to the end of its Map, because V8 would rebuild the Map each time. */
  lastUse: number;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function addPosition(positions: Map<string, number[]>, code: string, at: number): void {
  const some = positions.get(code);
  if (some === undefined) positions.set(code, [at]);
  else if (some.at(-1) !== at) some.push(at);
}
