import type { Node } from '../model/document.js';
import type { HeldRecord } from '../model/record.js';
import { positionOf } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import type { ScopeField, Shown } from '../model/scopes.js';
import { itemsOf } from '../model/value.js';
import type { Value } from '../model/value.js';
import { continentOf } from '../region/names.js';
import type { Projector } from './project.js';

/** Shows records by a scope's own properties, in the scope's order; `fields` narrows. */
export function scopeProjector(
  resource: Resource,
  scope: readonly ScopeField[],
  fields?: readonly string[],
): Projector {
  const shown = scope.filter(({ name }) => fields?.includes(name) ?? true);
  return (record) => {
    const document = new Map<string, Node>();
    for (const { name, shows } of shown) {
      const value = valueOf(resource, record, shows);
      if (value !== undefined) document.set(name, value);
    }
    return document;
  };
}

function valueOf(resource: Resource, record: HeldRecord, shows: Shown): Value | undefined {
  if ('property' in shows) return propertyOf(resource, record, shows.property);
  if ('first' in shows) return itemsOf(propertyOf(resource, record, shows.first))[0];
  const country = propertyOf(resource, record, shows.continentOf);
  return country === undefined ? undefined : continentOf(String(country));
}

function propertyOf(resource: Resource, record: HeldRecord, property: string): Value | undefined {
  const position = positionOf(resource, property);
  return position >= 0 ? record.value(position) : record.named(property);
}
