/** Formats of feeds, by their names. */
export type FeedFormatName = 'RSS' | 'RSS 1.0' | 'Atom' | 'JSON Feed';

/** Length of the beginning of a body in which the root element is sought, in bytes. */
const MAX_BEGINNING = 64 * 1024;

const ROOT_NAMES: ReadonlyMap<string, FeedFormatName> = new Map([
  ['rss', 'RSS'],
  ['rdf', 'RSS 1.0'],
  ['feed', 'Atom'],
]);

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
