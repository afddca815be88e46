import type { Operation } from '../http/operations/served-resource.js';
import { createLinkSchema } from '../http/operations/same-team-handler.js';
import { TEXT_SCHEMA } from '../model/schema/json-schema.js';
import type { JsonSchema } from '../model/schema/json-schema.js';
import { MATCHES_PROPERTY, SCORE_PROPERTY, propertySchemas } from '../model/resource.js';
import type { Property, Resource } from '../model/resource.js';
import { HIT_KINDS } from '../search/hit-reasons.js';
import { scopeDescriptions, scopeFields } from '../model/resources/team-scopes.js';
import type { ScopeField } from '../model/resources/team-scopes.js';

/** The table, the further known properties, the trailing one. */
export function listDescribedProperties({
  properties,
  knownExtraProperties: extra,
  trailingProperty: trailing,
}: Resource): readonly Property[] {
  return [...properties, ...extra, ...(trailing === undefined ? [] : [trailing])];
}

/** Sent by a source beyond the tables: a scalar, or a list of scalars (decisions 4.13). */
const EXTRA_PROPERTY_SCHEMA: JsonSchema = {
  description: 'a property that only some sources have, such as `-<code>-member-type`',
  anyOf: [
    { type: ['string', 'number', 'boolean'] },
    { type: 'array', items: { type: ['string', 'number', 'boolean'] }, minItems: 1 },
  ],
};

/** By name. `idPresence`: when a record has its id, if not always. */
function createPropertySchemas(resource: Resource, idPresence = ''): Readonly<Record<string, JsonSchema>> {
  const { idProperty } = resource;
  const known = listDescribedProperties(resource).map(({ name, kind, description, example }): [string, JsonSchema] => [
    name,
    { ...propertySchemas[kind], description, examples: [example] },
  ]);
  const id: JsonSchema = { ...TEXT_SCHEMA, description: `id of the record${idPresence}` };
  return { ...Object.fromEntries(known), ...(idProperty !== undefined && { [idProperty]: id }) };
}

/** Empty properties are omitted, so that none is required. */
function createRecordSchema(resource: Resource): JsonSchema {
  return {
    type: 'object',
    properties: createPropertySchemas(resource, '; present only where `fields` names it'),
    additionalProperties: EXTRA_PROPERTY_SCHEMA,
  };
}

/** By name: several where the resource has scopes. */
export function createRecordSchemas(operation: Operation, resource: Resource): Readonly<Record<string, JsonSchema>> {
  const schemas = {
    read: () => createRecordSchema(resource),
    'same-team': () => createLinkSchema(resource, createPropertySchemas(resource)),
    search: () => createHitSchema(createRecordSchema(resource)),
    countries: () => ({ ...createRecordSchema(resource), additionalProperties: false }),
  } satisfies Readonly<Record<Operation, () => JsonSchema>>;
  const isPlain = operation === 'read' || operation === 'countries';
  const name = isPlain ? resource.name : `${resource.name}-${operation}`;
  const scopes = Object.entries(resource.hasScopes ? createScopeSchemas(resource) : {});
  const scopeSchemas = scopes.map(([scope, schema]): [string, JsonSchema] => [
    `${name}-${scope}`,
    operation === 'search' ? createHitSchema(schema) : schema,
  ]);
  return { [name]: schemas[operation](), ...Object.fromEntries(scopeSchemas) };
}

/** A record that a search found (decisions 2.40). */
function createHitSchema(record: JsonSchema): JsonSchema {
  return {
    ...record,
    properties: {
      ...record.properties,
      [SCORE_PROPERTY]: { type: 'number', minimum: 0.001, maximum: 1, description: 'relevance; 1 is the best' },
      [MATCHES_PROPERTY]: {
        type: 'array',
        description: 'what matched',
        items: {
          type: 'object',
          properties: { kind: { type: 'string', enum: HIT_KINDS }, property: TEXT_SCHEMA, text: TEXT_SCHEMA },
          required: ['kind', 'property', 'text'],
          additionalProperties: false,
        },
      },
    },
  };
}

/** By scope, for scopes that do not show whole records. */
function createScopeSchemas(resource: Resource): Readonly<Record<string, JsonSchema>> {
  const properties = listDescribedProperties(resource);
  return Object.fromEntries(
    Object.entries(scopeFields).map(([scope, fields]) => [
      scope,
      {
        type: 'object',
        description: `A record in the scope \`${scope}\`: ${scopeDescriptions[scope as keyof typeof scopeFields]}.`,
        properties: Object.fromEntries(fields.map((field) => [field.name, createScopeFieldSchema(field, properties)])),
        additionalProperties: false,
      } satisfies JsonSchema,
    ]),
  );
}

/** By the property of the record from which the value is computed. */
export function describeScopeField({ value }: ScopeField, properties: readonly Property[]): string {
  if ('continentOf' in value) return `continent of \`${value.continentOf}\``;
  if ('firstItemOf' in value) return `first item of \`${value.firstItemOf}\``;
  return properties.find(({ name }) => name === value.property)?.description ?? value.property;
}

function createScopeFieldSchema(field: ScopeField, properties: readonly Property[]): JsonSchema {
  const { value } = field;
  const kind = 'property' in value ? properties.find(({ name }) => name === value.property)?.kind : undefined;
  return {
    ...(kind === undefined ? TEXT_SCHEMA : propertySchemas[kind]),
    description: describeScopeField(field, properties),
  };
}
