import { parse as parseCsv } from 'csv-parse/sync';
import { parse as parseYaml } from 'yaml';
import { readWorkbook } from './workbook-reader.js';
import { readXml } from './xml-reader.js';
import type { XmlElement } from './xml-reader.js';

/** A rendered document. Its reader shares no code with the renderer. */
export interface RenderedDocument {
  readonly format: 'yaml' | 'xml' | 'csv' | 'xlsx' | 'ndjson';
  readonly body: Uint8Array;
}

/**
 * Parses documents and returns the content of each, in the same order:
 * YAML: lists as lists, mappings as `{ map: [[name, value]] }`, scalars as resolved by the parser.
 * XML: `{ root, value }` with the name of the root element. An element without children is its text; an element whose children are
 * all `item` is a list; any other is `{ map: [[name, value]] }`, where the attribute `name` takes precedence over the element name.
 * NDJSON: a list of lines, each `{ map: [[name, value]] }` in the order of the names.
 * CSV: a list of rows, each a list of texts. XLSX: a list of sheets (`Sheet` in workbook-reader.ts).
 */
export type FormatReader = (documents: readonly RenderedDocument[]) => unknown[];

/** Parses with npm libraries. Throws if a document is not well-formed. */
export const readByNode: FormatReader = (documents) =>
  documents.map(({ format, body }) => READERS[format](Buffer.from(body)));

const READERS: Readonly<Record<RenderedDocument['format'], (body: Buffer) => unknown>> = {
  yaml: (body) => parseAsBothVersions(utf8(body)),
  xml: (body) => {
    const root = readXml(utf8(body));
    return { root: root.name, value: valueOf(root) };
  },
  csv: (body) => parseCsv(utf8(body), { record_delimiter: ['\r\n', '\n', '\r'] }),
  xlsx: (body) => readWorkbook(body),
  ndjson: (body) => utf8(body).split('\n').slice(0, -1).map(readLine),
};

function readLine(line: string): unknown {
  const record: unknown = JSON.parse(line);
  if (typeof record !== 'object' || record === null) throw new Error(`no object: ${line}`);
  const names = Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  return { map: names.map(([name, value]) => [name, value as unknown]) };
}

function utf8(body: Buffer): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
}

/** Parses as YAML 1.1 and as YAML 1.2. Throws if the results differ. */
function parseAsBothVersions(text: string): unknown {
  const [old, current] = (['1.1', '1.2'] as const).map((version) =>
    pairs(parseYaml(text, { version, mapAsMap: true })),
  );
  if (JSON.stringify(old) !== JSON.stringify(current))
    throw new Error(`YAML 1.1 and 1.2 differ in ${JSON.stringify(text)}`);
  return old;
}

function pairs(value: unknown): unknown {
  if (value instanceof Map) return { map: [...value].map(([name, inner]) => [name as unknown, pairs(inner)]) };
  return Array.isArray(value) ? value.map(pairs) : value;
}

function valueOf({ children, text }: XmlElement): unknown {
  if (children.length === 0) return text;
  if (children.every(({ name }) => name === 'item')) return children.map(valueOf);
  return { map: children.map((child) => [child.attributes.get('name') ?? child.name, valueOf(child)]) };
}
