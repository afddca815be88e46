import type { Node } from '../model/document.js';
import type { HeldRecord } from '../model/record.js';
import { isKey, positionOf } from '../model/resource.js';
import type { Resource } from '../model/resource.js';

/** Shows a record as a document. */
export type Projector = (record: HeldRecord) => ReadonlyMap<string, Node>;

/**
 * Shows records in their own key order: the resource's table, further properties, last-modified at the end (decisions.md, section
 * 2). `fields` only narrows: it never reorders. Properties that hold PGP keys are shown to nobody here, whatever a source sent.
 */
export function projector(resource: Resource, fields?: readonly string[]): Projector {
  const wanted = fields && new Set(fields);
  const shows = (name: string): boolean => (wanted?.has(name) ?? true) && !isKey(resource, name);
  const table = resource.properties.map(({ name }, position) => ({ name, position })).filter(({ name }) => shows(name));
  const trailing = resource.trailing === undefined || !shows(resource.trailing.name) ? [] : [resource.trailing];
  const back = trailing.map(({ name }) => ({ name, position: positionOf(resource, name) }));
  return (record) => {
    const document = new Map<string, Node>();
    enter(document, record, table);
    for (const [name, value] of record.further) if (shows(name)) document.set(name, value);
    enter(document, record, back);
    return document;
  };
}

function enter(
  document: Map<string, Node>,
  record: HeldRecord,
  properties: readonly { readonly name: string; readonly position: number }[],
): void {
  for (const { name, position } of properties) {
    const value = record.value(position);
    if (value !== undefined) document.set(name, value);
  }
}
