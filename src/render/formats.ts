import type { DocumentNode } from '../model/document-node.js';
import { renderCsv } from './csv.js';
import { renderJson, renderJsonText } from './json.js';
import type { RenderInput, RenderOptions } from './render-input.js';
import { renderXlsx } from './xlsx.js';
import { renderYaml } from './yaml.js';

/**
 * Output of a renderer. Text is an iterable of pieces, some of them as bytes, so that the event loop can run between
 * them. A binary format is one array of bytes.
 */
export type RenderedOutput = Iterable<string | Uint8Array> | Uint8Array;

/** One row of the table of formats (decisions 3.1). A new format is one renderer and one row. */
export interface Format {
  readonly name: 'json' | 'yaml' | 'xml' | 'csv' | 'xlsx';
  /** Extensions of the URL path, such as `.json`. */
  readonly extensions: readonly string[];
  /**
   * Media types, without charset, that clients may request. The response has the requested one, or the first by default
   * (decisions 3.2).
   */
  readonly mediaTypes: readonly string[];
  /** Whether the format is text, whose media type is written with `; charset=utf-8`. */
  readonly isText: boolean;
  /** Whether the response is saved as a file, with `Content-Disposition: attachment` (decisions 3.3). */
  readonly isAttachment: boolean;
  /** What a body is, for the description of the interfaces (decisions 2.42). */
  readonly description: string;
  /** Whether a body is the document, and has its schema; a text that no schema describes; or a file. */
  readonly body: 'document' | 'text' | 'file';
  readonly render: (rendering: RenderInput, style: RenderOptions) => RenderedOutput | Promise<RenderedOutput>;
}

/** The default format (decisions 2.4). */
export const jsonFormat = {
  name: 'json',
  extensions: ['.json'],
  mediaTypes: ['application/json'],
  isText: true,
  isAttachment: false,
  description: 'JSON (RFC 8259).',
  body: 'document',
  render: ({ document }: Pick<RenderInput, 'document'>, { pretty }: RenderOptions) => renderJson(document, pretty),
} as const satisfies Format;

/** `pretty` has no effect on YAML (decisions 3.4). */
const yamlFormat: Format = {
  name: 'yaml',
  extensions: ['.yml', '.yaml'],
  mediaTypes: ['application/yaml', 'text/yaml', 'application/x-yaml'],
  isText: true,
  isAttachment: false,
  description: 'YAML with the values of the JSON, which readers of YAML 1.1 and 1.2 read alike.',
  body: 'document',
  render: ({ document }) => renderYaml(document),
};

const xmlFormat: Format = {
  name: 'xml',
  extensions: ['.xml'],
  mediaTypes: ['application/xml', 'text/xml'],
  isText: true,
  isAttachment: false,
  description:
    'XML without namespaces: `response` with the properties of the envelope, or `data`; each record is an `item`.',
  body: 'text',
  // Imported at the first XML response, because the library is large and stays in memory.
  render: async ({ document }, style) => (await import('./xml.js')).renderXml(document, style),
};

const csvFormat: Format = {
  name: 'csv',
  extensions: ['.csv'],
  mediaTypes: ['application/csv', 'text/csv'],
  isText: true,
  isAttachment: true,
  description: 'Comma-separated values (RFC 4180): a line of column names, and a line for each record.',
  body: 'text',
  render: ({ table }) => renderCsv(table),
};

const xlsxFormat: Format = {
  name: 'xlsx',
  extensions: ['.xlsx'],
  mediaTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  isText: false,
  isAttachment: true,
  description: 'Excel workbook: a sheet of records, and a sheet `About` with the query, the date and the sources.',
  body: 'file',
  render: ({ table }) => renderXlsx(table),
};

/** The formats that are served, in order of preference (decisions 3.1). */
export const formats: readonly Format[] = [jsonFormat, yamlFormat, xmlFormat, csvFormat, xlsxFormat];

/** Line ends of JavaScript before ES2019, which JSON text may contain unescaped (decisions 2.15). */
const LINE_ENDS = /[\u2028\u2029]/g;

/**
 * The property name that sets the prototype in JavaScript, but not in JSON (decisions 2.15). Its opening quote follows
 * one of these characters; inside a text, a quote is always escaped.
 */
const PROTOTYPE_KEY = /(?<=[{,\s])"__proto__":/g;

/**
 * Renders JSONP (decisions 2.15): a call of `callback` with the document. The leading comment prevents that the
 * response is taken for another file type.
 */
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

/** Media type of a JSONP response (decisions 3.1). */
export const jsonpMediaType = 'text/javascript';
