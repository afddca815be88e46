import type { Query } from '../../model/query.js';
import { reportFailureDetail } from '../../model/outcome.js';
import type { SourceOutcome } from '../../model/outcome.js';

/** A query as the log tells it: its canonical key, and what is cut from its set; or the id of the one item that is asked for. */
export function formatQueryField(
  { canonicalKey: key, offset, limit, fields }: Query,
  item: number | undefined,
): string {
  if (item !== undefined) return String(item);
  return `${key}&offset=${offset}&limit=${limit}${fields === undefined ? '' : `&fields=${fields.join(',')}`}`;
}

/** What each source contributed, and after how many milliseconds. */
export function createSourceFields(outcomes: readonly SourceOutcome<unknown>[]): Record<string, object> {
  return Object.fromEntries(
    outcomes.map(({ code, outcome, milliseconds }) => {
      const reason = 'reason' in outcome ? { reason: outcome.reason, ...reportFailureDetail(outcome) } : {};
      return [code, { state: outcome.state, ...reason, milliseconds }];
    }),
  );
}
