import type { Node } from '../model/document.js';
import { jsonPieces } from './json.js';

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

/** An answer as a sheet. */
export interface Table {
  /** What the sheet is called: the resource's path (`teams`, `news`, `channels`), or `error`. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Rows by column name; a list is a cell with several items. Read once. */
  readonly rows: Iterable<ReadonlyMap<string, Node>>;
  /** What a saved file must keep of what the headers told, in order: query, total, last-modified, sources (each: name, state, reason, records). */
  readonly about: ReadonlyMap<string, Node>;
}

/** A format: one row, one renderer. A further format is one file and one row. */
export interface Format {
  readonly name: 'json' | 'yaml' | 'xml' | 'csv' | 'xlsx';
  /** Of a URL, `.json`; yaml has `.yml` and `.yaml`. */
  readonly extensions: readonly string[];
  /** Media types that are read and, when that is what was asked for, written; the first is the default. Without charset. */
  readonly mediaTypes: readonly string[];
  /** Whether it is text: `; charset=utf-8` is written. */
  readonly text: boolean;
  /** Saved as a file: Content-Disposition: attachment. */
  readonly attachment: boolean;
  /** Text in pieces, one per record, so that it can be written in turns of the event loop; or bytes. */
  readonly render: (rendering: Rendering, style: Style) => Iterable<string> | Promise<Uint8Array>;
}

/** The default, first of the table (interfaces.md, section 1). */
export const json: Format = {
  name: 'json',
  extensions: ['.json'],
  mediaTypes: ['application/json'],
  text: true,
  attachment: false,
  render: ({ document }, { pretty }) => jsonPieces(document, pretty),
};

/** The formats that are served, the preferred one first (decisions.md, section 3). */
export const formats: readonly Format[] = [json];

/** Line ends in JavaScript before ES2019, which JSON text may hold as they are. */
const LINE_ENDS = /[\u2028\u2029]/g;

/** JSONP (decisions.md, section 2): a call of `callback` with the document; the comment keeps the text from being another file type. */
export function* jsonpPieces(document: Node, { pretty }: Style, callback: string): Generator<string, void, undefined> {
  yield `/**/${callback}(`;
  for (const piece of jsonPieces(document, pretty)) {
    yield piece.replace(LINE_ENDS, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029'));
  }
  yield ');';
}

/** Media type of a JSONP answer. */
export const jsonpMediaType = 'text/javascript';
