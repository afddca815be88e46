import type { RecordSet } from '../../records/record-set.js';
import { findMisplacedRecord, findNonMatchingRecord } from '../../records/find-first-record.js';
import { CapabilityContradiction } from './believed-capabilities.js';
import type { DrainResult } from '../../source/record/drain-result.js';
import type { PushedDownQuery } from '../../source/request/source-query.js';

/**
 * Throws a `CapabilityContradiction` for a record that fails a filter or is out of order, or a wrong total (decisions
 * 5.17). A check that passes proves nothing.
 */
export async function requirePushDownCorrect(
  set: RecordSet,
  query: PushedDownQuery,
  { findings }: DrainResult<unknown>,
): Promise<void> {
  for (const { name, predicate } of query.exact) {
    const nonMatching = await findNonMatchingRecord(set, predicate);
    if (nonMatching !== undefined) {
      throw new CapabilityContradiction({
        capability: 'filter',
        name,
        evidence: `the response contains ${nonMatching.id}, which does not match the filter`,
      });
    }
  }
  const { order = [] } = query.topRecords ?? {};
  const misplaced = await findMisplacedRecord(set, order);
  if (misplaced !== undefined) {
    const name = order.map(({ property, descending }) => (descending ? `-${property}` : property)).join();
    throw new CapabilityContradiction({ capability: 'sort', name, evidence: `${misplaced.id} is out of order` });
  }
  if (query.hasExactTotal && findings.has('wrong-total (paging)')) {
    throw new CapabilityContradiction({
      capability: 'total',
      evidence: 'the number of returned records differs from the total',
    });
  }
}
