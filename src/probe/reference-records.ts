import type { Query } from '../model/query.js';
import type { DraftRecord, RecordRow } from '../model/record.js';
import { findPropertyPosition } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import { defaultScopeAccess } from '../model/resources/team-scopes.js';
import { parseQuery } from '../query/parse-query.js';
import type { QueryRules } from '../query/parse-query.js';
import type { Vocabulary } from '../query/vocabulary.js';
import { createRecordComparator, prepareSort } from '../records/record-order.js';
import { RecordSet } from '../records/record-set.js';
import { queryRecordSet } from '../records/query-record-set.js';
import type { SourceParameters } from '../source/dialect/request-url.js';

/** Equal for records with equal content. */
export function recordKey({ values, extraProperties }: RecordRow): string {
  return JSON.stringify([values, extraProperties]);
}

export function recordDisplayName(resource: Resource, record: DraftRecord): string {
  const names = resource.nameProperties.map((name) => record.valueAt(findPropertyPosition(resource, name)));
  return JSON.stringify(String(names.find((name) => name !== undefined) ?? '').slice(0, 40));
}

/**
 * Computes the exact result of a query as if the records were the complete list, with Rollcall's own predicates and
 * orders. Records carry no ids, so they are equal in an order if its properties are equal.
 */
export class ReferenceRecords {
  readonly recordSet: RecordSet;
  private readonly indexByKey = new Map<string, number>();

  constructor(
    readonly vocabulary: Vocabulary,
    readonly records: readonly DraftRecord[],
  ) {
    this.recordSet = new RecordSet(vocabulary.resource, { sourceNumber: 0 }, records);
    records.forEach((draft, index) => this.indexByKey.set(recordKey(draft), index));
  }

  get resource(): Resource {
    return this.vocabulary.resource;
  }

  get size(): number {
    return this.records.length;
  }

  indexOf(draft: DraftRecord): number | undefined {
    return this.indexByKey.get(recordKey(draft));
  }

  /** In order; undefined for a query that Rollcall rejects. */
  async matchingIndexes(parameters: SourceParameters): Promise<readonly number[] | undefined> {
    const query = this.parse(parameters);
    if (query === undefined) return undefined;
    const { positions } = await queryRecordSet(this.recordSet, {
      predicates: query.predicates,
      order: query.order,
    });
    return Array.from(positions, ({ index }) => index);
  }

  /** By position; 0 where only a tie-break could distinguish the records. */
  async comparator(sort: string): Promise<(a: number, b: number) => number> {
    const order = this.parse({ sort })?.order ?? [];
    const sortableSet = await prepareSort(this.recordSet, order);
    const compare = createRecordComparator(order);
    return (a, b) => compare({ sortableSet, index: a }, { sortableSet, index: b });
  }

  private parse(parameters: SourceParameters): Query | undefined {
    const raw = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    const maxRecords = Number.MAX_SAFE_INTEGER;
    const rules: QueryRules = {
      vocabulary: this.vocabulary,
      limit: { default: maxRecords, max: maxRecords },
      envelope: true,
      scopeAccess: defaultScopeAccess,
    };
    const parsed = parseQuery(raw.join('&'), rules, 'public');
    return 'query' in parsed ? parsed.query : undefined;
  }
}
