import { createHash } from 'node:crypto';
import type { HeldRecord } from '../model/record.js';
import { inTurns } from '../model/slices.js';
import { kindOf } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import { readDate } from '../text/date.js';
import { fold } from '../text/fold.js';
import { textHash } from '../text/hash.js';
import { countriesIn, emptyOrderColumn, enterOrder, itemsOf, reader, searchText, textOf } from './column.js';
import type { HashedItems, OrderColumn } from './column.js';

const NONE: ReadonlySet<string> = new Set();

/** Results named after a property that are kept, the least recently used going first: clients name properties, and could name any number. */
const MOST_NAMED = 8;

/**
 * The records of one source in memory. What a query needs beside them (folded text, sort keys, dates) is computed on first need,
 * in slices, and kept while it is in use; concurrent queries share the computation.
 */
export class RecordSet {
  /**
   * Matches that the source counts behind these, in the order in which it was asked for them: the set is the front of a stream. 0: it is
   * all that was asked for.
   */
  readonly behind: number;
  /** Whether the source lets nothing through that stands behind these: they are all that can be had. */
  readonly cut: boolean;
  /** Ids that several records of the source lay claim to: which of them has which was decided among these. */
  readonly contested: ReadonlySet<string>;
  /**
   * When the records were read, in milliseconds since 1970: a date later than that is shown and ordered as any other, but is no evidence of when
   * anything changed (decisions.md, section 4). It stays so when the date has passed: that changes no record.
   */
  readonly readAt: number;
  private readonly built = new Map<string, Result>();
  private readonly named = new Map<string, Result>();
  private uses = 0;

  constructor(
    readonly resource: Resource,
    /** Number of the source: ties between sources are broken by it. */
    readonly sourceNumber: number,
    readonly records: readonly HeldRecord[],
    {
      behind = 0,
      cut = false,
      contested = NONE,
      readAt = Infinity,
    }: Partial<Pick<RecordSet, 'behind' | 'cut' | 'contested' | 'readAt'>> = {},
  ) {
    this.behind = behind;
    this.cut = cut;
    this.contested = contested;
    this.readAt = readAt;
  }

  /** The same records, as of another moment of reading (milliseconds since 1970). */
  asReadAt(readAt: number): RecordSet {
    const { resource, sourceNumber, records, behind, cut, contested } = this;
    return new RecordSet(resource, sourceNumber, records, { behind, cut, contested, readAt });
  }

  /** Whether the source can be asked for more than these. */
  get goesOn(): boolean {
    return this.behind > 0 && !this.cut;
  }

  /** Matches that the source has, those included that stand behind the records here. */
  get size(): number {
    return this.records.length + this.behind;
  }

  /** Where in a property a folded text may be. */
  items(property: string): Promise<HashedItems> {
    return this.onceNamed(`items ${property}`, async () => {
      const read = reader(this.resource, property);
      const [hashes, owners]: [number[], number[]] = [[], []];
      await this.each((record, at) => {
        for (const item of itemsOf(read(record))) {
          hashes.push(textHash(fold(item)));
          owners.push(at);
        }
      });
      return { hashes: Int32Array.from(hashes), owners: Uint32Array.from(owners) };
    });
  }

  /** Folded text of whole records, as `q` searches it. */
  searchTexts(): Promise<readonly string[]> {
    return this.once('search', () => this.map(searchText(this.resource)));
  }

  /** Folded text of some properties together, by record. */
  texts(properties: readonly string[]): Promise<readonly string[]> {
    return this.onceNamed(`text ${properties.join()}`, () => this.map(textOf(this.resource, properties)));
  }

  /** Positions of the records that have a country (alpha-2) in a property, ascending, by country. */
  countries(property: string): Promise<ReadonlyMap<string, readonly number[]>> {
    return this.onceNamed(`countries ${property}`, async () => {
      const positions = new Map<string, number[]>();
      const read = reader(this.resource, property);
      await this.each((record, at) => {
        for (const code of countriesIn(read(record))) enterPosition(positions, code, at);
      });
      return positions;
    });
  }

  /** Sort keys of a property, by record. */
  orderColumn(property: string): Promise<OrderColumn> {
    return this.onceNamed(`order ${property}`, async () => {
      const read = reader(this.resource, property);
      const kind = kindOf(this.resource, property);
      const column = emptyOrderColumn(this.records.length, kind);
      await this.each((record, at) => {
        enterOrder(column, at, read(record), kind);
      });
      return column;
    });
  }

  /** Milliseconds of each record's date (`Resource.dated`); NaN where it has none that can be read. */
  modified(): Promise<Float64Array> {
    return this.once('modified', async () => {
      const { dated } = this.resource;
      const read = dated === undefined ? () => undefined : reader(this.resource, dated);
      const column = new Float64Array(this.records.length);
      await this.each((record, at) => {
        const value = read(record);
        column[at] = (value === undefined ? undefined : readDate(String(value))?.at) ?? NaN;
      });
      return column;
    });
  }

  /** What tells the records from others, in whatever order a source sends them. */
  fingerprint(): Promise<string> {
    return this.once('fingerprint', async () => {
      const digests = await this.map(({ id, values, further }) => digest(JSON.stringify([id, values, further])));
      return digest([...digests.sort(), ...(this.behind === 0 ? [] : [this.behind])].join());
    });
  }

  /** Computes something about the set once; the key names it. A failed computation is tried anew by the next who asks. */
  once<T>(key: string, compute: () => Promise<T>): Promise<T> {
    return this.shared(this.built, key, compute);
  }

  /** The same for what a client's choice of properties is part of the key: kept as long as it is among the last ones used. */
  onceNamed<T>(key: string, compute: () => Promise<T>): Promise<T> {
    const result = this.shared(this.named, key, compute);
    if (this.named.size > MOST_NAMED) this.forgetOne();
    return result;
  }

  private shared<T>(results: Map<string, Result>, key: string, compute: () => Promise<T>): Promise<T> {
    this.uses += 1;
    const known = results.get(key);
    if (known !== undefined) {
      known.lastUse = this.uses;
      // Every key belongs to one computation, so what is found under it has that computation's type.
      return known.promise as Promise<T>;
    }
    const promise = compute();
    results.set(key, { promise, lastUse: this.uses });
    promise.catch(() => results.delete(key));
    return promise;
  }

  private forgetOne(): void {
    const [[oldest] = ['']] = [...this.named].sort(([, one], [, other]) => one.lastUse - other.lastUse);
    this.named.delete(oldest);
  }

  private async map<T>(compute: (record: HeldRecord) => T): Promise<T[]> {
    const column: T[] = [];
    await this.each((record) => column.push(compute(record)));
    return column;
  }

  private each(visit: (record: HeldRecord, at: number) => void): Promise<void> {
    let at = 0;
    return inTurns(this.records, (record) => {
      visit(record, at);
      at += 1;
    });
  }
}

/** What was computed, or is being so. */
interface Result {
  readonly promise: Promise<unknown>;
  /** Which of all uses was the last one of it: to move it within its map at each use would make that anew over and over. */
  lastUse: number;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function enterPosition(positions: Map<string, number[]>, code: string, at: number): void {
  const some = positions.get(code);
  if (some === undefined) positions.set(code, [at]);
  else if (some.at(-1) !== at) some.push(at);
}
