import type { DocumentNode } from '../model/document-node.js';
import type { StoredRecord } from '../model/record.js';
import { isPgpKeyProperty, findPropertyPosition } from '../model/resource.js';
import type { Resource } from '../model/resource.js';

/** Converts a record to a document. */
export type Projector = (record: StoredRecord) => ReadonlyMap<string, DocumentNode>;

/**
 * Returns a projector that shows the properties in the order of the resource: the table, extra properties, the trailing
 * property (decisions 2.22). `fields` selects properties and does not reorder them (decisions 2.21). Properties with
 * PGP keys are never shown, whatever a source sends (decisions 4.21).
 */
export function createProjector(resource: Resource, fields?: readonly string[]): Projector {
  const wanted = fields && new Set(fields);
  const shows = (name: string): boolean => (wanted?.has(name) ?? true) && !isPgpKeyProperty(resource, name);
  const table = resource.properties.map(({ name }, position) => ({ name, position })).filter(({ name }) => shows(name));
  const trailing =
    resource.trailingProperty === undefined || !shows(resource.trailingProperty.name)
      ? []
      : [resource.trailingProperty];
  const back = trailing.map(({ name }) => ({ name, position: findPropertyPosition(resource, name) }));
  return (record) => {
    const document = new Map<string, DocumentNode>();
    addProperties(document, record, table);
    for (const [name, value] of record.extraProperties) if (shows(name)) document.set(name, value);
    addProperties(document, record, back);
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
