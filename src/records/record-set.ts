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

/**
 * Ids of records of one source that claim the same slug, by the id that each of them would have if it were the only one
 * (decisions 4.18).
 */
export type ContestedIds = ReadonlyMap<string, readonly string[]>;

const NO_CONTESTED_IDS: ContestedIds = new Map();

/**
 * Maximum number of cached results whose key contains a property; the least recently used is evicted. Clients choose
 * the properties and could name any number.
 */
const MAX_BOUNDED_RESULTS = 8;

/** Where the records of a set come from. Every set is one itself. */
export interface RecordOrigin {
  /** Number of the source, which breaks ties between sources (decisions 2.23). */
  readonly sourceNumber: number;
}

/** Records that others have replaced, and the bytes that they take. */
export interface ReplacedRecords {
  readonly set: RecordSet;
  readonly bytes: number;
}

/**
 * The records of one source in memory. Data that queries need in addition (folded text, sort keys, dates) is computed
 * at the first use, in slices, and cached; concurrent queries share the computation.
 */
export class RecordSet implements RecordOrigin {
  readonly sourceNumber: number;
  /**
   * Number of matches that the source counts after these records, in the requested order. The set is then the beginning
   * of a stream (decisions 5.15). 0: the set is complete.
   */
  readonly unfetchedCount: number;
  /** Whether the source does not return records after these, because of its news window (decisions 5.9). */
  readonly isTruncated: boolean;
  /**
   * The ids that were assigned to records with the same slug, by comparing the records of this set. Another set may
   * assign them differently.
   */
  readonly contestedIds: ContestedIds;
  /**
   * Time at which the records were read, in milliseconds since 1970. Later dates are shown and ordered like any other,
   * but are no evidence of a change (decisions 4.4, 7.8). It stays the same when such a date passes, because no record
   * changes then.
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

  /** Returns the same records with another time of reading (milliseconds since 1970). */
  withReadAt(readAt: number): RecordSet {
    const { resource, records, unfetchedCount, isTruncated, contestedIds } = this;
    return new RecordSet(resource, this, records, {
      unfetchedCount,
      isTruncated,
      contestedIds,
      readAt,
    });
  }

  /** Whether more records can be requested from the source. */
  get hasMore(): boolean {
    return this.unfetchedCount > 0 && !this.isTruncated;
  }

  /** Number of matches at the source, including those not fetched. */
  get totalCount(): number {
    return this.records.length + this.unfetchedCount;
  }

  /** Returns the hashes of the folded items of a property. */
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

  /** Returns the folded text of each record as `q` searches it. */
  searchTexts(): Promise<readonly string[]> {
    return this.computeOnce('search', () => this.mapRecords(createSearchTextReader(this.resource)));
  }

  /** Returns the folded text of some properties together, by record. */
  propertyTexts(properties: readonly string[]): Promise<readonly string[]> {
    return this.computeOnceBounded(`text ${properties.join()}`, () =>
      this.mapRecords(createTextReader(this.resource, properties)),
    );
  }

  /** Returns the ascending positions of the records of each country (alpha-2) in a property. */
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

  /** Returns the sort keys of a property. */
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

  /**
   * Returns the date of each record (`Resource.dateProperty`) in milliseconds since 1970; NaN for a record without a
   * readable date.
   */
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

  /** Returns a fingerprint of the records that does not depend on their order (decisions 7.6). */
  fingerprint(): Promise<string> {
    return this.computeOnce('fingerprint', async () => {
      const digests = await this.mapRecords(({ id, values, extraProperties: further }) =>
        digest(JSON.stringify([id, values, further])),
      );
      return digest([...digests.sort(), ...(this.unfetchedCount === 0 ? [] : [this.unfetchedCount])].join());
    });
  }

  /** Computes a value of the set once and caches it under the key. After a failure, the next call computes it again. */
  computeOnce<T>(key: string, compute: () => Promise<T>): Promise<T> {
    return this.getOrCompute(this.results, key, compute);
  }

  /**
   * Like `computeOnce`, for keys that contain properties that a client chose. Only the most recently used results are
   * kept.
   */
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

/** A computed value, or a computation in progress. */
interface CachedResult {
  readonly promise: Promise<unknown>;
  /**
   * Sequence number of the last use. The entry is not moved to the end of its Map instead, because V8 would rebuild the
   * Map again and again.
   */
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
