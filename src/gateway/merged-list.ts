import { kWayMerge } from '../merge/k-way-merge.js';
import type { Query } from '../model/query.js';
import type { StoredRecord } from '../model/record.js';
import { forEachSlice } from '../event-loop/time-slicing.js';
import { createRecordComparator } from '../records/record-order.js';
import type { RecordPosition } from '../records/record-order.js';
import type { RecordSet } from '../records/record-set.js';
import { listExtraNamesOfMatches, queryRecordSet } from '../records/query-record-set.js';
import type { RecordSetResult } from '../records/query-record-set.js';
import { countMatches } from '../records/match-counts.js';
import type { CountedProperty } from '../records/match-counts.js';

const MERGE_SLICE = 4_096;

/** Of a merged list without the parts below. */
const BASE_BYTES = 2_048;

/** For each source while its search result is in use, and for each of its records (whether it matches). */
const BYTES_PER_SEARCH = 1_200;
const BYTES_PER_RECORD = 1;

const BYTES_PER_READ_RECORD = 8;

const BYTES_PER_MATCH = 48;

interface MatchFacts {
  readonly total: number;
  /** For each set, in milliseconds since 1970. */
  readonly newest: readonly (number | undefined)[];
}

/**
 * The ordered result of one canonical query over certain record sets (decisions 5.20), from which pages, fields and
 * formats are cut. Once the first requested page is read, only the records up to its end are kept; a later page
 * searches the sets again, for all matches.
 */
export class MergedList {
  /** Unique in the process. */
  readonly serial = nextSerial();
  private readonly records: StoredRecord[] = [];
  private readonly facts: Promise<MatchFacts>;
  /** With matches that are not all read up to `readLimit`. */
  private searchResults: Promise<readonly RecordSetResult[]> | undefined;
  private mergedRecords: Iterator<RecordPosition> | undefined;
  private readLimit: number;
  private matchCount = 0;
  private pendingRead: Promise<void> = Promise.resolve();
  /** Sets of top records that are read to their end. The next match follows them, or comes from another set. */
  private readonly exhaustedSets = new Set<RecordSet>();
  private extraNames: Promise<ReadonlySet<string>> | undefined;
  private readonly counts = new Map<CountedProperty, Promise<ReadonlyMap<string, number>>>();

  constructor(
    private readonly selection: Pick<Query, 'predicates' | 'order'>,
    readonly sets: readonly RecordSet[],
    /** Records from the start that will be read, as far as is known. */
    first: number,
  ) {
    this.readLimit = first;
    const found = this.search();
    this.facts = found.then((results) => {
      const facts = sumFacts(results);
      this.matchCount = facts.total;
      return facts;
    });
    if (first > 0) this.searchResults = found;
  }

  isBuiltFrom(sets: readonly RecordSet[]): boolean {
    return sets.length === this.sets.length && sets.every((set, at) => set === this.sets[at]);
  }

  /** Of the matches of each set, in milliseconds since 1970; undefined for a set without dates. */
  async newestDates(): Promise<MatchFacts['newest']> {
    return (await this.facts).newest;
  }

  async total(): Promise<number> {
    return (await this.facts).total;
  }

  /** Further properties of all matches, collected once. */
  extraPropertyNames(): Promise<ReadonlySet<string>> {
    this.extraNames ??= Promise.all(
      this.sets.map((set) => listExtraNamesOfMatches(set, this.selection.predicates)),
    ).then((names) => new Set(names.flatMap((setNames) => [...setNames])));
    return this.extraNames;
  }

  /**
   * Matches by value of a property, counted once, without those that a large source counts but that were not fetched.
   */
  countBy(property: CountedProperty): Promise<ReadonlyMap<string, number>> {
    const known = this.counts.get(property);
    if (known !== undefined) return known;
    const counted = Promise.all(this.sets.map((set) => countMatches(set, this.selection.predicates, property))).then(
      sumCounts,
    );
    this.counts.set(property, counted);
    return counted;
  }

  /** Matches that large sources count. */
  get unfetchedCount(): number {
    return this.sets.reduce((sum, set) => sum + set.unfetchedCount, 0);
  }

  /** At most `limit` matches from `offset` on, in order; fewer where top records are used up (`findMissing`). */
  async page(offset: number, limit: number): Promise<readonly StoredRecord[]> {
    const end = Math.min(offset + limit, await this.total());
    if (offset >= end) return [];
    await this.read(end);
    return this.records.slice(offset, end);
  }

  /** Top records of which more are needed before the page is known, and how many of its matches are missing; undefined if none is. */
  async findMissing(offset: number, limit: number): Promise<MissingRecords | undefined> {
    const needed = Math.min(offset + limit, await this.total());
    if (offset >= needed) return undefined;
    await this.read(needed);
    const missing = needed - this.records.length;
    // Records beyond a source's window are counted, but cannot be fetched.
    return missing > 0 && this.isTopRecordsExhausted ? { sets: this.exhaustedSets, count: missing } : undefined;
  }

  /** Concurrent calls run one after another, because they share one iterator. */
  private async read(end: number): Promise<void> {
    if (this.hasRead(end)) return;
    this.pendingRead = this.pendingRead.catch(() => undefined).then(() => this.readTo(end));
    await this.pendingRead;
  }

  /** Everything has been read up to `end`, or top records are used up. */
  private hasRead(end: number): boolean {
    return this.records.length >= end || this.isTopRecordsExhausted;
  }

  /** Estimated bytes. */
  get weight(): number {
    const read = BASE_BYTES + this.records.length * BYTES_PER_READ_RECORD;
    if (this.searchResults === undefined) return read;
    const recordCount = this.sets.reduce((sum, { records }) => sum + records.length, 0);
    return (
      read + this.sets.length * BYTES_PER_SEARCH + recordCount * BYTES_PER_RECORD + this.matchCount * BYTES_PER_MATCH
    );
  }

  private search(): Promise<readonly RecordSetResult[]> {
    return Promise.all(this.sets.map((set) => queryRecordSet(set, this.selection)));
  }

  private async readTo(end: number): Promise<void> {
    // A call before this one in the queue may have read it.
    if (this.hasRead(end)) return;
    const rereadCount = end > this.readLimit ? await this.searchAgainForAll() : 0;
    this.mergedRecords ??= await this.merge();
    const { mergedRecords: merged } = this;
    await forEachSlice(rereadCount + end - this.records.length, MERGE_SLICE, (from, to) => {
      for (let count = from; count < to; count += 1) {
        const next = merged.next();
        // Once top records are used up, the next merged record may not be the next match.
        if (this.isTopRecordsExhausted) return;
        if (count >= rereadCount) this.addRecord(next);
      }
    });
    if (this.isTopRecordsExhausted || this.records.length >= Math.min(this.readLimit, await this.total()))
      this.releaseSearch();
  }

  /** Once everything is read that was requested. */
  private releaseSearch(): void {
    this.searchResults = this.mergedRecords = undefined;
  }

  private get isTopRecordsExhausted(): boolean {
    return this.exhaustedSets.size > 0;
  }

  private async merge(): Promise<Iterator<RecordPosition>> {
    const found = await (this.searchResults ??= this.search());
    const streams = found.map(({ positions }, at) => this.watchEnd(positions, this.sets[at]));
    return kWayMerge(streams, createRecordComparator(this.selection.order));
  }

  private watchEnd(positions: Iterable<RecordPosition>, set: RecordSet | undefined): Iterable<RecordPosition> {
    return set?.hasMore === true ? notifyAtEnd(positions, () => this.exhaustedSets.add(set)) : positions;
  }

  /**
   * Searches for all matches: a client that reads beyond the first page usually goes on. Returns the number of matches
   * that are read already; the new search returns these again, in the same order.
   */
  private async searchAgainForAll(): Promise<number> {
    this.readLimit = Infinity;
    this.searchResults = this.search();
    this.mergedRecords = undefined;
    await this.searchResults;
    return this.records.length;
  }

  private addRecord({ value }: IteratorResult<RecordPosition, void>): void {
    const record = value?.sortableSet.set.records[value.index];
    if (record !== undefined) this.records.push(record);
  }
}

function sumCounts(counts: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const part of counts) for (const [value, count] of part) sums.set(value, (sums.get(value) ?? 0) + count);
  return sums;
}

function sumFacts(found: readonly RecordSetResult[]): MatchFacts {
  return {
    total: found.reduce((sum, { total }) => sum + total, 0),
    newest: found.map(({ newestDate: newest }) => newest),
  };
}

/** Top records that are too few for a page. */
interface MissingRecords {
  readonly sets: ReadonlySet<RecordSet>;
  /** Matches that are not known yet, at least one. */
  readonly count: number;
}

/** Calls `onEnd` when an item is requested after the last one. */
function* notifyAtEnd<T>(items: Iterable<T>, onEnd: () => void): Generator<T, void, undefined> {
  yield* items;
  onEnd();
}

let lastSerial = 0;

function nextSerial(): number {
  lastSerial += 1;
  return lastSerial;
}
