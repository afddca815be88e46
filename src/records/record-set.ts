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
  toTextItems,
  createPropertyReader,
  createSearchTextReader,
  createTextReader,
} from './property-columns.js';
import type { HashedItems, OrderColumn } from './property-columns.js';

const NO_IDS: ReadonlySet<string> = new Set();

/** Results named after a property that are kept, the least recently used going first: clients name properties, and could name any number. */
const MAX_BOUNDED_RESULTS = 8;

/**
 * The records of one source in memory. What a query needs beside them (folded text, sort keys, dates) is computed on first need,
 * in slices, and kept while it is in use; concurrent queries share the computation.
 */
export class RecordSet {
  /**
   * Matches that the source counts behind these, in the order in which it was asked for them: the set is the front of a stream. 0: it is
   * all that was asked for.
   */
  readonly unfetchedCount: number;
  /** Whether the source lets nothing through that stands behind these: they are all that can be had. */
  readonly isTruncated: boolean;
  /** Ids that several records of the source lay claim to: which of them has which was decided among these. */
  readonly contestedIds: ReadonlySet<string>;
  /**
   * When the records were read, in milliseconds since 1970: a date later than that is shown and ordered as any other, but is no evidence of when
   * anything changed (decisions.md, section 4). It stays so when the date has passed: that changes no record.
   */
  readonly readAt: number;
  private readonly results = new Map<string, CachedResult>();
  private readonly boundedResults = new Map<string, CachedResult>();
  private useCount = 0;

  constructor(
    readonly resource: Resource,
    /** Number of the source: ties between sources are broken by it. */
    readonly sourceNumber: number,
    readonly records: readonly StoredRecord[],
    {
      unfetchedCount: behind = 0,
      isTruncated: cut = false,
      contestedIds: contested = NO_IDS,
      readAt = Infinity,
    }: Partial<Pick<RecordSet, 'unfetchedCount' | 'isTruncated' | 'contestedIds' | 'readAt'>> = {},
  ) {
    this.unfetchedCount = behind;
    this.isTruncated = cut;
    this.contestedIds = contested;
    this.readAt = readAt;
  }

  /** The same records, as of another moment of reading (milliseconds since 1970). */
  withReadAt(readAt: number): RecordSet {
    const { resource, sourceNumber, records, unfetchedCount: behind, isTruncated: cut, contestedIds: contested } = this;
    return new RecordSet(resource, sourceNumber, records, {
      unfetchedCount: behind,
      isTruncated: cut,
      contestedIds: contested,
      readAt,
    });
  }

  /** Whether the source can be asked for more than these. */
  get hasMore(): boolean {
    return this.unfetchedCount > 0 && !this.isTruncated;
  }

  /** Matches that the source has, those included that stand behind the records here. */
  get totalCount(): number {
    return this.records.length + this.unfetchedCount;
  }

  /** Where in a property a folded text may be. */
  hashedItems(property: string): Promise<HashedItems> {
    return this.computeOnceBounded(`items ${property}`, async () => {
      const read = createPropertyReader(this.resource, property);
      const [hashes, owners]: [number[], number[]] = [[], []];
      await this.forEachRecord((record, at) => {
        for (const item of toTextItems(read(record))) {
          hashes.push(hashText(foldText(item)));
          owners.push(at);
        }
      });
      return { hashes: Int32Array.from(hashes), recordPositions: Uint32Array.from(owners) };
    });
  }

  /** Folded text of whole records, as `q` searches it. */
  searchTexts(): Promise<readonly string[]> {
    return this.computeOnce('search', () => this.mapRecords(createSearchTextReader(this.resource)));
  }

  /** Folded text of some properties together, by record. */
  propertyTexts(properties: readonly string[]): Promise<readonly string[]> {
    return this.computeOnceBounded(`text ${properties.join()}`, () =>
      this.mapRecords(createTextReader(this.resource, properties)),
    );
  }

  /** Positions of the records that have a country (alpha-2) in a property, ascending, by country. */
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

  /** Sort keys of a property, by record. */
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

  /** Milliseconds of each record's date (`Resource.dated`); NaN where it has none that can be read. */
  dateColumn(): Promise<Float64Array> {
    return this.computeOnce('modified', async () => {
      const { dateProperty: dated } = this.resource;
      const read = dated === undefined ? () => undefined : createPropertyReader(this.resource, dated);
      const column = new Float64Array(this.records.length);
      await this.forEachRecord((record, at) => {
        const value = read(record);
        column[at] = (value === undefined ? undefined : parseDate(String(value))?.epochMs) ?? NaN;
      });
      return column;
    });
  }

  /** What tells the records from others, in whatever order a source sends them. */
  fingerprint(): Promise<string> {
    return this.computeOnce('fingerprint', async () => {
      const digests = await this.mapRecords(({ id, values, extraProperties: further }) =>
        digest(JSON.stringify([id, values, further])),
      );
      return digest([...digests.sort(), ...(this.unfetchedCount === 0 ? [] : [this.unfetchedCount])].join());
    });
  }

  /** Computes something about the set once; the key names it. A failed computation is tried anew by the next who asks. */
  computeOnce<T>(key: string, compute: () => Promise<T>): Promise<T> {
    return this.getOrCompute(this.results, key, compute);
  }

  /** The same for what a client's choice of properties is part of the key: kept as long as it is among the last ones used. */
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
      // Every key belongs to one computation, so what is found under it has that computation's type.
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

  private forEachRecord(visit: (record: StoredRecord, at: number) => void): Promise<void> {
    let at = 0;
    return forEachTimeSliced(this.records, (record) => {
      visit(record, at);
      at += 1;
    });
  }
}

/** What was computed, or is being so. */
interface CachedResult {
  readonly promise: Promise<unknown>;
  /** Which of all uses was the last one of it: to move it within its map at each use would make that anew over and over. */
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
