import type { Node } from '../model/document.js';
import { jsonPieces } from './json.js';

/** How a renderer is asked to write. */
export interface Style {
  readonly pretty: boolean;
}

/** A format: one row, one renderer. A further format is one file and one row. */
export interface Format {
  /** Of a URL: `.json`. */
  readonly extension: string;
  /** Media type that is written, and the one that Accept is compared with. */
  readonly mediaType: string;
  /** The document as text, in pieces. */
  readonly render: (document: Node, style: Style) => Iterable<string>;
}

/** The default, first of the table (interfaces.md, section 1). */
export const json: Format = {
  extension: '.json',
  mediaType: 'application/json',
  render: (document, { pretty }) => jsonPieces(document, pretty),
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
