import type { DocumentNode } from '../model/document.js';
import { renderCsv } from './csv.js';
import { renderJson, renderJsonText } from './json.js';
import type { RenderInput, RenderOptions } from './render-input.js';
import { renderXlsx } from './xlsx.js';
import { renderYaml } from './yaml.js';

export type { RenderInput, RenderOptions, Table } from './render-input.js';

/** Text in pieces, some of them as its bytes, so that it can be written in turns of the event loop; or bytes that are no text. */
export type RenderedOutput = Iterable<string | Uint8Array> | Uint8Array;

/** A format: one row, one renderer. A further format is one file and one row. */
export interface Format {
  readonly name: 'json' | 'yaml' | 'xml' | 'csv' | 'xlsx';
  /** Of a URL, `.json`. */
  readonly extensions: readonly string[];
  /** Media types that are read and, when that is what was asked for, written; the first is the default. Without charset. */
  readonly mediaTypes: readonly string[];
  /** Whether it is text: `; charset=utf-8` is written. */
  readonly isText: boolean;
  /** Saved as a file: `Content-Disposition: attachment`. */
  readonly isAttachment: boolean;
  readonly render: (rendering: RenderInput, style: RenderOptions) => RenderedOutput | Promise<RenderedOutput>;
}

/** The default, first of the table (interfaces.md, section 1). */
export const jsonFormat = {
  name: 'json',
  extensions: ['.json'],
  mediaTypes: ['application/json'],
  isText: true,
  isAttachment: false,
  render: ({ document }: Pick<RenderInput, 'document'>, { pretty }: RenderOptions) => renderJson(document, pretty),
} as const satisfies Format;

/** Only YAML's own way of writing is pretty enough for either. */
const yamlFormat: Format = {
  name: 'yaml',
  extensions: ['.yml', '.yaml'],
  mediaTypes: ['application/yaml', 'text/yaml', 'application/x-yaml'],
  isText: true,
  isAttachment: false,
  render: ({ document }) => renderYaml(document),
};

const xmlFormat: Format = {
  name: 'xml',
  extensions: ['.xml'],
  mediaTypes: ['application/xml', 'text/xml'],
  isText: true,
  isAttachment: false,
  // Loaded with the first answer in XML: its library is large, and stays in memory.
  render: async ({ document }, style) => (await import('./xml.js')).renderXml(document, style),
};

const csvFormat: Format = {
  name: 'csv',
  extensions: ['.csv'],
  mediaTypes: ['application/csv', 'text/csv'],
  isText: true,
  isAttachment: true,
  render: ({ table }) => renderCsv(table),
};

const xlsxFormat: Format = {
  name: 'xlsx',
  extensions: ['.xlsx'],
  mediaTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  isText: false,
  isAttachment: true,
  render: ({ table }) => renderXlsx(table),
};

/** The formats that are served, the preferred one first (decisions.md, section 3). */
export const formats: readonly Format[] = [jsonFormat, yamlFormat, xmlFormat, csvFormat, xlsxFormat];

/** Line ends in JavaScript before ES2019, which JSON text may hold as they are. */
const LINE_ENDS = /[\u2028\u2029]/g;

/** A name that in JavaScript, other than in JSON, sets the prototype; its opening quote stands behind one of these, and no text holds a bare one. */
const PROTOTYPE_KEY = /(?<=[{,\s])"__proto__":/g;

/** JSONP (decisions.md, section 2): a call of `callback` with the document; the comment keeps the text from being another file type. */
export function* renderJsonp(
  document: DocumentNode,
  { pretty }: RenderOptions,
  callback: string,
): Generator<string, void, undefined> {
  yield `/**/${callback}(`;
  for (const piece of renderJsonText(document, pretty)) {
    yield piece
      .replace(LINE_ENDS, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029'))
      .replace(PROTOTYPE_KEY, '["__proto__"]:');
  }
  yield ');';
}

/** Media type of a JSONP answer. */
export const jsonpMediaType = 'text/javascript';
