import type { Node } from '../model/document.js';

/** How a renderer is asked to write. */
export interface Style {
  readonly pretty: boolean;
}

/** An answer as renderers get it; whichever half a format does not need is never read. */
export interface Rendering {
  /** The whole: an envelope, a bare list, one item, or an error. Its lists may be generators: read once. */
  readonly document: Node;
  /** The same as rows and columns (csv, xlsx). */
  readonly table: Table;
}

/** An answer as rows and columns. */
export interface Table {
  /** What the sheet is called: the resource's path (`teams`, `news`, `channels`), or `error`. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Rows by column name; a list is a cell with several items. Read once. */
  readonly rows: Iterable<ReadonlyMap<string, Node>>;
  /** What a saved file must keep of what the headers told, in order: query, total, last-modified, sources (each source: name, state, reason, records). */
  readonly about: ReadonlyMap<string, Node>;
}
