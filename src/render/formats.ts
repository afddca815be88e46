import type { DocumentNode } from '../model/document-node.js';
import { renderCsv } from './csv.js';
import type { FormatName } from '../model/resources/served-formats.js';
import { renderJson, renderJsonText } from './json.js';
import { renderNdjson } from './ndjson.js';
import type { FormatInput, RenderInput, RenderOptions } from './render-input.js';
import { renderGeojson } from './exports/geojson.js';
import { renderKeyring } from './exports/keyring.js';
import { renderVcards } from './exports/vcard.js';
import { renderYaml } from './yaml.js';

/** Text is yielded in pieces, so that the event loop can run between them. A binary format is one array of bytes. */
export type RenderedOutput = Iterable<string | Uint8Array> | Uint8Array;

/** A new format is one renderer and one row of this table (decisions 3.1). */
export interface Format {
  readonly name: FormatName;
  /** Such as `.json`. */
  readonly extensions: readonly string[];
  /** Without charset. Clients may request each; the first is the default. */
  readonly mediaTypes: readonly string[];
  /** The media type is written with `; charset=utf-8`. */
  readonly isText: boolean;
  /** Saved as a file, with `Content-Disposition: attachment` (decisions 3.3). */
  readonly isAttachment: boolean;
  /** An error can be written in the format; otherwise it is JSON (decisions 3.12). */
  readonly carriesErrors: boolean;
  /** Read by the renderer besides the facts. */
  readonly input: FormatInput;
  /** The bytes contain the address of the request, and so depend on its spelling. */
  readonly containsAddress?: true;
  /** Records of the scope `pgp` also have their public profile (decisions 3.16). */
  readonly showsProfileWithKeys?: true;
  /** For the description of the interfaces (decisions 2.42). */
  readonly description: string;
  /** The document, which has its schema; a text that no schema describes; or a file. */
  readonly body: 'document' | 'text' | 'file';
  readonly render: (rendering: RenderInput, style: RenderOptions) => RenderedOutput | Promise<RenderedOutput>;
}

/** The default (decisions 2.4). */
export const jsonFormat = {
  name: 'json',
  extensions: ['.json'],
  mediaTypes: ['application/json'],
  isText: true,
  isAttachment: false,
  carriesErrors: true,
  input: 'document',
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
  carriesErrors: true,
  input: 'document',
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
  carriesErrors: true,
  input: 'document',
  description:
    'XML without namespaces: `response` with the properties of the envelope, or `data`; each record is an `item`.',
  body: 'text',
  // The library is large and stays in memory: imported at the first XML response.
  render: async ({ document }, style) => (await import('./xml.js')).renderXml(document, style),
};

const csvFormat: Format = {
  name: 'csv',
  extensions: ['.csv'],
  mediaTypes: ['application/csv', 'text/csv'],
  isText: true,
  isAttachment: true,
  carriesErrors: true,
  input: 'table',
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
  carriesErrors: false,
  input: 'table',
  containsAddress: true,
  description: 'Excel workbook: a sheet of records, and a sheet `About` with the query, the date and the sources.',
  body: 'file',
  render: async ({ table }) => (await import('./xlsx/xlsx.js')).renderXlsx(table),
};

const ndjsonFormat: Format = {
  name: 'ndjson',
  extensions: ['.ndjson'],
  mediaTypes: ['application/x-ndjson', 'application/ndjson', 'application/jsonl'],
  isText: true,
  isAttachment: true,
  carriesErrors: true,
  input: 'rows',
  description:
    'JSON lines: a record on each line. A stale or partial list ends with a line that lists its incomplete sources.',
  body: 'text',
  render: (input) => renderNdjson(input),
};

const vcardFormat: Format = {
  name: 'vcf',
  extensions: ['.vcf'],
  mediaTypes: ['text/vcard'],
  isText: true,
  isAttachment: true,
  carriesErrors: false,
  input: 'items',
  showsProfileWithKeys: true,
  description:
    'vCards 4.0 (RFC 6350) for an address book: a card for each team, with its keys in the scopes that have them.',
  body: 'text',
  render: (input) => renderVcards(input),
};

const keyringFormat: Format = {
  name: 'asc',
  extensions: ['.asc'],
  mediaTypes: ['application/pgp-keys'],
  isText: true,
  isAttachment: true,
  carriesErrors: false,
  input: 'keyring',
  containsAddress: true,
  description:
    'OpenPGP keyring (RFC 9580) of the usable keys of the teams; keys that are left out are listed before it.',
  body: 'text',
  render: (input) => renderKeyring(input),
};

const atomFormat: Format = {
  name: 'atom',
  extensions: ['.atom'],
  mediaTypes: ['application/atom+xml'],
  isText: true,
  isAttachment: false,
  carriesErrors: false,
  input: 'items',
  containsAddress: true,
  description: 'Atom feed (RFC 4287); its subtitle names the sources, and what is missing.',
  body: 'text',
  // Uses the library of XML: imported at the first feed.
  render: async (input) => (await import('./exports/feeds.js')).renderAtom(input),
};

const rssFormat: Format = {
  ...atomFormat,
  name: 'rss',
  extensions: ['.rss'],
  description: 'RSS 2.0 feed; its description names the sources, and what is missing.',
  body: 'text',
  mediaTypes: ['application/rss+xml'],
  render: async (input) => (await import('./exports/feeds.js')).renderRss(input),
};

const geojsonFormat: Format = {
  name: 'geojson',
  extensions: ['.geojson'],
  mediaTypes: ['application/geo+json'],
  isText: true,
  isAttachment: true,
  carriesErrors: false,
  input: 'countries',
  description: 'GeoJSON (RFC 7946): numbers of teams by country, of all matches.',
  body: 'file',
  render: renderGeojson,
};

/** In order of preference. */
export const formats: readonly Format[] = [
  jsonFormat,
  yamlFormat,
  xmlFormat,
  csvFormat,
  xlsxFormat,
  ndjsonFormat,
  vcardFormat,
  keyringFormat,
  atomFormat,
  rssFormat,
  geojsonFormat,
];

/** Line ends of JavaScript before ES2019, which JSON text may contain unescaped (decisions 2.15). */
const LINE_ENDS = /[\u2028\u2029]/g;

/** Sets the prototype in JavaScript, but not in JSON. Inside a text, a quote is always escaped. */
const PROTOTYPE_KEY = /(?<=[{,\s])"__proto__":/g;

/** The leading comment prevents that the response is taken for another file type. */
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

export const jsonpMediaType = 'text/javascript';
