/** Formats of feeds, by their names. */
export type FeedFormatName = 'RSS' | 'RSS 1.0' | 'Atom' | 'JSON Feed';

/** Length of the beginning of a body in which the root element is sought, in bytes. */
const MAX_BEGINNING = 64 * 1024;

const ROOT_NAMES: ReadonlyMap<string, FeedFormatName> = new Map([
  ['rss', 'RSS'],
  ['rdf', 'RSS 1.0'],
  ['feed', 'Atom'],
]);

/** Names the format of a news feed that was parsed as JSON or XML (decisions 4.31). Undefined for any other document. */
export function findFeedFormat(document: unknown): FeedFormatName | undefined {
  if (typeof document !== 'object' || document === null) return undefined;
  const { version, feed }: { readonly version?: unknown; readonly feed?: unknown } = document;
  if (typeof version === 'string' && isJsonFeedVersion(version)) return 'JSON Feed';
  if ('rss' in document) return 'RSS';
  if ('rdf:RDF' in document) return 'RSS 1.0';
  return 'atom:feed' in document || (isAtomElement(feed) && /\batom\b/i.test(feed['@xmlns'])) ? 'Atom' : undefined;
}

/** Whether the `version` of a JSON document says that it is a JSON Feed. */
export function isJsonFeedVersion(version: string): boolean {
  return version.includes('jsonfeed.org/version/');
}

function isAtomElement(element: unknown): element is { readonly '@xmlns': string } {
  return (
    typeof element === 'object' && element !== null && '@xmlns' in element && typeof element['@xmlns'] === 'string'
  );
}

/** Names the format of a feed by its beginning, in any encoding. Undefined if that shows none. It is for reports only. */
export function nameFeedFormat(body: Buffer): FeedFormatName | undefined {
  const beginning = body
    .toString('latin1', 0, MAX_BEGINNING)
    .replace(/\0|^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/g, '')
    .trimStart();
  if (beginning.startsWith('{')) return 'JSON Feed';
  const [, name = ''] = /<(?:[\w.-]+:)?([a-z]+)[\s/>]/i.exec(beginning.replace(/<!--[^]*?(?:-->|$)/g, '')) ?? [];
  return ROOT_NAMES.get(name.toLowerCase());
}
