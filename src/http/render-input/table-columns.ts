import type { ListPage } from '../../gateway/gateway.js';
import type { Query } from '../../model/query.js';
import { isHiddenProperty } from '../../model/resource.js';
import { listFields, showsWholeRecords } from '../../query/vocabulary.js';
import type { Vocabulary } from '../../query/vocabulary.js';
import { compareCodePoints } from '../../text/code-point-order.js';

/**
 * Decisions 3.6: the requested fields in their order; else the known names of the resource in this scope, followed by
 * the further properties of all matches by name, so that all pages have the same columns.
 */
export async function listTableColumns(
  query: Query,
  vocabulary: Vocabulary,
  list: Pick<ListPage, 'mergedList'>,
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
