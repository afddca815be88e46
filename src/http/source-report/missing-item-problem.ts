import type { FederatedAnswer } from '../../gateway/gateway.js';
import type { DocumentNode } from '../../model/document-node.js';
import type { Problem } from '../../model/error-catalogue.js';
import type { StoredRecord } from '../../model/record.js';
import { findPropertyPosition } from '../../model/resource.js';
import type { Resource } from '../../model/resource.js';

/** Maximum number of candidates in a message. The list of candidates has all of them. */
const MAX_NAMED_CANDIDATES = 10;

/**
 * The 300 or 410 of a team whose source no longer has it under the requested id (decisions 2.35). Undefined where the
 * answer has the team, and where no list is known to have had it.
 */
export function findMissingItemProblem({ missingItem }: FederatedAnswer, resource: Resource): Problem | undefined {
  switch (missingItem?.reason) {
    case 'contested':
      return createChoiceProblem(missingItem.candidates, resource);
    case 'given-up':
      return { kind: 'gone', message: 'the source no longer lists a team under this id' };
    case 'unknown':
    case undefined:
      return undefined;
  }
}

function createChoiceProblem(candidates: readonly StoredRecord[], resource: Resource): Problem {
  const named = candidates.slice(0, MAX_NAMED_CANDIDATES).map(({ id }) => id);
  const omitted = candidates.length - named.length;
  return {
    kind: 'multiple-choices',
    message: `several teams may be meant: ${named.join(', ')}${omitted > 0 ? ` and ${omitted} more` : ''}`,
    candidates: candidates.map((record) => describeCandidate(record, resource)),
  };
}

/** Id, names, country and source-name of a candidate, by the names of the resource. */
function describeCandidate(record: StoredRecord, resource: Resource): ReadonlyMap<string, DocumentNode> {
  const { idProperty = 'id', nameProperties, countryProperties, sourceNameProperty } = resource;
  const candidate = new Map<string, DocumentNode>([[idProperty, record.id]]);
  for (const name of [...nameProperties, ...countryProperties.slice(0, 1), sourceNameProperty]) {
    const value = record.valueAt(findPropertyPosition(resource, name));
    if (value !== undefined) candidate.set(name, value);
  }
  return candidate;
}
