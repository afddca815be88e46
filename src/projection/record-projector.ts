import type { DocumentNode } from '../model/document-node.js';
import type { StoredRecord } from '../model/record.js';
import { findPropertyPosition, isHiddenProperty } from '../model/resource.js';
import type { Resource } from '../model/resource.js';

export type Projector = (record: StoredRecord) => ReadonlyMap<string, DocumentNode>;

/**
 * Shows properties in the order of the table, extra properties, the trailing property (decisions 2.22). `fields`
 * selects and does not reorder (decisions 2.21). A hidden id is shown only where `fields` names it (decisions 4.18),
 * PGP keys in the scope `members` only, whatever a source sends (decisions 4.20).
 */
export function createProjector(
  resource: Resource,
  scope: 'public' | 'members',
  fields?: readonly string[],
): Projector {
  const selected = fields && new Set(fields);
  const isSelected = (name: string): boolean =>
    (selected?.has(name) ?? true) && !isHiddenProperty(resource, scope, name);
  const columns = resource.properties
    .map(({ name }, position) => ({ name, position }))
    .filter(({ name }) => isSelected(name));
  const trailing =
    resource.trailingProperty === undefined || !isSelected(resource.trailingProperty.name)
      ? []
      : [resource.trailingProperty];
  const trailingColumns = trailing.map(({ name }) => ({ name, position: findPropertyPosition(resource, name) }));
  const { idProperty } = resource;
  const shownIdProperty = idProperty !== undefined && selected?.has(idProperty) === true ? idProperty : undefined;
  return (record) => {
    const document = new Map<string, DocumentNode>();
    addProperties(document, record, columns);
    for (const [name, value] of record.extraProperties) if (isSelected(name)) document.set(name, value);
    if (shownIdProperty !== undefined) document.set(shownIdProperty, record.id);
    addProperties(document, record, trailingColumns);
    return document;
  };
}

function addProperties(
  document: Map<string, DocumentNode>,
  record: StoredRecord,
  properties: readonly { readonly name: string; readonly position: number }[],
): void {
  for (const { name, position } of properties) {
    const value = record.valueAt(position);
    if (value !== undefined) document.set(name, value);
  }
}
