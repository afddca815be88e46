import type { DraftRecord } from '../../model/record.js';
import type { Resource } from '../../model/resource.js';
import { findPropertyPosition } from '../../model/resource.js';
import type { DrainResult } from '../../source/record/drain-result.js';
import { SourceFailure } from '../../source/client/source-failure.js';
import type { SourcePage } from '../../source/body/page.js';
import { ID_FACTOR } from '../../source/record/record-reader.js';
import type { Provenance } from '../../source/record/record-reader.js';

/**
 * A drain of at most one record (decisions 2.34). A 404 in an envelope of the data interface means no such item: an
 * empty result. Any other 404, and any other item, is a failure.
 */
export async function fetchItem(
  { resource, nativeId: native }: { readonly resource: Resource; readonly nativeId: number },
  provenance: Provenance,
  request: () => Promise<SourcePage<DraftRecord>>,
): Promise<DrainResult<DraftRecord>> {
  const page = await request().catch((error: unknown) => {
    if (error instanceof SourceFailure && isItemNotFound(error)) return undefined;
    throw error;
  });
  if (page === undefined || page.receivedCount === 0)
    return { records: [], receivedCount: 0, bytes: 0, findings: new Map() };
  const { records, receivedCount: received, bytes, lastModified, findings } = page;
  if (records[0]?.valueAt(findPropertyPosition(resource, 'id')) !== native * ID_FACTOR + provenance.sourceNumber) {
    throw new SourceFailure('schema', `the response contains another item than ${native}`);
  }
  return { records, receivedCount: received, bytes, ...(lastModified !== undefined && { lastModified }), findings };
}

/**
 * Every server answers a wrong base address with 404, so the body must have the data interface's `status-code`; the
 * directory interface has `status_code`.
 */
function isItemNotFound({ status, errorBody }: SourceFailure): boolean {
  if (status !== 404 || typeof errorBody !== 'object' || errorBody === null || !('status-code' in errorBody))
    return false;
  return errorBody['status-code'] === 404 || errorBody['status-code'] === '404';
}
