import { kindOf } from '../model/resource.js';
import type { SortKey } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import type { StreamChecks } from './stream-types.js';
import { isFiltered } from './wish.js';
import type { Wish } from './wish.js';

/** Which checks a stream gets: a plain value. */
export type StreamPolicy = Pick<StreamChecks, 'fills' | 'looks' | 'unfiltered'>;

/** Milliseconds for which an order that was checked over a whole stream is not checked so again: a source's collation seldom changes. */
const ORDER_CHECK_INTERVAL = 3_600_000;

/**
 * What one source's streams are checked for (decisions.md, section 5). A filter may be ignored, which the records of one page and the total show; texts
 * may be sorted by another collation, which shows where two of them meet that collations order differently.
 */
export class StreamPolicies {
  /** What the source counts without filters, by resource. */
  private readonly totals = new Map<Resource, number>();
  /** When an order was last checked over the whole stream, in milliseconds since 1970. */
  private readonly checkedAt = new Map<string, number>();

  /** The policy for a stream at `now`, in milliseconds since 1970. */
  of(wish: Wish, now: number): StreamPolicy {
    const filtered = isFiltered(wish);
    const collated = isCollated(wish);
    const isDue = collated && now >= (this.checkedAt.get(orderKey(wish)) ?? -Infinity) + ORDER_CHECK_INTERVAL;
    const total = filtered ? this.totals.get(wish.resource) : undefined;
    return {
      fills: filtered || collated,
      looks: isDue ? 'spread' : filtered ? 'end' : 'none',
      ...(total !== undefined && { unfiltered: total }),
    };
  }

  /** Notes what the source counts without filters. */
  counted({ resource, parameters }: Wish, total: number | undefined): void {
    const isWhole = Object.keys(parameters).every((name) => name === 'sort');
    if (isWhole && total !== undefined) this.totals.set(resource, total);
  }

  /** Notes that nothing contradicted the order of a stream that was checked as `policy` says. */
  passed(wish: Wish, { looks }: StreamPolicy, now: number): void {
    // What holds for the few that a filter lets through says little of the others.
    if (looks === 'spread' && !isFiltered(wish)) this.checkedAt.set(orderKey(wish), now);
  }
}

/** Whether the order depends on how texts compare. */
function isCollated({ resource, pushed }: Wish): boolean {
  const { order = [] } = pushed?.front ?? {};
  return order.some((key) => !isMeasured(resource, key));
}

const MEASURED: ReadonlySet<string | undefined> = new Set(['date', 'timestamp', 'spaced-timestamp', 'http-date', 'id']);

function isMeasured(resource: Resource, { property }: SortKey): boolean {
  return MEASURED.has(kindOf(resource, property));
}

function orderKey({ resource, pushed }: Wish): string {
  const { order = [] } = pushed?.front ?? {};
  return `${resource.name} ${order.map(({ property, descending }) => `${descending ? '-' : ''}${property}`).join()}`;
}
