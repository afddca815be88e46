import type { Node } from '../model/document.js';
import { csvPieces } from './csv.js';
import { jsonChunks, jsonPieces } from './json.js';
import type { Rendering, Style } from './rendering.js';
import { xlsxBytes } from './xlsx.js';
import { yamlPieces } from './yaml.js';

export type { Rendering, Style, Table } from './rendering.js';

/** Text in pieces, some of them as its bytes, so that it can be written in turns of the event loop; or bytes that are no text. */
export type Output = Iterable<string | Uint8Array> | Uint8Array;

/** A format: one row, one renderer. A further format is one file and one row. */
export interface Format {
  readonly name: 'json' | 'yaml' | 'xml' | 'csv' | 'xlsx';
  /** Of a URL, `.json`. */
  readonly extensions: readonly string[];
  /** Media types that are read and, when that is what was asked for, written; the first is the default. Without charset. */
  readonly mediaTypes: readonly string[];
  /** Whether it is text: `; charset=utf-8` is written. */
  readonly text: boolean;
  /** Saved as a file: `Content-Disposition: attachment`. */
  readonly attachment: boolean;
  readonly render: (rendering: Rendering, style: Style) => Output | Promise<Output>;
}

/** The default, first of the table (interfaces.md, section 1). */
export const json = {
  name: 'json',
  extensions: ['.json'],
  mediaTypes: ['application/json'],
  text: true,
  attachment: false,
  render: ({ document }: Pick<Rendering, 'document'>, { pretty }: Style) => jsonChunks(document, pretty),
} as const satisfies Format;

/** Only YAML's own way of writing is pretty enough for either. */
const yaml: Format = {
  name: 'yaml',
  extensions: ['.yml', '.yaml'],
  mediaTypes: ['application/yaml', 'text/yaml', 'application/x-yaml'],
  text: true,
  attachment: false,
  render: ({ document }) => yamlPieces(document),
};

const xml: Format = {
  name: 'xml',
  extensions: ['.xml'],
  mediaTypes: ['application/xml', 'text/xml'],
  text: true,
  attachment: false,
  // Loaded with the first answer in XML: its library is large, and stays in memory.
  render: async ({ document }, style) => (await import('./xml.js')).xmlPieces(document, style),
};

const csv: Format = {
  name: 'csv',
  extensions: ['.csv'],
  mediaTypes: ['application/csv', 'text/csv'],
  text: true,
  attachment: true,
  render: ({ table }) => csvPieces(table),
};

const xlsx: Format = {
  name: 'xlsx',
  extensions: ['.xlsx'],
  mediaTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  text: false,
  attachment: true,
  render: ({ table }) => xlsxBytes(table),
};

/** The formats that are served, the preferred one first (decisions.md, section 3). */
export const formats: readonly Format[] = [json, yaml, xml, csv, xlsx];

/** Line ends in JavaScript before ES2019, which JSON text may hold as they are. */
const LINE_ENDS = /[\u2028\u2029]/g;

/** A name that in JavaScript, other than in JSON, sets the prototype; its opening quote stands behind one of these, and no text holds a bare one. */
const PROTOTYPE = /(?<=[{,\s])"__proto__":/g;

/** JSONP (decisions.md, section 2): a call of `callback` with the document; the comment keeps the text from being another file type. */
export function* jsonpPieces(document: Node, { pretty }: Style, callback: string): Generator<string, void, undefined> {
  yield `/**/${callback}(`;
  for (const piece of jsonPieces(document, pretty)) {
    yield piece
      .replace(LINE_ENDS, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029'))
      .replace(PROTOTYPE, '["__proto__"]:');
  }
  yield ');';
}

/** Media type of a JSONP answer. */
export const jsonpMediaType = 'text/javascript';
