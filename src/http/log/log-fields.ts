import type { Query } from '../../model/query.js';
import { reportFailureDetail } from '../../model/outcome.js';
import type { SourceOutcome } from '../../model/outcome.js';

/**
 * The log field `query` (operation 5.2): the canonical key of a query with its page and fields, or the id of a single
 * item.
 */
export function formatQueryField(
  { canonicalKey: key, offset, limit, fields }: Query,
  item: string | undefined,
): string {
  if (item !== undefined) return item;
  const selection = key.slice(key.indexOf(' ') + 1);
  return `${selection}&offset=${offset}&limit=${limit}${fields === undefined ? '' : `&fields=${fields.join(',')}`}`;
}

/** The log field `sources` (operation 5.2): state, reason and milliseconds of each source, by its code. */
export function createSourceFields(outcomes: readonly SourceOutcome<unknown>[]): Record<string, object> {
  return Object.fromEntries(
    outcomes.map(({ code, outcome, milliseconds }) => {
      const reason = 'reason' in outcome ? { reason: outcome.reason, ...reportFailureDetail(outcome) } : {};
      return [code, { state: outcome.state, ...reason, milliseconds }];
    }),
  );
}
