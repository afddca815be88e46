import type { MessagePort } from 'node:worker_threads';
import type { FailureReason } from '../../model/outcome.js';
import type { DocumentMapping } from '../../model/registration/document-mapping.js';
import type { Resource } from '../../model/resource.js';
import { SourceFailure } from '../client/source-failure.js';
import { parsePageBody } from './parse-page-body.js';
import type { PackedPage } from './parse-page-body.js';
import { RecordReader } from '../record/record-reader.js';
import type { Provenance } from '../record/record-reader.js';

/** A body and everything needed to read it. */
export interface BodyTask {
  readonly body: Uint8Array;
  readonly resource: Resource;
  readonly provenance: Provenance;
  /** Whether the body is the detail form of one item rather than a list. */
  readonly isItem: boolean;
  /** How a published document is read; undefined for a page of one of the two interfaces. */
  readonly document: DocumentMapping | undefined;
  /** Time of reading, in milliseconds since 1970. */
  readonly now: number;
  /**
   * Receives the sheets of the page, one message each. Deserialising all of them at once would block the main thread.
   */
  readonly sheetPort: MessagePort;
}

/** The page without its sheets, or the failure. */
export type BodyResult =
  { readonly page: Omit<PackedPage, 'sheets'> } | { readonly reason: FailureReason; readonly message: string };

/** Entry point of the worker thread of `BodyParser`: reads one body. */
export default function parseBody({
  body,
  resource,
  provenance,
  isItem: item,
  document,
  now,
  sheetPort: port,
}: BodyTask): BodyResult {
  try {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
    const { sheets, ...page } = parsePageBody(
      bytes,
      { recordReader: new RecordReader(resource, provenance), isItem: item, document },
      now,
    );
    for (const sheet of sheets) port.postMessage(sheet, [sheet.cells.buffer]);
    return { page };
  } catch (error) {
    // The structured clone algorithm does not preserve the class of a `SourceFailure`.
    if (error instanceof SourceFailure) return { reason: error.reason, message: error.message };
    throw error;
  }
}
