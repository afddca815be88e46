import type { DocumentMapping, JoinedLayout } from '../../model/registration/document-mapping.js';
import { SourceFailure } from '../client/source-failure.js';
import { MAX_INLINE_BODY } from '../format/body-limits.js';
import { chooseDocumentFormat } from '../format/document-format.js';
import { nameFeedFormat } from '../format/feed/feed-format.js';
import { parseBoundedJson } from '../format/json.js';
import { PUBLISHED_LIST_HINT, parseItem, parsePage } from './envelope.js';
import type { FeedFormat } from './feed/feed-parser.js';
import type { BodyContext, PageParser } from './raw-page.js';

/**
 * A plain value, so that a worker thread can build the same parser.
 * - `list`, `item`: a list, or the detail form of one item, of the directory or data interface
 * - `document`: a page of a published document
 * - `joined`: a page of the second document, whose entries are added to those of the first
 * - `unread`: the body is not needed
 */
export type PageFormat =
  | { readonly kind: 'list' | 'item' | 'unread' }
  | { readonly kind: 'document'; readonly mapping: DocumentMapping }
  | { readonly kind: 'joined'; readonly layout: JoinedLayout }
  | FeedFormat;

/**
 * Compiles expressions once, for all bodies. What reads documents and feeds is loaded with the first of them: mostly
 * only in the threads that read bodies.
 */
export async function createPageParser(format: PageFormat): Promise<PageParser> {
  switch (format.kind) {
    case 'list':
      return (body, context) => parsePage(parseInterfaceJson(body, context));
    case 'item':
      return (body) => parseItem(parseBoundedJson(body));
    case 'document':
      return (await import('./document/document-parser.js')).createDocumentParser(format.mapping);
    case 'joined':
      return (await import('./document/joined-entries.js')).createJoinedParser(format.layout);
    case 'feed':
      return (await import('./feed/feed-parser.js')).createFeedParser(format);
    case 'unread':
      return () => ({ records: [] });
  }
}

/** The failure of a published list or feed says how that is registered. */
function parseInterfaceJson(body: Buffer, { contentType }: BodyContext): unknown {
  try {
    return parseBoundedJson(body);
  } catch (error) {
    const isPublished = chooseDocumentFormat(contentType, '') !== 'json';
    if (!(error instanceof SourceFailure && error.reason === 'body' && isPublished)) throw error;
    // A JSON Feed is valid JSON; what only begins like one is a list, such as NDJSON.
    const isFeed = ![undefined, 'JSON Feed'].includes(nameFeedFormat(body));
    const hint = isFeed ? 'a news feed is registered as feed' : PUBLISHED_LIST_HINT;
    throw new SourceFailure('body', `${error.message}; ${hint}`, { cause: error });
  }
}

/** For parsing on the main thread in one piece (decisions 8.6). */
export function maxInlinePageBytes({ kind }: PageFormat): number {
  // Expressions take a tenth of a millisecond for an entry of two bytes; libraries for feeds are loaded only in the
  // worker thread.
  return kind === 'document' || kind === 'joined' || kind === 'feed' ? 0 : MAX_INLINE_BODY;
}
