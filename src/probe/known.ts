import type { Query } from '../model/query.js';
import type { Draft, Row } from '../model/record.js';
import { positionOf } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import { parseQuery } from '../query/parse.js';
import type { Vocabulary } from '../query/vocabulary.js';
import { totalOrder, withOrder } from '../records/order.js';
import { RecordSet } from '../records/record-set.js';
import { search } from '../records/search.js';
import type { Parameters } from '../source/dialect.js';

/** Equal for records that say the same. */
export function keyOf({ values, further }: Row): string {
  return JSON.stringify([values, further]);
}

/** What a reader calls the record. */
export function nameOf(resource: Resource, record: Draft): string {
  const names = resource.names.map((name) => record.value(positionOf(resource, name)));
  return JSON.stringify(String(names.find((name) => name !== undefined) ?? '').slice(0, 40));
}

/**
 * Records in memory, and what the exact answer to a query would be if they were all: by the predicates and orders of this house. They
 * carry no ids, so that records are equal in an order when only its fields decide.
 */
export class Known {
  readonly set: RecordSet;
  private readonly places = new Map<string, number>();

  constructor(
    readonly vocabulary: Vocabulary,
    readonly drafts: readonly Draft[],
  ) {
    this.set = new RecordSet(vocabulary.resource, 0, drafts);
    drafts.forEach((draft, at) => this.places.set(keyOf(draft), at));
  }

  get resource(): Resource {
    return this.vocabulary.resource;
  }

  get size(): number {
    return this.drafts.length;
  }

  /** Position of a record that says the same. */
  placeOf(draft: Draft): number | undefined {
    return this.places.get(keyOf(draft));
  }

  /** Positions of the records that match, in order; undefined where this house would refuse the query. */
  async exact(parameters: Parameters): Promise<readonly number[] | undefined> {
    const query = this.query(parameters);
    if (query === undefined) return undefined;
    const { places } = await search(this.set, { where: query.where, order: query.order });
    return Array.from(places, ({ at }) => at);
  }

  /** Compares records by position in the order of a `sort`: zero where only a tie-break could tell them apart. */
  async order(sort: string): Promise<(a: number, b: number) => number> {
    const order = this.query({ sort })?.order ?? [];
    const from = await withOrder(this.set, order);
    const compare = totalOrder(order);
    return (a, b) => compare({ from, at: a }, { from, at: b });
  }

  private query(parameters: Parameters): Query | undefined {
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
