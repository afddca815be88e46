import type { Level } from '../hold/budget.js';
import { kWayMerge } from '../merge/k-way-merge.js';
import type { Query } from '../model/query.js';
import type { HeldRecord } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import { inSlices } from '../model/slices.js';
import { totalOrder } from '../records/order.js';
import type { Place } from '../records/order.js';
import type { RecordSet } from '../records/record-set.js';
import { furtherNamesIn, search } from '../records/search.js';
import type { Found } from '../records/search.js';

/** Which records of a set a query asks for, and in which order. */
type Wanted = Pick<Query, 'where' | 'order'>;

/** Records that are merged in one slice. */
const SLICE = 4_096;

/** Bytes that a merged set takes beside what it holds of its sources. */
const AT_LEAST = 2_048;

/** Bytes for each of its sources as long as what was found there is read, and for each of their records: whether it matches. */
const PER_SOUGHT = 1_200;
const PER_RECORD = 1;

/** Bytes for each record that was read from it. */
const PER_READ = 8;

/** Bytes for each match that stands in order to be read. */
const PER_PLACE = 48;

/** What is known of all matches. */
interface Facts {
  readonly total: number;
  /** Of each set, in milliseconds since 1970. */
  readonly newest: readonly (number | undefined)[];
}

/**
 * The ordered result of one canonical query over certain sets of records (decisions.md, section 5): pages, fields and formats are cut
 * from it. Once its first page has been read it keeps the records of that page only; a page beyond searches its sources once more, for all.
 */
export class MergedSet {
  /** No other merged set has the same. */
  readonly serial = nextSerial();
  private readonly records: HeldRecord[] = [];
  private readonly facts: Promise<Facts>;
  /** What is still to be read, up to `reach`. */
  private found: Promise<readonly Found[]> | undefined;
  private merged: Iterator<Place> | undefined;
  private reach: number;
  /** Number of matches, once it is known. */
  private matches = 0;
  private reading: Promise<void> = Promise.resolve();
  /** Fronts of streams that have been read to their end: what stands behind them comes next, or something of another set does. */
  private readonly ended = new Set<RecordSet>();
  private further: Promise<ReadonlySet<string>> | undefined;

  constructor(
    private readonly wanted: Wanted,
    readonly sets: readonly RecordSet[],
    /** Records from the front that will be looked at, as far as anybody knows. */
    first: number,
  ) {
    this.reach = first;
    const found = this.search();
    this.facts = found.then((results) => {
      const facts = factsOf(results);
      this.matches = facts.total;
      return facts;
    });
    if (first > 0) this.found = found;
  }

  /** Whether it was made of exactly these sets. */
  restsOn(sets: readonly RecordSet[]): boolean {
    return sets.length === this.sets.length && sets.every((set, at) => set === this.sets[at]);
  }

  /** The newest date among the matches of each set, in milliseconds since 1970; undefined where none has one. */
  async newest(): Promise<Facts['newest']> {
    return (await this.facts).newest;
  }

  /** Number of matches. */
  async total(): Promise<number> {
    return (await this.facts).total;
  }

  /** Names of the further properties among all matches; looked for once. */
  furtherNames(): Promise<ReadonlySet<string>> {
    this.further ??= Promise.all(this.sets.map((set) => furtherNamesIn(set, this.wanted.where))).then(
      (names) => new Set(names.flatMap((some) => [...some])),
    );
    return this.further;
  }

  /** The matches from `offset` on, `limit` at most, in order; fewer where a front lacks what comes next (`lack`). */
  async page(offset: number, limit: number): Promise<readonly HeldRecord[]> {
    const end = Math.min(offset + limit, await this.total());
    if (offset >= end) return [];
    await this.read(end);
    return this.records.slice(offset, end);
  }

  /**
   * Which fronts must reach further before the matches from `offset` on, `limit` at most, are known, and how many are missing up to the last of them;
   * undefined where they are known.
   */
  async lack(offset: number, limit: number): Promise<Lack | undefined> {
    const needed = Math.min(offset + limit, await this.total());
    if (offset >= needed) return undefined;
    await this.read(needed);
    const missing = needed - this.records.length;
    // What stands behind a source's window is counted, and cannot be had.
    return missing > 0 && this.isShort ? { sets: this.ended, missing } : undefined;
  }

  /** The records are read from one stream: one page after another, whoever asks. */
  private async read(end: number): Promise<void> {
    if (this.hasRead(end)) return;
    this.reading = this.reading.catch(() => undefined).then(() => this.readTo(end));
    await this.reading;
  }

  /** Whether there is nothing to be read up to there: all of it has been, or what comes next is not known. */
  private hasRead(end: number): boolean {
    return this.records.length >= end || this.isShort;
  }

  /** Bytes that it takes, about. */
  get weight(): number {
    const read = AT_LEAST + this.records.length * PER_READ;
    if (this.found === undefined) return read;
    const sought = this.sets.reduce((sum, { records }) => sum + records.length, 0);
    return read + this.sets.length * PER_SOUGHT + sought * PER_RECORD + this.matches * PER_PLACE;
  }

  private search(): Promise<readonly Found[]> {
    return Promise.all(this.sets.map((set) => search(set, this.wanted)));
  }

  private async readTo(end: number): Promise<void> {
    // Somebody who waited for the same may have read it.
    if (this.hasRead(end)) return;
    const again = end > this.reach ? await this.reachAll() : 0;
    this.merged ??= await this.merge();
    const { merged } = this;
    await inSlices(again + end - this.records.length, SLICE, (from, to) => {
      for (let count = from; count < to; count += 1) {
        const next = merged.next();
        // What comes when a front has ended may not be the next one.
        if (this.isShort) return;
        if (count >= again) this.enter(next);
      }
    });
    if (this.isShort || this.records.length >= Math.min(this.reach, await this.total())) this.letGo();
  }

  /** All has been read that was sought. */
  private letGo(): void {
    this.found = this.merged = undefined;
  }

  private get isShort(): boolean {
    return this.ended.size > 0;
  }

  private async merge(): Promise<Iterator<Place>> {
    const found = await (this.found ??= this.search());
    const streams = found.map(({ places }, at) => this.watched(places, this.sets[at]));
    return kWayMerge(streams, totalOrder(this.wanted.order));
  }

  private watched(places: Iterable<Place>, set: RecordSet | undefined): Iterable<Place> {
    return set?.goesOn === true ? withEnd(places, () => this.ended.add(set)) : places;
  }

  /**
   * Who reads beyond the first page goes on to the next: from here on all matches stand in order. Returns how many of them have been
   * read already, in the same order, and come once more.
   */
  private async reachAll(): Promise<number> {
    this.reach = Infinity;
    this.found = this.search();
    this.merged = undefined;
    await this.found;
    return this.records.length;
  }

  private enter({ value }: IteratorResult<Place, void>): void {
    const record = value?.from.set.records[value.at];
    if (record !== undefined) this.records.push(record);
  }
}

function factsOf(found: readonly Found[]): Facts {
  return { total: found.reduce((sum, { total }) => sum + total, 0), newest: found.map(({ newest }) => newest) };
}

/** What fronts of streams lack. */
export interface Lack {
  readonly sets: ReadonlySet<RecordSet>;
  /** Matches that cannot be told yet, one at least. */
  readonly missing: number;
}

/** The same items; `ended` is told when one more is asked for than there are. */
function* withEnd<T>(items: Iterable<T>, ended: () => void): Generator<T, void, undefined> {
  yield* items;
  ended();
}

let made = 0;

function nextSerial(): number {
  made += 1;
  return made;
}

/** The merged sets that are held, by canonical query. */
export class MergedSets {
  constructor(private readonly level: Level<MergedSet>) {}

  /** The merged set that is held of a query with this key. */
  held(key: Query['key']): MergedSet | undefined {
    return this.level.get(key);
  }

  /** The merged set of a query over exactly these sets: the one that is held, or a new one, which whoever asks meanwhile shares. */
  of(query: Query, sets: readonly RecordSet[]): MergedSet {
    const held = this.level.get(query.key);
    if (held?.restsOn(sets) === true) return held;
    const made = new MergedSet(query, sets, query.limit === 0 ? 0 : query.offset + query.limit);
    this.level.put(query.key, made, made.weight);
    // What could not be made is tried anew by the next who asks.
    made.total().catch(() => {
      this.level.drop((one) => one === made);
    });
    return made;
  }

  /** The page of a query, cut from its set; reading it may make the set larger. */
  async page({ key, offset, limit }: Query, set: MergedSet): Promise<readonly HeldRecord[]> {
    const before = set.weight;
    const records = await set.page(offset, limit);
    if (set.weight !== before && this.level.get(key) === set) this.level.put(key, set, set.weight);
    return records;
  }

  /** Lets go of every set that a changed resource of a source takes part in: nobody will ask for it again. */
  drop(sourceNumber: number, path: Resource['path']): void {
    this.level.drop(({ sets }) => sets.some((set) => set.sourceNumber === sourceNumber && set.resource.path === path));
  }
}
