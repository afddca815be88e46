import { findPropertyKind } from '../../model/resource.js';
import type { SortKey } from '../../model/query.js';
import type { Resource } from '../../model/resource.js';
import type { TopRecordsChecks } from './top-records.js';
import { isFilteredQuery } from '../request/source-query.js';
import type { SourceQuery } from '../request/source-query.js';

/** Which checks a stream gets: a plain value. */
export type TopRecordsCheckPolicy = Pick<TopRecordsChecks, 'fillsFirstPage' | 'furtherPages' | 'unfilteredTotal'>;

/** Milliseconds for which an order that was checked over a whole stream is not checked so again: a source's collation seldom changes. */
const ORDER_CHECK_INTERVAL = 3_600_000;

/**
 * What one source's streams are checked for (decisions.md, section 5). A filter may be ignored, which the records of one page and the total show; texts
 * may be sorted by another collation, which shows where two of them meet that collations order differently.
 */
export class TopRecordsCheckPolicies {
  /** What the source counts without filters, by resource. */
  private readonly unfilteredTotals = new Map<Resource, number>();
  /** When an order was last checked over the whole stream, in milliseconds since 1970. */
  private readonly orderCheckedAt = new Map<string, number>();

  /** The policy for a stream at `now`, in milliseconds since 1970. */
  policyFor(wish: SourceQuery, now: number): TopRecordsCheckPolicy {
    const filtered = isFilteredQuery(wish);
    const collated = isTextOrder(wish);
    const isDue = collated && now >= (this.orderCheckedAt.get(orderKey(wish)) ?? -Infinity) + ORDER_CHECK_INTERVAL;
    const total = filtered ? this.unfilteredTotals.get(wish.resource) : undefined;
    return {
      fillsFirstPage: filtered || collated,
      furtherPages: isDue ? 'spread' : filtered ? 'end' : 'none',
      ...(total !== undefined && { unfilteredTotal: total }),
    };
  }

  /** Notes what the source counts without filters. */
  noteTotal({ resource, parameters }: SourceQuery, total: number | undefined): void {
    const isWhole = Object.keys(parameters).every((name) => name === 'sort');
    if (isWhole && total !== undefined) this.unfilteredTotals.set(resource, total);
  }

  /** Notes that nothing contradicted the order of a stream that was checked as `policy` says. */
  notePassed(wish: SourceQuery, { furtherPages: looks }: TopRecordsCheckPolicy, now: number): void {
    // What holds for the few that a filter lets through says little of the others.
    if (looks === 'spread' && !isFilteredQuery(wish)) this.orderCheckedAt.set(orderKey(wish), now);
  }
}

/** Whether the order depends on how texts compare. */
function isTextOrder({ resource, pushDown: pushed }: SourceQuery): boolean {
  const { order = [] } = pushed?.topRecords ?? {};
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

function orderKey({ resource, pushDown: pushed }: SourceQuery): string {
  const { order = [] } = pushed?.topRecords ?? {};
  return `${resource.name} ${order.map(({ property, descending }) => `${descending ? '-' : ''}${property}`).join()}`;
}
