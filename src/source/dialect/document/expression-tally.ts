import type { FindingSink } from '../../record/findings.js';
import type { ExpressionFailure } from '../raw-page.js';

/** For the entries of one page. */
export class ExpressionTally {
  /** Entries for which an expression gave a value, by field. */
  readonly valueCounts: Map<string, number>;
  /** The first entry that failed, by field. */
  readonly failures = new Map<string, ExpressionFailure>();

  /** Of the page, as the expressions get them. */
  entries: readonly unknown[] = [];

  constructor(
    fields: readonly string[],
    private readonly findings: FindingSink,
  ) {
    this.valueCounts = new Map(fields.map((field) => [field, 0]));
  }

  addValue(field: string): void {
    this.valueCounts.set(field, (this.valueCounts.get(field) ?? 0) + 1);
  }

  /** Decisions 4.27.3. */
  addFailure(field: string, entry: unknown, message: string): void {
    this.findings.add(field, 'expression-failed');
    if (!this.failures.has(field)) this.failures.set(field, { entry: this.entries.indexOf(entry) + 1, message });
  }
}
