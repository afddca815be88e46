import { findPropertyKind } from '../../model/resource.js';
import type { SortKey } from '../../model/query.js';
import type { Resource } from '../../model/resource.js';
import type { FirstRecordsChecks } from './pages-of-first-records.js';
import { isFilteredQuery } from '../../source/request/source-query.js';
import type { SourceQuery } from '../../source/request/source-query.js';

export type TopRecordsCheckPolicy = Pick<FirstRecordsChecks, 'fillsFirstPage' | 'furtherPages' | 'unfilteredTotal'>;

/** Milliseconds between checks of an order over all records (decisions 5.17). Sources seldom change their collation. */
const ORDER_CHECK_INTERVAL = 3_600_000;

/**
 * For one source. An ignored filter shows in one page's records and the total; a different collation only where two
 * texts meet that the collations order differently.
 */
export class TopRecordsCheckPolicies {
  /** The last ones, by resource. */
  private readonly unfilteredTotals = new Map<Resource, number>();
  /** Over the whole list, in milliseconds since 1970. */
  private readonly orderCheckedAt = new Map<string, number>();

  /** `now` is in milliseconds since 1970. */
  policyFor(query: SourceQuery, now: number): TopRecordsCheckPolicy {
    const filtered = isFilteredQuery(query);
    const collated = isTextOrder(query);
    const isDue = collated && now >= (this.orderCheckedAt.get(orderKey(query)) ?? -Infinity) + ORDER_CHECK_INTERVAL;
    const total = filtered ? this.unfilteredTotals.get(query.resource) : undefined;
    return {
      fillsFirstPage: filtered || collated,
      furtherPages: isDue ? 'spread' : filtered ? 'end' : 'none',
      ...(total !== undefined && { unfilteredTotal: total }),
    };
  }

  /** Of a query without filters. */
  noteTotal({ resource, parameters }: SourceQuery, total: number | undefined): void {
    const isWhole = Object.keys(parameters).every((name) => name === 'sort');
    if (isWhole && total !== undefined) this.unfilteredTotals.set(resource, total);
  }

  /** The checks of `policy` found no contradiction. */
  notePassed(query: SourceQuery, { furtherPages }: TopRecordsCheckPolicy, now: number): void {
    // The few records that pass a filter prove little about the others.
    if (furtherPages === 'spread' && !isFilteredQuery(query)) this.orderCheckedAt.set(orderKey(query), now);
  }
}

/** The order depends on how texts are compared. */
function isTextOrder({ resource, pushDown }: SourceQuery): boolean {
  const { order = [] } = pushDown?.topRecords ?? {};
  return order.some((key) => !isNonText(resource, key));
}

const NON_TEXT_KINDS: ReadonlySet<string | undefined> = new Set([
  'date',
  'timestamp',
  'spaced-timestamp',
  'http-date',
  'id',
]);

function isNonText(resource: Resource, { property }: SortKey): boolean {
  return NON_TEXT_KINDS.has(findPropertyKind(resource, property));
}

function orderKey({ resource, pushDown }: SourceQuery): string {
  const { order = [] } = pushDown?.topRecords ?? {};
  return `${resource.name} ${order.map(({ property, descending }) => `${descending ? '-' : ''}${property}`).join()}`;
}
