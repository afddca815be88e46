import type { FederatedAnswer, ListPage } from '../../gateway/gateway.js';
import type { AccessLevel } from '../../model/access-level.js';
import type { DocumentNode } from '../../model/document-node.js';
import { findSnapshot, reportFailureDetail } from '../../model/outcome.js';
import type { SourceOutcome } from '../../model/outcome.js';
import type { Query } from '../../model/query.js';
import { isHiddenProperty } from '../../model/resource.js';
import { listFields, showsWholeRecords } from '../../query/vocabulary.js';
import type { Vocabulary } from '../../query/vocabulary.js';
import type { Snapshot } from '../../source/snapshot/snapshot.js';
import { compareCodePoints } from '../../text/code-point-order.js';
import { formatImfFixdate } from '../../text/date.js';

/**
 * The columns of a table (decisions 3.6): the requested fields in their order; else the known names of the resource in
 * this scope, followed by the further properties of all matches by name, so that all pages have the same columns.
 */
export async function listTableColumns(
  query: Query,
  vocabulary: Vocabulary,
  list: ListPage,
): Promise<readonly string[]> {
  const { fields, scope, resource } = query;
  if (fields !== undefined) return fields;
  const knownNames = listFields(vocabulary, scope);
  if (!showsWholeRecords(scope)) return knownNames;
  const extraNames = [...(await list.mergedList.extraPropertyNames())].filter(
    (name) => !knownNames.includes(name) && !isHiddenProperty(resource, scope, name),
  );
  return [...knownNames, ...extraNames.sort(compareCodePoints)];
}

/**
 * Metadata for a saved file, which keeps no header fields (decisions 3.10): the address of this page, the access level
 * of members data, total, last-modified and the sources.
 */
export function createTableMetadata(
  address: string,
  access: AccessLevel,
  { list: { total, newest }, outcomes }: Pick<FederatedAnswer, 'outcomes'> & { readonly list: ListPage },
): ReadonlyMap<string, DocumentNode> {
  return new Map<string, DocumentNode>([
    ['query', address],
    ...(access === 'public' ? [] : [['access', access] satisfies [string, DocumentNode]]),
    ['total', total],
    ...(newest === undefined ? [] : [['last-modified', formatImfFixdate(newest)] satisfies [string, DocumentNode]]),
    ['sources', outcomes.map(createSourceMetadata)],
  ]);
}

function createSourceMetadata({ sourceName, outcome }: SourceOutcome<Snapshot>): ReadonlyMap<string, DocumentNode> {
  const snapshot = findSnapshot(outcome);
  return new Map<string, DocumentNode>([
    ['source-name', sourceName],
    ['state', outcome.state],
    ...('reason' in outcome ? [['reason', outcome.reason] satisfies [string, DocumentNode]] : []),
    ...Object.entries(reportFailureDetail(outcome)),
    ...(snapshot === undefined ? [] : [['records', snapshot.set.totalCount] satisfies [string, DocumentNode]]),
  ]);
}
