import { compareCodePoints } from '../text/code-point-order.js';
import type { FindingCounts } from '../source/record/findings.js';
import type { RecordReading } from './recording-record-reader.js';
import type { FindingReport } from './preview-report.js';
import { readProperty } from './read-records.js';
import type { Sanitizer } from './sanitizer.js';

/** Ordered by field and rule, each with the first value that was found, where it is about a value. */
export function reportFindings(
  findings: FindingCounts,
  readings: readonly RecordReading[],
  sanitizer: Sanitizer,
): readonly FindingReport[] {
  const examples = new Map<string, unknown>();
  for (const { raw, findings: found } of readings) {
    for (const { field, rule } of found) {
      const key = `${rule} ${field}`;
      if (!examples.has(key)) examples.set(key, readProperty(raw, field));
    }
  }
  const reports = [...findings].map(([key, count]) => {
    const [rule = ''] = key.split(' ', 1);
    const example = examples.get(key);
    return {
      rule,
      field: sanitizer.redact(key.slice(rule.length + 1)),
      count,
      ...(example !== undefined && { example: sanitizer.copy(example) }),
    };
  });
  return reports.sort((a, b) => compareCodePoints(a.field, b.field) || compareCodePoints(a.rule, b.rule));
}
