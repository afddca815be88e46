import { describeMissingProperty } from '../../model/outcome.js';
import type { DrainResult } from '../record/drain-result.js';
import { SourceFailure } from '../client/source-failure.js';

/** Number of values above which an expression that gives none any more is suspect, however rare the property was. */
const MIN_GUARDED_VALUES = 20;

/** The values that the expressions of a document gave, by property, and the number of its records. */
export interface ExpressionValues {
  readonly valueCounts?: ReadonlyMap<string, number> | undefined;
  readonly receivedCount: number;
}

/**
 * Throws a `SourceFailure` (`schema`) if an expression of a document gives no value for any record, although it gave
 * values for at least half of the records, and for more than one, or for more than 20, in the last snapshot: the
 * document has another shape, and its records would silently lose a property (decisions 4.27).
 */
export function requireKnownValues(
  { valueCounts, receivedCount }: Pick<DrainResult<unknown>, 'valueCounts' | 'receivedCount'>,
  before: ExpressionValues | undefined,
): void {
  if (valueCounts === undefined || before?.valueCounts === undefined || receivedCount === 0) return;
  for (const [property, count] of valueCounts) {
    const known = before.valueCounts.get(property) ?? 0;
    const isGuarded = known > MIN_GUARDED_VALUES || (known > 1 && known * 2 >= before.receivedCount);
    if (count > 0 || !isGuarded) continue;
    const missing = { property, recordsWithout: receivedCount, recordsReceived: receivedCount };
    const message = `the expression for ${property} gives nothing any more: ${describeMissingProperty(missing)}, ${known} had it before`;
    throw new SourceFailure('schema', message, { missing });
  }
}
