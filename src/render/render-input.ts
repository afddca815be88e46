import type { DocumentNode } from '../model/document.js';

/** How a renderer is asked to write. */
export interface RenderOptions {
  readonly pretty: boolean;
}

/** An answer as renderers get it; whichever half a format does not need is never read. */
export interface RenderInput {
  /** The whole: an envelope, a bare list, one item, or an error. Its lists may be generators: read once. */
  readonly document: DocumentNode;
  /** The same as rows and columns (csv, xlsx). */
  readonly table: Table;
}

/** An answer as rows and columns. */
export interface Table {
  /** What the sheet is called: the resource's path (`teams`, `news`, `channels`), or `error`. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Rows by column name; a list is a cell with several items. Read once. */
  readonly rows: Iterable<ReadonlyMap<string, DocumentNode>>;
  /** What a saved file must keep of what the headers told, in order: query, total, last-modified, sources (each source: name, state, reason, records). */
  readonly metadata: ReadonlyMap<string, DocumentNode>;
}
