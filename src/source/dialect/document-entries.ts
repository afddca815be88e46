import type { DocumentLayout } from '../../model/registration/document-mapping.js';
import { SourceFailure } from '../client/source-failure.js';
import { MAX_INLINE_BODY, requireBoundedRecords } from '../format/body-limits.js';
import { chooseDocumentFormat, parseDocumentBody } from '../format/document-body.js';
import { compileMapping } from './expression.js';
import type { BodyContext } from './raw-page.js';

/** The entries of one page of a document, as they were sent, and the address of the next page. */
export interface DocumentEntries {
  readonly entries: readonly unknown[];
  /** As sent: absolute or relative. Undefined: the page names no next one. */
  readonly next?: string | undefined;
}

/** Reads the entries of a page. */
export type EntriesReader = (body: Buffer, context: Pick<BodyContext, 'contentType' | 'path'>) => DocumentEntries;

/**
 * Creates the function that reads the entries of each page of a document. It throws a `SourceFailure`: `body` if the
 * body is not of the format; `schema` if the expression for records gives no list (decisions 4.27); `size` beyond a
 * limit of (decisions 8.6).
 */
export function createEntriesReader(layout: DocumentLayout): EntriesReader {
  const records = compileMapping(layout.records);
  const next = layout.next === undefined ? undefined : compileMapping(layout.next);
  return (body, { contentType, path }) => {
    const document = parseDocumentBody(body, layout.format ?? chooseDocumentFormat(contentType, path));
    const list = records(document);
    if (list === 'failed' || !Array.isArray(list.value))
      throw new SourceFailure('schema', `the expression for records (${layout.records}) gives no list`);
    const entries: readonly unknown[] = list.value;
    if (body.length > MAX_INLINE_BODY) requireBoundedRecords(entries);
    const link = next?.(document);
    return { entries, next: link === undefined || link === 'failed' ? undefined : readLink(link.value) };
  };
}

function readLink(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
