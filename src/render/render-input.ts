import type { DocumentNode } from '../model/document-node.js';

/** Options of a renderer. */
export interface RenderOptions {
  readonly pretty: boolean;
}

/** A response as input of a renderer. A renderer uses either the document or the table; the other one is never read. */
export interface RenderInput {
  /**
   * The complete document: an envelope, a bare list, a single item or an error. Its lists may be generators, which are
   * iterated once.
   */
  readonly document: DocumentNode;
  /** The same as rows and columns, for CSV and XLSX. */
  readonly table: Table;
}

/** A response as rows and columns. */
export interface Table {
  /** Name of the sheet: the path of the resource (`teams`, `news`, `channels`), or `error`. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Rows by column name; a list is a cell with several items. Iterated once. */
  readonly rows: Iterable<ReadonlyMap<string, DocumentNode>>;
  /**
   * Content of the sheet `About` of XLSX (decisions 3.10), in order: query, total, last-modified and sources, each with
   * name, state, reason and number of records.
   */
  readonly metadata: ReadonlyMap<string, DocumentNode>;
}
