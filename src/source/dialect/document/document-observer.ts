import type { DocumentFormat } from '../../../model/registration/document-mapping.js';
import type { MappingExpression } from './expression.js';

/** Field of the expression `join.on`, which gives no property of a record. */
export const JOIN_FIELD = '(join)';

/** Watches how a document is read, for `rollcall preview` (operation 1.7). It must not change the result. */
export interface DocumentObserver {
  /** Called before a body is parsed. */
  onFormat(format: DocumentFormat): void;
  /** Called with each parsed body, before its entries are looked up. */
  onDocument(document: unknown): void;
  /** Called for each expression over entries. Returns the expression to be evaluated in its place. */
  watchExpression(field: string, expression: MappingExpression): MappingExpression;
  /** Called with the entries of each page, before they are mapped. */
  onEntries(page: ObservedEntries): void;
}

/** The entries of one page of a document. */
export interface ObservedEntries {
  /** As sent, with those that `only` leaves out. */
  readonly sent: readonly unknown[];
  /** The same entries, each with those of the second document. */
  readonly joined: readonly unknown[];
  /** Those of `joined` that `only` keeps. */
  readonly selected: readonly unknown[];
}
