import type { DescribedOperation } from '../../openapi/described-operation.js';
import { describeScopeField, listDescribedProperties } from '../../openapi/record-schema.js';
import type { VNode } from '../../html/html.js';
import type { JsonValue } from '../../model/schema/json-schema.js';
import { propertySchemas } from '../../model/resource.js';
import type { PropertyKind, Resource } from '../../model/resource.js';
import { scopeDescriptions, scopeFields } from '../../model/resources/team-scopes.js';
import { ReferenceTable } from './reference-table.js';

/** The properties of the records of each resource, and the scopes of those that have some. */
export function PropertySections({ operations }: { readonly operations: readonly DescribedOperation[] }): VNode {
  const resources = [...new Set(operations.map(({ served }) => served.options.rules.vocabulary.resource))];
  return (
    <section id="properties" aria-labelledby="properties-title">
      <h2 id="properties-title">Properties</h2>
      <p>
        A record has the properties that its source gives, in this order. Properties without a value are omitted.
        Others, such as <code>-code-member-type</code>, belong to one source.
      </p>
      {resources.map((resource) => (
        <ReferenceTable
          caption={`Properties of ${resource.name}`}
          columns={['Property', 'Meaning', 'Type', 'Example']}
          rows={listDescribedProperties(resource).map(({ name, kind, description, example }) => ({
            anchor: `${resource.name}.${name}`,
            name,
            cells: [description, describeType(kind), formatValue(example)],
          }))}
        />
      ))}
      {resources
        .filter(({ hasScopes }) => hasScopes)
        .map((resource) => (
          <ScopeTable resource={resource} />
        ))}
    </section>
  );
}

function describeType(kind: PropertyKind): string {
  const { type, items } = propertySchemas[kind];
  return items === undefined ? String(type) : `list of ${String(items.type)}`;
}

/** A value of several lines is shown in one. */
function formatValue(value: JsonValue): VNode {
  return <code>{JSON.stringify(value)}</code>;
}

function ScopeTable({ resource }: { readonly resource: Resource }): VNode {
  const properties = listDescribedProperties(resource);
  return (
    <ReferenceTable
      caption={`Scopes of ${resource.name}`}
      columns={['Scope', 'Records', 'Properties']}
      rows={Object.entries(scopeDescriptions).map(([scope, description]) => {
        const [, fields = []] = Object.entries(scopeFields).find(([name]) => name === scope) ?? [];
        const names = fields.map((field) => `\`${field.name}\` (${describeScopeField(field, properties)})`);
        return {
          anchor: `scope-${scope}`,
          name: scope,
          cells: [description, names.join('; ') || 'those of the record'],
        };
      })}
    />
  );
}
