import type { MessagePort } from 'node:worker_threads';
import type { FailureReason } from '../../model/outcome.js';
import type { Resource } from '../../model/resource.js';
import { SourceFailure } from '../client/source-failure.js';
import { readBody } from './read-body.js';
import type { PackedPage } from './read-body.js';
import { RecordReader } from '../record/record-reader.js';
import type { Provenance } from '../record/record-reader.js';

/** A body, and all that is needed to read it. */
export interface BodyTask {
  readonly body: Uint8Array;
  readonly resource: Resource;
  readonly provenance: Provenance;
  /** Whether it is the detail of one item, and no list. */
  readonly isItem: boolean;
  /** The moment as of which it is read, in milliseconds since 1970. */
  readonly now: number;
  /** Receives the sheets of the page, a message each: to deserialise them all in one piece would block the thread that asks. */
  readonly sheetPort: MessagePort;
}

/** The page without its sheets; or why the body is none. */
export type BodyResult =
  { readonly page: Omit<PackedPage, 'sheets'> } | { readonly reason: FailureReason; readonly message: string };

/** The worker thread of `BodyParser`: reads one body. */
export default function parseBody({
  body,
  resource,
  provenance,
  isItem: item,
  now,
  sheetPort: port,
}: BodyTask): BodyResult {
  try {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
    const { sheets, ...page } = readBody(
      bytes,
      { recordReader: new RecordReader(resource, provenance), isItem: item },
      now,
    );
    for (const sheet of sheets) port.postMessage(sheet, [sheet.cells.buffer]);
    return { page };
  } catch (error) {
    // An error of a class of our own cannot be cloned as what it is.
    if (error instanceof SourceFailure) return { reason: error.reason, message: error.message };
    throw error;
  }
}
