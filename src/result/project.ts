import type { Node } from '../model/document.js';
import type { HeldRecord } from '../model/record.js';
import type { Resource } from '../model/resource.js';

/**
 * Shows records as documents in the record's own key order: the resource's table, further properties, last-modified at the end
 * (decisions.md, section 2). `fields` only narrows: it never reorders.
 */
export function projector(
  resource: Resource,
  fields?: readonly string[],
): (record: HeldRecord) => ReadonlyMap<string, Node> {
  const wanted = fields && new Set(fields);
  const shown = resource.properties
    .map(({ name }, position) => ({ name, position }))
    .filter(({ name }) => wanted?.has(name) ?? true);
  const last = resource.properties.length - 1;
  const front = shown.filter(({ position }) => position !== last);
  const back = shown.filter(({ position }) => position === last);
  return (record) => {
    const document = new Map<string, Node>();
    enter(document, record, front);
    for (const [name, value] of record.further) if (wanted?.has(name) ?? true) document.set(name, value);
    enter(document, record, back);
    return document;
  };
}

function enter(
  document: Map<string, Node>,
  record: HeldRecord,
  properties: readonly { name: string; position: number }[],
): void {
  for (const { name, position } of properties) {
    const value = record.values[position];
    if (value !== undefined) document.set(name, value);
  }
}
