import type { FederatedAnswer } from '../../gateway/gateway.js';
import type { DocumentNode } from '../../model/document-node.js';
import type { Problem } from '../../model/error-catalogue.js';
import type { StoredRecord } from '../../model/record.js';
import { findPropertyPosition } from '../../model/resource.js';
import type { Resource } from '../../model/resource.js';

/** In a message. The list of candidates has all of them. */
const MAX_NAMED_CANDIDATES = 10;

/** Several teams would have the id (decisions 2.35). Undefined for any other answer. */
export function findChoiceProblem({ missingItem }: FederatedAnswer, resource: Resource): Problem | undefined {
  if (missingItem?.reason !== 'contested') return undefined;
  const { candidates } = missingItem;
  const named = candidates.slice(0, MAX_NAMED_CANDIDATES).map(({ id }) => id);
  const omitted = candidates.length - named.length;
  return {
    kind: 'multiple-choices',
    message: `several teams may be meant: ${named.join(', ')}${omitted > 0 ? ` and ${omitted} more` : ''}`,
    candidates: candidates.map((record) => describeCandidate(record, resource)),
  };
}

/** Without an answer, no source owns the requested id (decisions 2.34). */
export function createItemNotFoundProblem({ path }: Resource, answer?: FederatedAnswer): Problem {
  const missing = `there is no ${path === 'teams' ? 'team' : 'item'} with this id`;
  const list = answer?.missingItem?.reason === 'unknown' ? answer.missingItem.list : undefined;
  return { kind: 'not-found', message: list === undefined ? missing : `${missing} in the list of ${list}` };
}

/** Id, names, country and source-name, by the names of the resource. */
function describeCandidate(record: StoredRecord, resource: Resource): ReadonlyMap<string, DocumentNode> {
  const { idProperty = 'id', nameProperties, countryProperties, sourceNameProperty } = resource;
  const candidate = new Map<string, DocumentNode>([[idProperty, record.id]]);
  for (const name of [...nameProperties, ...countryProperties.slice(0, 1), sourceNameProperty]) {
    const value = record.valueAt(findPropertyPosition(resource, name));
    if (value !== undefined) candidate.set(name, value);
  }
  return candidate;
}
