import type { PagingBehaviour } from '../../support/upstream/paged-responses.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';
import type { DialectFixture, DialectParts } from '../contract-fixture.js';
import { INVALID_JSON } from '../conformance/invalid-bodies.js';

/** A dialect whose lists are paged by `limit` and `offset`. */
export interface OffsetDialectFixture extends DialectFixture {
  /** A handler that serves these records with this paging behaviour. */
  serve(records: readonly unknown[], paging?: PagingBehaviour): RequestHandler;
  /** State and reason of a source whose total exceeds the records that it returns. */
  readonly short: readonly [state: string, reason: string];
}

/** What all dialects of this suite have in common: pages of 100 records, in JSON. */
export const OFFSET_PAGES: DialectParts & Pick<DialectFixture, 'accept' | 'invalidBodies'> = {
  partOf: ({ query }) => Number(query.get('offset')) / 100,
  lastPart: 2,
  isPaged: true,
  accept: 'application/json',
  invalidBodies: INVALID_JSON,
};
