import type { RecordOrigin } from '../../../src/records/record-set.js';

/** Origin of record sets of the source with number 1, for public queries. */
export const firstSource: RecordOrigin = { sourceNumber: 1 };
