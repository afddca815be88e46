import type { DocumentFormat, DocumentLayout } from '../../../model/registration/document-mapping.js';
import { SourceFailure } from '../../client/source-failure.js';
import { MAX_INLINE_BODY, requireBoundedRecords } from '../../format/body-limits.js';
import { parseDocumentBody } from '../../format/document-body.js';
import { chooseDocumentFormat } from '../../format/document-format.js';
import { findFeedFormat } from '../../format/feed/feed-format.js';
import type { FindingSink } from '../../record/findings.js';
import { compileMapping } from './expression.js';
import type { MappedValue } from './expression.js';
import { createPagingMetadataReader } from './paging-metadata.js';
import type { PagingMetadata } from './paging-metadata.js';
import { isObject, requireNoError } from '../envelope.js';
import type { BodyContext } from '../raw-page.js';

/** As sent, with what the page says about further ones. */
interface DocumentEntries {
  readonly entries: readonly unknown[];
  /** Absolute or relative, as sent. Undefined: no next page. */
  readonly next?: string | undefined;
  readonly stated?: PagingMetadata | undefined;
}

type EntriesReader = (body: Buffer, context: BodyContext, findings: FindingSink) => DocumentEntries;

/**
 * Throws a `SourceFailure`: `body` if the body is not of the format; `schema` if the expression for records gives no
 * list (decisions 4.27); `size` beyond a limit (decisions 8.6).
 */
export function createEntriesReader(layout: DocumentLayout): EntriesReader {
  const records = compileMapping(layout.records ?? WHOLE_DOCUMENT);
  const isOneRecord = layout.records?.trim() === WHOLE_DOCUMENT;
  const next = layout.next === undefined ? undefined : compileMapping(layout.next);
  const readPagingMetadata = createPagingMetadataReader(layout);
  return (body, context, findings) => {
    const format = chooseLayoutFormat(layout, context);
    const document = parseDocumentBody(body, { ...layout, format }, findings);
    if (layout.records === undefined) requireNoFeed(document);
    const entries = readList(records(document), isOneRecord || format === 'xml');
    if (entries === undefined)
      throw new SourceFailure(
        'schema',
        `the expression for records (${layout.records ?? WHOLE_DOCUMENT}) gives no list`,
      );
    if (entries.length === 0 && isObject(document)) requireNoError(document);
    if (body.length > MAX_INLINE_BODY) requireBoundedRecords(entries);
    const link = next?.(document);
    return { entries, next: link && readLink(link), stated: readPagingMetadata(document, entries) };
  };
}

/** A feed as a whole is another kind of source (decisions 4.32). */
function requireNoFeed(document: unknown): void {
  const format = findFeedFormat(document);
  if (format !== undefined)
    throw new SourceFailure('schema', `a news feed (${format}) and no document: register its address as feed`);
}

/** That of the registration, else as the response shows (decisions 4.27.1). */
export function chooseLayoutFormat({ format }: DocumentLayout, { contentType, path }: BodyContext): DocumentFormat {
  return format ?? chooseDocumentFormat(contentType, path);
}

/** Gives the document itself. */
const WHOLE_DOCUMENT = '@';

/** `acceptsOne`: an object is a list of one, because XML does not distinguish the two. */
function readList(mapped: MappedValue, acceptsOne: boolean): readonly unknown[] | undefined {
  if ('failure' in mapped) return undefined;
  const { value } = mapped;
  if (isList(value)) return value;
  return acceptsOne && typeof value === 'object' && value !== null ? [value] : undefined;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Null, nothing and the empty text mean the last page; anything else that is no text would end the list too early. */
function readLink(mapped: MappedValue): string | undefined {
  if ('failure' in mapped) throw new SourceFailure('schema', `the expression for next failed: ${mapped.failure}`);
  const { value } = mapped;
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'string') throw new SourceFailure('schema', 'the expression for next gives no text');
  const link = value.trim();
  return link === '' ? undefined : link;
}
