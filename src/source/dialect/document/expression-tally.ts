import type { FindingSink } from '../../record/findings.js';
import type { ExpressionFailure } from '../raw-page.js';

/** Counts what the expressions of a registration give for the entries of one page. */
export class ExpressionTally {
  /** Number of entries for which an expression gave a value, by field. */
  readonly valueCounts: Map<string, number>;
  /** The first entry for which an expression failed, by field. */
  readonly failures = new Map<string, ExpressionFailure>();

  /** The entries of the page, in their order, as the expressions get them. */
  entries: readonly unknown[] = [];

  constructor(
    fields: readonly string[],
    private readonly findings: FindingSink,
  ) {
    this.valueCounts = new Map(fields.map((field) => [field, 0]));
  }

  /** Counts a value of the expression for a field. */
  addValue(field: string): void {
    this.valueCounts.set(field, (this.valueCounts.get(field) ?? 0) + 1);
  }

  /** Counts an entry for which the expression for a field failed (decisions 4.27.3). */
  addFailure(field: string, entry: unknown, message: string): void {
    this.findings.add(field, 'expression-failed');
    if (!this.failures.has(field)) this.failures.set(field, { entry: this.entries.indexOf(entry) + 1, message });
  }
}
