import type { DocumentNode } from '../model/document.js';
import type { StoredRecord } from '../model/record.js';
import { isPgpKeyProperty, findPropertyPosition } from '../model/resource.js';
import type { Resource } from '../model/resource.js';

/** Shows a record as a document. */
export type Projector = (record: StoredRecord) => ReadonlyMap<string, DocumentNode>;

/**
 * Shows records in their own key order: the resource's table, further properties, last-modified at the end (decisions.md, section
 * 2). `fields` only narrows: it never reorders. Properties that hold PGP keys are shown to nobody here, whatever a source sent.
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
