import { describeDocument } from '../../preview/document-shape.js';
import { compileMapping } from '../../source/dialect/document/expression.js';
import { createPagingMetadataReader } from '../../source/dialect/document/paging-metadata.js';
import { SourceFailure } from '../../source/client/source-failure.js';
import { parseDocumentBody } from '../../source/format/document-body.js';
import { chooseDocumentFormat } from '../../source/format/document-format.js';
import { describeLinkedFeeds } from '../../source/format/feed/feed-discovery.js';
import { findFeedFormat } from '../../source/format/feed/feed-format.js';
import type { DocumentFormat } from '../../model/registration/document-mapping.js';
import { proposeMapping } from './propose-mapping.js';
import type { ProposedMapping } from './propose-mapping.js';

export interface ReceivedDocument {
  readonly url: URL;
  readonly body: Buffer;
  readonly contentType: string | undefined;
  /** The field `Link`. */
  readonly link: string | undefined;
  /** It has a field that only a Rollcall sends. */
  readonly isRollcall: boolean;
}

/** What an address has. */
export type RecognisedAddress =
  | {
      readonly kind: 'interface';
      readonly name: 'directory' | 'data';
      readonly baseUrl: string;
      /** Its records keep the source-names of their repositories. */
      readonly isAggregate: boolean;
    }
  | { readonly kind: 'feeds'; readonly description: string; readonly urls: readonly string[] }
  | ({ readonly kind: 'list' } & RecognisedList);

export interface RecognisedList {
  /** Named where the response does not show it. */
  readonly format: DocumentFormat | undefined;
  readonly description: string;
  /** Absent: the document itself is the list. */
  readonly records: string | undefined;
  readonly paging: RecognisedPaging;
  readonly mapping: ProposedMapping;
}

export type RecognisedPaging =
  | { readonly kind: 'none' }
  /** The field `Link`, which needs no setting. */
  | { readonly kind: 'header' }
  | { readonly kind: 'next'; readonly expression: string }
  | { readonly kind: 'parameter'; readonly parameter: string; readonly from: number; readonly step: number }
  /** Further entries exist, but nothing shows how they are requested. */
  | { readonly kind: 'unclear'; readonly place: string };

const INTERFACE_PATH = /\/(directory|data)\/v\d+\/(?:teams|news|channels)(?:\.\w+)?$/;

const LIST_OF_INTERFACE = /\/(?:teams|news|channels)(?:\.\w+)?$/;

/** Names of an envelope or record that only the interfaces have. */
const DIRECTORY_NAMES: readonly string[] = ['short-team-name', 'official-team-name'];
const DATA_NAMES: readonly string[] = ['team', 'team-full'];

/** Throws a `SourceFailure` whose message says why the address cannot be registered. */
export function recogniseAddress(received: ReceivedDocument): RecognisedAddress {
  const { body, url } = received;
  const [, served] = INTERFACE_PATH.exec(url.pathname) ?? [];
  if (received.isRollcall && (served === 'directory' || served === 'data'))
    return { kind: 'interface', name: served, baseUrl: baseOf(url), isAggregate: true };
  if (isHtml(received)) return recogniseLinkedFeeds(body.toString('utf8'), url);
  const format = chooseFormat(received);
  const document = parseDocumentBody(body, { format }, { add: () => undefined });
  const feed = findFeedFormat(document);
  if (feed !== undefined) return { kind: 'feeds', description: `a news feed (${feed})`, urls: [url.href] };
  return recogniseInterface(document, url) ?? { kind: 'list', ...recogniseList(document, format, received) };
}

function isHtml({ body, contentType = '' }: ReceivedDocument): boolean {
  const text = beginning(body);
  if (/^\s*<(?:!doctype html|html)\b/i.test(text)) return true;
  // Feeds are sent as HTML, too.
  return /^(?:text\/html|application\/xhtml)/i.test(contentType) && !/^\s*<(?:\?xml|rss|feed|rdf)\b/i.test(text);
}

function beginning(body: Buffer): string {
  return body.toString('utf8', 0, 1_000).replace(/^\ufeff/, '');
}

function recogniseLinkedFeeds(html: string, url: URL): RecognisedAddress {
  const feeds = describeLinkedFeeds(html, url).map((one) => new URL(one.replace(/ \(.*$/s, '')));
  const urls = new Set(feeds.filter(({ username }) => username === '').map(withoutFragment));
  if (urls.size === 0)
    throw new SourceFailure(
      'body',
      'a web page (HTML) that links no feed: look for the address of the list or feed itself',
    );
  return {
    kind: 'feeds',
    description: 'a web page that links feeds',
    urls: [...urls],
  };
}

/** Many servers send a list as `text/plain` or `application/octet-stream` under an address without extension. */
function chooseFormat({ body, contentType, url }: ReceivedDocument): DocumentFormat {
  const shown = chooseDocumentFormat(contentType, url.pathname);
  const text = beginning(body).trimStart();
  const packed = PACKED.find(([start]) => body.subarray(0, start.length).equals(start));
  if (packed !== undefined) throw new SourceFailure('body', packed[1]);
  if (shown !== 'json') return shown;
  if (/^[[{]/.test(text)) return /^\{.*\}\r?\n\s*\{/.test(text) ? 'ndjson' : 'json';
  if (/\bjson\b/i.test(contentType ?? '')) return 'json';
  if (text.startsWith('<')) return 'xml';
  return /^(?:---|- |[\w-]+:(?:\s|$))/.test(text) ? 'yaml' : 'csv';
}

/** By their first bytes. */
const PACKED: readonly (readonly [start: Buffer, description: string])[] = [
  [Buffer.from('PK'), 'a spreadsheet or ZIP file: save it as CSV'],
  [Buffer.from([0x1f, 0x8b]), 'a compressed file: register the address of the list itself'],
];

function withoutFragment(url: URL): string {
  const { href, hash } = url;
  return hash === '' ? href : href.slice(0, -hash.length);
}

function baseOf({ origin, pathname }: URL): string {
  return origin + pathname.replace(LIST_OF_INTERFACE, '');
}

function recogniseInterface(document: unknown, url: URL): RecognisedAddress | undefined {
  const data = isObject(document) && 'data' in document ? document['data'] : document;
  if (!Array.isArray(data)) return undefined;
  const first: unknown = data[0];
  const has = (names: readonly string[]): boolean =>
    isObject(first) && names.every((name) => Object.hasOwn(first, name));
  const [, served] = INTERFACE_PATH.exec(url.pathname) ?? [];
  const name =
    served === 'directory' || has(DIRECTORY_NAMES)
      ? 'directory'
      : served === 'data' || has(DATA_NAMES)
        ? 'data'
        : undefined;
  if (name === undefined || !LIST_OF_INTERFACE.test(url.pathname)) return undefined;
  return { kind: 'interface', name, baseUrl: baseOf(url), isAggregate: false };
}

function recogniseList(document: unknown, format: DocumentFormat, received: ReceivedDocument): RecognisedList {
  const [place] = describeDocument(document).candidates;
  if (place === undefined)
    throw new SourceFailure('schema', `${describeDocument(document).type}, in which no list of entries was found`);
  const whole = readEntries(document, place.expression);
  const { nested } = proposeMapping(whole);
  // Names in lists of the entries: groups, whose members are the records.
  const expression = nested === undefined ? place.expression : `${place.expression}[].${nested}`;
  const records = expression === '@' ? undefined : expression;
  const entries = nested === undefined ? whole : readEntries(document, expression);
  if (entries.every((entry) => typeof entry === 'object' && entry !== null && Object.keys(entry).length < 2))
    throw new SourceFailure('schema', 'no list of entries with two properties or more was found');
  return {
    format: format === chooseDocumentFormat(received.contentType, received.url.pathname) ? undefined : format,
    description: `a list of ${entries.length} entries (${format.toUpperCase()})`,
    records,
    paging: recognisePaging(document, { entries, records }, received),
    mapping: proposeMapping(entries),
  };
}

function readEntries(document: unknown, expression: string): readonly unknown[] {
  const mapped = compileMapping(expression)(document);
  const value: unknown = 'value' in mapped ? mapped.value : undefined;
  return Array.isArray(value) ? value : [];
}

const PAGE_PARAMETER = /^(?:page|pagenumber|page_number|p)$/i;
const OFFSET_PARAMETER = /^(?:offset|start|skip|from)$/i;
const SIZE_PARAMETER = /^(?:limit|per_page|page_size|pagesize|count|rows|size|top)$/i;

function recognisePaging(
  document: unknown,
  { entries, records }: { readonly entries: readonly unknown[]; readonly records: string | undefined },
  { url, link = '' }: ReceivedDocument,
): RecognisedPaging {
  if (/\brel="?next\b/i.test(link)) return { kind: 'header' };
  const stated = createPagingMetadataReader({ records })(document, entries);
  if (stated?.next?.isAddress === true) return { kind: 'next', expression: stated.next.place };
  const parameters = [...url.searchParams];
  const size = parameters.find(([name]) => SIZE_PARAMETER.test(name))?.[1] ?? '';
  const page = parameters.find(([name]) => PAGE_PARAMETER.test(name));
  if (page) return { kind: 'parameter', parameter: page[0], from: Number(page[1]) === 0 ? 0 : 1, step: 1 };
  const offset = parameters.find(([name]) => OFFSET_PARAMETER.test(name));
  if (offset)
    return {
      kind: 'parameter',
      parameter: offset[0],
      from: 0,
      step: /^[1-9]\d*$/.test(size) ? Number(size) : Math.max(1, entries.length),
    };
  const further =
    stated?.next ??
    stated?.totals.find(({ count }) => count > entries.length) ??
    stated?.pageCounts.find(({ count }) => count > 1);
  return further === undefined ? { kind: 'none' } : { kind: 'unclear', place: further.place };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
