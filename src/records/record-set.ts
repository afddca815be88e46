import type { HeldRecord } from '../model/record.js';
import { inSlices } from '../model/slices.js';
import type { Resource } from '../model/resource.js';
import { readDate } from '../text/date.js';
import { emptyOrderColumn, enterOrder, foldedCell, reader, searchText } from './column.js';
import type { FoldedCell, OrderColumn } from './column.js';

/** Records whose text is folded in one slice: about 5 ms of work. */
const SLICE = 500;

/** Computations whose results are kept, the least recently used going first: clients name the properties, and could name any number. */
const MOST_KEPT = 12;

/**
 * The records of one source in memory. What a query needs beside them (folded text, sort keys, dates) is computed on first need,
 * in slices, and kept while it is in use; concurrent queries share the computation.
 */
export class RecordSet {
  private readonly built = new Map<string, Promise<unknown>>();

  constructor(
    readonly resource: Resource,
    /** Number of the source: ties between sources are broken by it. */
    readonly sourceNumber: number,
    readonly records: readonly HeldRecord[],
  ) {}

  /** Folded values of a property, by record. */
  folded(property: string): Promise<readonly FoldedCell[]> {
    return this.once(`folded ${property}`, () => {
      const read = reader(this.resource, property);
      return this.map((record) => foldedCell(read(record)));
    });
  }

  /** Folded text of whole records, as `q` searches it. */
  searchTexts(): Promise<readonly string[]> {
    return this.once('search', () => this.map((record) => searchText(this.resource, record)));
  }

  /** Sort keys of a property, by record. */
  orderColumn(property: string): Promise<OrderColumn> {
    return this.once(`order ${property}`, async () => {
      const read = reader(this.resource, property);
      const kind = this.resource.properties.find(({ name }) => name === property)?.kind;
      const column = emptyOrderColumn(this.records.length);
      await this.each((record, at) => {
        enterOrder(column, at, read(record), kind);
      });
      return column;
    });
  }

  /** Milliseconds of each record's last-modified; NaN where it has none that is a date. */
  modified(): Promise<Float64Array> {
    return this.once('modified', async () => {
      const read = reader(this.resource, this.resource.lastModified);
      const column = new Float64Array(this.records.length);
      await this.each((record, at) => {
        const value = read(record);
        column[at] = (value === undefined ? undefined : readDate(String(value))?.at) ?? NaN;
      });
      return column;
    });
  }

  /** Computes something about the set once; the key names it. A failed computation is tried anew by the next who asks. */
  once<T>(key: string, compute: () => Promise<T>): Promise<T> {
    // Every key belongs to one computation, so what is found under it has that computation's type.
    const known = this.built.get(key) as Promise<T> | undefined;
    const result = known ?? compute();
    if (known === undefined) result.catch(() => this.built.delete(key));
    this.keep(key, result);
    return result;
  }

  /** A map keeps its keys as they were set, so the first one is the one that was asked for longest ago. */
  private keep(key: string, result: Promise<unknown>): void {
    this.built.delete(key);
    this.built.set(key, result);
    const [oldest] = this.built.keys();
    if (this.built.size > MOST_KEPT && oldest !== undefined) this.built.delete(oldest);
  }

  private async map<T>(compute: (record: HeldRecord) => T): Promise<T[]> {
    const column: T[] = [];
    await this.each((record) => column.push(compute(record)));
    return column;
  }

  private each(visit: (record: HeldRecord, at: number) => void): Promise<void> {
    const { records } = this;
    return inSlices(records.length, SLICE, (from, to) => {
      for (let at = from; at < to; at += 1) {
        const record = records[at];
        if (record !== undefined) visit(record, at);
      }
    });
  }
}
