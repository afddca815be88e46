import { kWayMerge } from '../merge/k-way-merge.js';
import type { Query } from '../model/query.js';
import type { StoredRecord } from '../model/record.js';
import { forEachSlice } from '../event-loop/time-slicing.js';
import { createRecordComparator } from '../records/record-order.js';
import type { RecordPosition } from '../records/record-order.js';
import type { RecordSet } from '../records/record-set.js';
import { listExtraNamesOfMatches, searchRecords } from '../records/record-search.js';
import type { SearchResult } from '../records/record-search.js';

/** Which records of a set a query asks for, and in which order. */
type Selection = Pick<Query, 'predicates' | 'order'>;

/** Records that are merged in one slice. */
const MERGE_SLICE = 4_096;

/** Bytes that a merged set takes beside what it holds of its sources. */
const BASE_BYTES = 2_048;

/** Bytes for each of its sources as long as what was found there is read, and for each of their records: whether it matches. */
const BYTES_PER_SEARCH = 1_200;
const BYTES_PER_RECORD = 1;

/** Bytes for each record that was read from it. */
const BYTES_PER_READ_RECORD = 8;

/** Bytes for each match that stands in order to be read. */
const BYTES_PER_MATCH = 48;

/** What is known of all matches. */
interface MatchFacts {
  readonly total: number;
  /** Of each set, in milliseconds since 1970. */
  readonly newest: readonly (number | undefined)[];
}

/**
 * The ordered result of one canonical query over certain sets of records (decisions.md, section 5): pages, fields and formats are cut
 * from it. Once its first page has been read it keeps the records of that page only; a page beyond searches its sources once more, for all.
 */
export class MergedList {
  /** No other merged set has the same. */
  readonly serial = nextSerial();
  private readonly records: StoredRecord[] = [];
  private readonly facts: Promise<MatchFacts>;
  /** What is still to be read, up to `reach`. */
  private searchResults: Promise<readonly SearchResult[]> | undefined;
  private mergedRecords: Iterator<RecordPosition> | undefined;
  private readLimit: number;
  /** Number of matches, once it is known. */
  private matchCount = 0;
  private pendingRead: Promise<void> = Promise.resolve();
  /** Fronts of streams that have been read to their end: what stands behind them comes next, or something of another set does. */
  private readonly exhaustedSets = new Set<RecordSet>();
  private extraNames: Promise<ReadonlySet<string>> | undefined;

  constructor(
    private readonly selection: Selection,
    readonly sets: readonly RecordSet[],
    /** Records from the front that will be looked at, as far as anybody knows. */
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

  /** Whether it was made of exactly these sets. */
  isBuiltFrom(sets: readonly RecordSet[]): boolean {
    return sets.length === this.sets.length && sets.every((set, at) => set === this.sets[at]);
  }

  /** The newest date among the matches of each set, in milliseconds since 1970; undefined where none has one. */
  async newestDates(): Promise<MatchFacts['newest']> {
    return (await this.facts).newest;
  }

  /** Number of matches. */
  async total(): Promise<number> {
    return (await this.facts).total;
  }

  /** Names of the further properties among all matches; looked for once. */
  extraPropertyNames(): Promise<ReadonlySet<string>> {
    this.extraNames ??= Promise.all(
      this.sets.map((set) => listExtraNamesOfMatches(set, this.selection.predicates)),
    ).then((names) => new Set(names.flatMap((some) => [...some])));
    return this.extraNames;
  }

  /** The matches from `offset` on, `limit` at most, in order; fewer where a front lacks what comes next (`lack`). */
  async page(offset: number, limit: number): Promise<readonly StoredRecord[]> {
    const end = Math.min(offset + limit, await this.total());
    if (offset >= end) return [];
    await this.read(end);
    return this.records.slice(offset, end);
  }

  /**
   * Which fronts must reach further before the matches from `offset` on, `limit` at most, are known, and how many are missing up to the last of them;
   * undefined where they are known.
   */
  async findMissing(offset: number, limit: number): Promise<MissingRecords | undefined> {
    const needed = Math.min(offset + limit, await this.total());
    if (offset >= needed) return undefined;
    await this.read(needed);
    const missing = needed - this.records.length;
    // What stands behind a source's window is counted, and cannot be had.
    return missing > 0 && this.isTopRecordsExhausted ? { sets: this.exhaustedSets, count: missing } : undefined;
  }

  /** The records are read from one stream: one page after another, whoever asks. */
  private async read(end: number): Promise<void> {
    if (this.hasRead(end)) return;
    this.pendingRead = this.pendingRead.catch(() => undefined).then(() => this.readTo(end));
    await this.pendingRead;
  }

  /** Whether there is nothing to be read up to there: all of it has been, or what comes next is not known. */
  private hasRead(end: number): boolean {
    return this.records.length >= end || this.isTopRecordsExhausted;
  }

  /** Bytes that it takes, about. */
  get weight(): number {
    const read = BASE_BYTES + this.records.length * BYTES_PER_READ_RECORD;
    if (this.searchResults === undefined) return read;
    const sought = this.sets.reduce((sum, { records }) => sum + records.length, 0);
    return read + this.sets.length * BYTES_PER_SEARCH + sought * BYTES_PER_RECORD + this.matchCount * BYTES_PER_MATCH;
  }

  private search(): Promise<readonly SearchResult[]> {
    return Promise.all(this.sets.map((set) => searchRecords(set, this.selection)));
  }

  private async readTo(end: number): Promise<void> {
    // Somebody who waited for the same may have read it.
    if (this.hasRead(end)) return;
    const again = end > this.readLimit ? await this.searchAgainForAll() : 0;
    this.mergedRecords ??= await this.merge();
    const { mergedRecords: merged } = this;
    await forEachSlice(again + end - this.records.length, MERGE_SLICE, (from, to) => {
      for (let count = from; count < to; count += 1) {
        const next = merged.next();
        // What comes when a front has ended may not be the next one.
        if (this.isTopRecordsExhausted) return;
        if (count >= again) this.addRecord(next);
      }
    });
    if (this.isTopRecordsExhausted || this.records.length >= Math.min(this.readLimit, await this.total()))
      this.releaseSearch();
  }

  /** All has been read that was sought. */
  private releaseSearch(): void {
    this.searchResults = this.mergedRecords = undefined;
  }

  private get isTopRecordsExhausted(): boolean {
    return this.exhaustedSets.size > 0;
  }

  private async merge(): Promise<Iterator<RecordPosition>> {
    const found = await (this.searchResults ??= this.search());
    const streams = found.map(({ positions: places }, at) => this.watchEnd(places, this.sets[at]));
    return kWayMerge(streams, createRecordComparator(this.selection.order));
  }

  private watchEnd(places: Iterable<RecordPosition>, set: RecordSet | undefined): Iterable<RecordPosition> {
    return set?.hasMore === true ? notifyAtEnd(places, () => this.exhaustedSets.add(set)) : places;
  }

  /**
   * Who reads beyond the first page goes on to the next: from here on all matches stand in order. Returns how many of them have been
   * read already, in the same order, and come once more.
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

function sumFacts(found: readonly SearchResult[]): MatchFacts {
  return {
    total: found.reduce((sum, { total }) => sum + total, 0),
    newest: found.map(({ newestDate: newest }) => newest),
  };
}

/** What fronts of streams lack. */
export interface MissingRecords {
  readonly sets: ReadonlySet<RecordSet>;
  /** Matches that cannot be told yet, one at least. */
  readonly count: number;
}

/** The same items; `ended` is told when one more is asked for than there are. */
function* notifyAtEnd<T>(items: Iterable<T>, ended: () => void): Generator<T, void, undefined> {
  yield* items;
  ended();
}

let lastSerial = 0;

function nextSerial(): number {
  lastSerial += 1;
  return lastSerial;
}
