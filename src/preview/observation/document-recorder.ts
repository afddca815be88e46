import type { DocumentFormat } from '../../model/registration/document-mapping.js';
import { SELECTION_FIELD } from '../../source/record/drain-result.js';
import { JOIN_FIELD } from '../../source/dialect/document/document-observer.js';
import type { DocumentObserver, ObservedEntries } from '../../source/dialect/document/document-observer.js';
import { hasContent } from '../../source/dialect/document/document-parser.js';
import type { MappedValue, MappingExpression } from '../../source/dialect/document/expression.js';
import { isTruthy } from '../../text/jmespath-adapter.js';
import { ReadRecorder } from './read-recorder.js';
import type { PropertyRead } from './read-recorder.js';

/** One evaluation of an expression over an entry. */
export interface Evaluation {
  readonly mapped: MappedValue;
  readonly reads: readonly PropertyRead[];
}

/** What the evaluations of one expression gave. */
export interface ExpressionStatistics {
  values: number;
  failures: number;
  /** The first entry for which the expression could not be evaluated. */
  firstFailure?: { readonly entry: unknown; readonly message: string };
}

const NO_ENTRIES: ObservedEntries = { sent: [], joined: [], selected: [] };

/** Records how the first page of a document is read: its entries, and what each expression reads and gives. */
export class DocumentRecorder implements DocumentObserver {
  readonly reads = new ReadRecorder();
  readonly statistics = new Map<string, ExpressionStatistics>();
  format: DocumentFormat | undefined;
  /** The parsed body; undefined if there is none yet. */
  document: { readonly value: unknown } | undefined;
  entries: ObservedEntries = NO_ENTRIES;
  /** Evaluations of the first entries that are mapped, by field. */
  private readonly evaluations = new Map<unknown, Map<string, Evaluation>>();

  /** `limit` is the number of entries whose evaluations are kept. */
  constructor(private readonly limit: number) {}

  /** The evaluation of the expression for a property over an entry, if it was kept. */
  evaluationOf(entry: unknown, field: string): Evaluation | undefined {
    return this.evaluations.get(entry)?.get(field);
  }

  onFormat(format: DocumentFormat): void {
    this.format = format;
  }

  onDocument(document: unknown): void {
    this.document = { value: document };
  }

  onEntries(entries: ObservedEntries): void {
    this.entries = entries;
  }

  /**
   * Returns an expression with the same results. It evaluates the expression a second time over a view of the entry,
   * so that recording what it reads cannot change its result.
   */
  watchExpression(field: string, expression: MappingExpression): MappingExpression {
    const statistics: ExpressionStatistics = { values: 0, failures: 0 };
    this.statistics.set(field, statistics);
    const givesValue = field === SELECTION_FIELD ? isTruthy : hasItems;
    return (entry) => {
      const mapped = expression(entry);
      if ('failure' in mapped) {
        statistics.failures += 1;
        statistics.firstFailure ??= { entry, message: mapped.failure };
      } else if (givesValue(mapped.value)) statistics.values += 1;
      if (typeof entry === 'object' && entry !== null) this.recordReads(field, entry, { expression, mapped });
      return mapped;
    };
  }

  private recordReads(
    field: string,
    entry: object,
    { expression, mapped }: { readonly expression: MappingExpression; readonly mapped: MappedValue },
  ): void {
    const reads = this.reads.record(entry, (view) => {
      const viewed = expression(view);
      return 'failure' in viewed ? undefined : viewed.value;
    });
    if (field === SELECTION_FIELD || field === JOIN_FIELD) return;
    const kept = this.evaluations.get(entry) ?? new Map<string, Evaluation>();
    if (kept.size === 0 && this.evaluations.size >= this.limit) return;
    this.evaluations.set(entry, kept.set(field, { mapped, reads }));
  }
}

/** Whether an expression gave a value that a record can have: not an empty list, nor a list of nothing. */
function hasItems(value: unknown): boolean {
  return Array.isArray(value) ? value.some(hasContent) : hasContent(value);
}
