import { describeMissingProperty } from '../../model/reasons.js';
import { isEntryField } from '../../source/record/drain-result.js';
import type { ExpressionResults } from '../../source/record/drain-result.js';
import { SourceFailure } from '../../source/client/source-failure.js';

/** Above it an expression that gives no values any more is suspect, however rare they were. */
const MIN_GUARDED_VALUES = 20;

/**
 * Throws a `SourceFailure` (`schema`) if a document changed shape (decisions 4.27.5):
 * - An expression gives no value any more, although it gave values for at least half of the records, and for more than
 *   one, or for more than 20. The records would silently lose a property, or be others than `only` selects.
 * - It has no records any more.
 */
export function requireKnownValues(now: ExpressionResults | undefined, before: ExpressionResults | undefined): void {
  if (now === undefined || before === undefined) return;
  for (const [field, count] of now.valueCounts) {
    const known = before.valueCounts.get(field) ?? 0;
    const isGuarded = known > MIN_GUARDED_VALUES || (known > 1 && known * 2 >= before.recordCount);
    const total = isEntryField(field) ? now.entryCount : now.recordCount;
    if (count > 0 || total === 0 || !isGuarded) continue;
    const missing = { property: field, recordsWithout: total, recordsReceived: total };
    const message = `the expression for ${field} gives nothing any more: ${describeMissingProperty(missing)}, ${known} had it before`;
    throw new SourceFailure('schema', message, { missing });
  }
  // The shrink guard covers longer lists (decisions 6.11).
  if (now.recordCount === 0 && before.recordCount > 0 && before.recordCount <= MIN_GUARDED_VALUES)
    throw new SourceFailure('schema', `the document has no records any more, and had ${before.recordCount} before`);
}
