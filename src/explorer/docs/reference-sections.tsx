import { CREDENTIALS_FIELD } from '../../openapi/create-openapi.js';
import type { DescriptionOptions } from '../../openapi/create-openapi.js';
import { listErrors } from '../../openapi/describe-responses.js';
import { ID_PROPERTY } from '../../openapi/described-operation.js';
import type { DescribedOperation } from '../../openapi/described-operation.js';
import { describeScopeField, listDescribedProperties } from '../../openapi/record-schema.js';
import { requestFields, responseFields } from '../../http/representation/response-fields.js';
import { errorCatalogue } from '../../model/error-catalogue.js';
import { REASON_DESCRIPTIONS, STATE_DESCRIPTIONS } from '../../model/outcome-description.js';
import { propertySchemas } from '../../model/resource.js';
import type { PropertyKind, Resource } from '../../model/resource.js';
import { scopeDescriptions, scopeFields } from '../../model/resources/team-scopes.js';
import { formats } from '../../render/formats.js';
import type { ReferenceTableProps } from './reference-table.js';

/** What all operations have in common, in so far as the configuration lets clients meet it (decisions 2.42). */
export function createReferenceTables(
  operations: readonly DescribedOperation[],
  access: DescriptionOptions,
): readonly ReferenceTableProps[] {
  const resources = [...new Set(operations.map(({ served }) => served.options.rules.vocabulary.resource))];
  const met = new Set<string>(operations.flatMap((one) => [...listErrors(one, access, true).values()].flat()));
  return [
    ...resources.map(listProperties),
    ...resources.filter(({ hasScopes }) => hasScopes).map(listScopes),
    {
      caption: 'Formats',
      anchor: 'format-',
      columns: ['Format', 'What it is', 'Extensions', 'Media types'],
      rows: formats.map((one) => [one.name, one.description, quote(one.extensions), quote(one.mediaTypes)]),
    },
    {
      caption: 'Request fields',
      anchor: 'request-',
      columns: ['Field', 'Meaning', 'Example'],
      rows: requestFields
        .filter(({ name }) => access.acceptsCredentials || name !== CREDENTIALS_FIELD)
        .map(({ name, description, example }) => [name, description, quote([example])]),
    },
    {
      caption: 'Response fields',
      anchor: 'response-',
      columns: ['Field', 'Meaning', 'Example'],
      rows: responseFields
        .filter(({ on }) => access.limitsRates || on.some((kind) => kind !== 'limited'))
        .map(({ name, description, example }) => [name, description, quote([example])]),
    },
    {
      caption: 'States of sources',
      anchor: 'state-',
      columns: ['State', 'Meaning'],
      rows: Object.entries(STATE_DESCRIPTIONS),
    },
    {
      caption: 'Reasons',
      anchor: 'reason-',
      columns: ['Reason', 'The source'],
      rows: Object.entries(REASON_DESCRIPTIONS),
    },
    {
      caption: 'Errors',
      anchor: 'error-',
      columns: ['Error', 'Status', 'Cause and remedy'],
      rows: Object.entries(errorCatalogue)
        .filter(([kind, { occurrence }]) => met.has(kind) || occurrence === 'method')
        .map(([kind, { status, phrase, description }]) => [kind, `${status} ${phrase}`, description]),
    },
  ];
}

/** A record has the id only where `fields` names it. */
function listProperties(resource: Resource): ReferenceTableProps {
  const { name: resourceName, idProperty } = resource;
  const description = 'id of the record; present only where `fields` names it';
  const id = idProperty === undefined ? [] : [{ ...ID_PROPERTY, name: idProperty, description }];
  return {
    caption: `Properties of ${resourceName}`,
    anchor: `${resourceName}.`,
    columns: ['Property', 'Meaning', 'Type', 'Example'],
    rows: [...listDescribedProperties(resource), ...id].map(({ name, kind, description: meaning, example }) => [
      name,
      meaning,
      describeType(kind),
      <code>{JSON.stringify(example)}</code>,
    ]),
  };
}

function describeType(kind: PropertyKind): string {
  const { type, items } = propertySchemas[kind];
  return items === undefined ? String(type) : `list of ${String(items.type)}`;
}

function listScopes(resource: Resource): ReferenceTableProps {
  const properties = listDescribedProperties(resource);
  const describeFields = (scope: string): string =>
    (Object.entries(scopeFields).find(([name]) => name === scope)?.[1] ?? [])
      .map((field) => `\`${field.name}\` (${describeScopeField(field, properties)})`)
      .join('; ');
  return {
    caption: `Scopes of ${resource.name}`,
    anchor: 'scope-',
    columns: ['Scope', 'Records', 'Properties'],
    rows: Object.entries(scopeDescriptions).map(([scope, description]) => [
      scope,
      description,
      describeFields(scope) || 'those of the record',
    ]),
  };
}

function quote(texts: readonly string[]): string {
  return texts.map((text) => `\`${text}\``).join(' ');
}
