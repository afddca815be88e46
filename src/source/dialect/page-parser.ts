import type { DocumentMapping, JoinedLayout } from '../../model/registration/document-mapping.js';
import { parseJson } from '../client/parse-json.js';
import { MAX_INLINE_BODY, requireBoundedJson } from '../format/body-limits.js';
import { createDocumentParser } from './document-parser.js';
import { parseItem, parsePage } from './envelope.js';
import { createJoinedParser } from './joined-entries.js';
import type { PageParser } from './raw-page.js';

/**
 * What the body of a response contains. A plain value, so that a worker thread can build the same parser.
 *
 * - `list`, `item`: a list, or the detail form of one item, of the directory or data interface
 * - `document`: a page of a published document
 * - `joined`: a page of the second document, whose entries are added to those of the first
 * - `unread`: the body is not needed
 */
export type PageFormat =
  | { readonly kind: 'list' | 'item' | 'unread' }
  | { readonly kind: 'document'; readonly mapping: DocumentMapping }
  | { readonly kind: 'joined'; readonly layout: JoinedLayout };

/** Creates the parser of a format. Expressions are compiled once, for all bodies. */
export function createPageParser(format: PageFormat): PageParser {
  switch (format.kind) {
    case 'list':
      return (body) => parsePage(parseBoundedJson(body));
    case 'item':
      return (body) => parseItem(parseBoundedJson(body));
    case 'document':
      return createDocumentParser(format.mapping);
    case 'joined':
      return createJoinedParser(format.layout);
    case 'unread':
      return () => ({ records: [] });
  }
}

function parseBoundedJson(body: Buffer): unknown {
  if (body.length > MAX_INLINE_BODY) requireBoundedJson(body);
  return parseJson(body);
}
