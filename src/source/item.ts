import type { Draft } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import { positionOf } from '../model/resource.js';
import type { Drained } from './drain.js';
import { SourceFailure } from './failure.js';
import type { Page } from './page.js';
import { ID_FACTOR } from './record-reader.js';
import type { Provenance } from './record-reader.js';

/** Which item is asked for: by the source's own id. */
export interface ItemWish {
  readonly resource: Resource;
  readonly native: number;
}

/**
 * Fetches one item, as a drain of one record. A 404 in the envelope of the data interface is an answer: the source has no such item, so
 * there is none. Any other 404, and any other item than the one asked for, is a failure.
 */
export async function drainItem(
  { resource, native }: ItemWish,
  provenance: Provenance,
  request: () => Promise<Page<Draft>>,
): Promise<Drained<Draft>> {
  const page = await request().catch((error: unknown) => {
    if (error instanceof SourceFailure && isDenial(error)) return undefined;
    throw error;
  });
  if (page === undefined || page.received === 0) return { records: [], received: 0, bytes: 0, findings: new Map() };
  const { records, received, bytes, lastModified, findings } = page;
  if (records[0]?.value(positionOf(resource, 'id')) !== native * ID_FACTOR + provenance.number) {
    throw new SourceFailure('schema', `not the item ${native} that was asked for`);
  }
  return { records, received, bytes, ...(lastModified !== undefined && { lastModified }), findings };
}

/**
 * Whether it is the source that has no such item, and not a server that has no such page, for at a wrong base address every server answers
 * with 404. `status-code` is the data interface's own word: the directory interface has `status_code` (decisions.md, section 2).
 */
function isDenial({ status, said }: SourceFailure): boolean {
  if (status !== 404 || typeof said !== 'object' || said === null || !('status-code' in said)) return false;
  return said['status-code'] === 404 || said['status-code'] === '404';
}
