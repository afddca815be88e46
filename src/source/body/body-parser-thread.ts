import type { MessagePort } from 'node:worker_threads';
import type { FailureReason } from '../../model/reasons.js';
import type { Resource } from '../../model/resource.js';
import { SourceFailure } from '../client/source-failure.js';
import { createPageParser } from '../dialect/page-parser.js';
import type { PageFormat } from '../dialect/page-parser.js';
import type { BodyContext } from '../dialect/raw-page.js';
import { parsePageBody } from './parse-page-body.js';
import type { PackedPage } from './parse-page-body.js';
import { RecordReader } from '../record/record-reader.js';
import type { Provenance } from '../record/record-reader.js';

export interface BodyTask {
  readonly body: Uint8Array;
  readonly context: BodyContext;
  readonly resource: Resource;
  readonly provenance: Provenance;
  readonly format: PageFormat;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** One message per sheet: deserialising all at once would block the main thread. */
  readonly sheetPort: MessagePort;
}

/** The page comes without its sheets. */
export type BodyResult =
  { readonly page: Omit<PackedPage, 'sheets'> } | { readonly reason: FailureReason; readonly message: string };

/** Entry point of the worker thread of `BodyParser`: reads one body. */
export default async function parseBody(task: BodyTask): Promise<BodyResult> {
  const { body: bytes, context, now, format, sheetPort: port } = task;
  try {
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const expected = {
      recordReader: new RecordReader(task.resource, task.provenance),
      parse: await createPageParser(format),
    };
    const { sheets, ...page } = parsePageBody({ body, context, now }, expected);
    for (const sheet of sheets) port.postMessage(sheet, [sheet.cells.buffer]);
    return { page };
  } catch (error) {
    // The structured clone algorithm does not preserve the class of a `SourceFailure`.
    if (error instanceof SourceFailure) return { reason: error.reason, message: error.message };
    throw error;
  }
}
