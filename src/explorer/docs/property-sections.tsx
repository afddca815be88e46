import type { Operation } from '../../http/operations/served-resource.js';
import { ID_PROPERTY } from '../../openapi/described-operation.js';
import type { DescribedOperation } from '../../openapi/described-operation.js';
import { createRecordSchemas, describeScopeField, listDescribedProperties } from '../../openapi/record-schema.js';
import type { VNode } from '../../html/html.js';
import type { JsonValue } from '../../model/schema/json-schema.js';
import { propertySchemas } from '../../model/resource.js';
import type { Property, PropertyKind, Resource } from '../../model/resource.js';
import { scopeDescriptions, scopeFields } from '../../model/resources/team-scopes.js';
import { countries, countryForms } from '../../model/resources/countries.js';
import { SCHEMA_COLUMNS, createSchemaRows } from './schema-rows.js';
import { ReferenceTable } from './reference-table.js';

/** For each resource, with its scopes. */
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
          rows={[...listDescribedProperties(resource), ...listIdProperty(resource)].map(
            ({ name, kind, description, example }) => ({
              anchor: `${resource.name}.${name}`,
              name,
              cells: [description, describeType(kind), formatValue(example)],
            }),
          )}
        />
      ))}
      <AddedProperties operations={operations} operation="search" caption="Further properties of search results" />
      <AddedProperties
        operations={operations}
        operation="same-team"
        caption="Further properties of records of the same team"
      />
      {resources
        .filter(({ hasScopes }) => hasScopes)
        .map((resource) => (
          <ScopeTable resource={resource} />
        ))}
      {resources.includes(countries) && <CountryScopeTable />}
    </section>
  );
}

/** A record has the id only where `fields` names it. */
function listIdProperty({ idProperty }: Resource): readonly Property[] {
  if (idProperty === undefined) return [];
  return [{ ...ID_PROPERTY, name: idProperty, description: 'id of the record; present only where `fields` names it' }];
}

function AddedProperties({
  operations,
  operation,
  caption,
}: {
  readonly operations: readonly DescribedOperation[];
  readonly operation: Operation;
  readonly caption: string;
}): VNode | null {
  const found = operations.find(({ served }) => served.operation === operation);
  if (found === undefined) return null;
  const { resource } = found.served.options.rules.vocabulary;
  const [schema] = Object.values(createRecordSchemas(operation, resource));
  const known = [...listDescribedProperties(resource), ...listIdProperty(resource)].map(({ name }) => name);
  const added = Object.entries(schema?.properties ?? {}).filter(([name]) => !known.includes(name));
  return (
    <ReferenceTable
      caption={caption}
      columns={SCHEMA_COLUMNS}
      rows={createSchemaRows(operation, Object.fromEntries(added))}
    />
  );
}

function CountryScopeTable(): VNode {
  return (
    <ReferenceTable
      caption="Scopes of countries"
      columns={['Scope', 'Listed by', 'Properties']}
      rows={Object.entries(countryForms).map(([scope, { key, properties }]) => ({
        anchor: `countries-scope-${scope}`,
        name: scope,
        cells: [`the code \`${key}\``, properties.map((name) => `\`${name}\``).join(' ')],
      }))}
    />
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
