import type { SourcePage } from './page.js';
import type { DrainResult } from '../record/drain-result.js';

/** Empty for the pages of an interface. */
export function sumExpressionResults(pages: readonly SourcePage<unknown>[]): Pick<DrainResult<unknown>, 'expressions'> {
  const valueCounts = new Map<string, number>();
  const failures = new Map<string, string>();
  let [entryCount, recordCount] = [0, 0];
  for (const { document, receivedCount } of pages) {
    if (document === undefined) continue;
    recordCount += receivedCount;
    for (const [field, count] of document.valueCounts) valueCounts.set(field, (valueCounts.get(field) ?? 0) + count);
    for (const [field, { entry, message }] of document.failures)
      if (!failures.has(field)) failures.set(field, `entry ${entryCount + entry}: ${message}`);
    entryCount += document.entryCount;
  }
  return pages.some(({ document }) => document !== undefined)
    ? { expressions: { entryCount, recordCount, valueCounts, failures } }
    : {};
}
