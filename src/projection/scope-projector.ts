import type { DocumentNode } from '../model/document-node.js';
import type { StoredRecord } from '../model/record.js';
import { findPropertyPosition } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import type { ScopeField, ScopeFieldValue } from '../model/resources/team-scopes.js';
import { toItems } from '../model/property-value.js';
import type { PropertyValue } from '../model/property-value.js';
import { findContinent } from '../region/country-names.js';
import type { Projector } from './record-projector.js';

/** Shows the properties of a scope in its order (decisions 4.20). `fields` selects among them. */
export function createScopeProjector(
  resource: Resource,
  scope: readonly ScopeField[],
  fields?: readonly string[],
): Projector {
  const selected = scope.filter(({ name }) => fields?.includes(name) ?? true);
  return (record) => {
    const document = new Map<string, DocumentNode>();
    for (const { name, value: fieldValue } of selected) {
      const value = evaluateField(resource, record, fieldValue);
      if (value !== undefined) document.set(name, value);
    }
    return document;
  };
}

function evaluateField(
  resource: Resource,
  record: StoredRecord,
  fieldValue: ScopeFieldValue,
): PropertyValue | undefined {
  if ('property' in fieldValue) return readProperty(resource, record, fieldValue.property);
  if ('firstItemOf' in fieldValue) return toItems(readProperty(resource, record, fieldValue.firstItemOf))[0];
  const country = readProperty(resource, record, fieldValue.continentOf);
  return country === undefined ? undefined : findContinent(String(country));
}

function readProperty(resource: Resource, record: StoredRecord, property: string): PropertyValue | undefined {
  const position = findPropertyPosition(resource, property);
  return position >= 0 ? record.valueAt(position) : record.extraValue(property);
}
