import type { Query } from '../../model/query.js';
import type { DraftRecord, RecordRow } from '../../model/record.js';
import { findPropertyPosition } from '../../model/resource.js';
import type { Resource } from '../../model/resource.js';
import { parseQuery } from '../../query/parse-query.js';
import type { Vocabulary } from '../../query/vocabulary.js';
import { createRecordComparator, prepareSort } from '../../records/record-order.js';
import { RecordSet } from '../../records/record-set.js';
import { searchRecords } from '../../records/record-search.js';
import type { SourceParameters } from '../../source/dialect/request-url.js';

/** Equal for records that say the same. */
export function recordKey({ values, extraProperties: further }: RecordRow): string {
  return JSON.stringify([values, further]);
}

/** What a reader calls the record. */
export function recordDisplayName(resource: Resource, record: DraftRecord): string {
  const names = resource.nameProperties.map((name) => record.valueAt(findPropertyPosition(resource, name)));
  return JSON.stringify(String(names.find((name) => name !== undefined) ?? '').slice(0, 40));
}

/**
 * Records in memory, and what the exact answer to a query would be if they were all: by the predicates and orders of this house. They
 * carry no ids, so that records are equal in an order when only its fields decide.
 */
export class ReferenceRecords {
  readonly recordSet: RecordSet;
  private readonly indexByKey = new Map<string, number>();

  constructor(
    readonly vocabulary: Vocabulary,
    readonly records: readonly DraftRecord[],
  ) {
    this.recordSet = new RecordSet(vocabulary.resource, 0, records);
    records.forEach((draft, at) => this.indexByKey.set(recordKey(draft), at));
  }

  get resource(): Resource {
    return this.vocabulary.resource;
  }

  get size(): number {
    return this.records.length;
  }

  /** Position of a record that says the same. */
  indexOf(draft: DraftRecord): number | undefined {
    return this.indexByKey.get(recordKey(draft));
  }

  /** Positions of the records that match, in order; undefined where this house would refuse the query. */
  async matchingIndexes(parameters: SourceParameters): Promise<readonly number[] | undefined> {
    const query = this.parse(parameters);
    if (query === undefined) return undefined;
    const { positions: places } = await searchRecords(this.recordSet, {
      predicates: query.predicates,
      order: query.order,
    });
    return Array.from(places, ({ index: at }) => at);
  }

  /** Compares records by position in the order of a `sort`: zero where only a tie-break could tell them apart. */
  async comparator(sort: string): Promise<(a: number, b: number) => number> {
    const order = this.parse({ sort })?.order ?? [];
    const from = await prepareSort(this.recordSet, order);
    const compare = createRecordComparator(order);
    return (a, b) => compare({ sortableSet: from, index: a }, { sortableSet: from, index: b });
  }

  private parse(parameters: SourceParameters): Query | undefined {
    const raw = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    const most = Number.MAX_SAFE_INTEGER;
    const parsed = parseQuery(raw.join('&'), {
      vocabulary: this.vocabulary,
      limit: { default: most, max: most },
      envelope: true,
    });
    return 'query' in parsed ? parsed.query : undefined;
  }
}
