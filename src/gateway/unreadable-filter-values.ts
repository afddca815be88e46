import { findSnapshot } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import type { Predicate, Query } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import { WHOLE_RECORD, OTHER_FIELDS } from '../source/record/findings.js';
import type { Snapshot } from '../lists/snapshot.js';

/**
 * A source is `partial`, reason `unreadable`, where the query filters on a property with values that could not be read,
 * and for every query where records are left out because their names could not be read: these records may match
 * (decisions 4.6). An outcome that is incomplete already stays as it is.
 */
export function judgeUnreadValues(outcome: Outcome<Snapshot>, query: Query): Outcome<Snapshot> {
  const snapshot = findSnapshot(outcome);
  if (snapshot?.unreadProperties === undefined || (outcome.state !== 'fresh' && outcome.state !== 'stale'))
    return outcome;
  const unread = new Set(snapshot.unreadProperties);
  const filtered = query.predicates.flatMap((predicate) => listFilteredProperties(predicate, query.resource));
  const isAffected =
    unread.has(WHOLE_RECORD) || filtered.some((property) => unread.has(property) || unread.has(OTHER_FIELDS));
  return isAffected ? { state: 'partial', reason: 'unreadable', snapshot } : outcome;
}

/** Properties whose values decide about a predicate. A search for words compares the texts as they are. */
function listFilteredProperties(predicate: Predicate, { dateProperty }: Resource): readonly string[] {
  if (predicate.kind === 'words') return [];
  if (predicate.kind !== 'between') return predicate.properties;
  return dateProperty === undefined ? [] : [dateProperty];
}
