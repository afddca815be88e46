import { TEXTS_SCHEMA, TEXT_SCHEMA } from '../../model/schema/json-schema.js';
import type { JsonSchema } from '../../model/schema/json-schema.js';
import type { Disagreement, LinkReason, TeamLink } from '../../gateway/links/team-link.js';
import type { DocumentNode } from '../../model/document-node.js';
import type { Resource } from '../../model/resource.js';
import { createProjector } from '../../projection/record-projector.js';
import type { Projector } from '../../projection/record-projector.js';
import { handleQuery } from './list-handler.js';
import { createListResponse } from './list-response.js';
import type { RequestLogFields } from '../log/access-log.js';
import type { OutgoingResponse } from '../representation/outgoing-response.js';
import type { ListOptions, ListRequest } from './served-resource.js';

/** Decisions 2.38. */
export function handleSameTeamRequest(
  options: ListOptions,
  request: ListRequest,
  logFields: RequestLogFields,
): Promise<OutgoingResponse> {
  const { itemId: id = '' } = request;
  return handleQuery(options, request, logFields, {
    getAnswer: (backend, query, queryOptions) => backend.findSameTeam(query, id, queryOptions),
    createResponse: (answer, context) => {
      const { resource } = context.query;
      const properties = listShownProperties(resource);
      const project = createProjector(resource, 'public', properties);
      const rows = answer.links.map((link) => describeLink(link, project));
      return createListResponse(answer, context, {
        name: 'same',
        rows,
        listColumns: () => Promise.resolve([...properties, 'reasons', 'disagreements']),
      });
    },
  });
}

/** Id, names, country, source and date of a linked record. */
function listShownProperties(resource: Resource): readonly string[] {
  const { idProperty = 'id', nameProperties, countryProperties, sourceNameProperty, trailingProperty } = resource;
  const date = trailingProperty === undefined ? [] : [trailingProperty.name];
  return [idProperty, ...nameProperties, ...countryProperties.slice(0, 1), sourceNameProperty, ...date];
}

/** An entry of the list of links. `properties` has the schemas of a record. */
export function createLinkSchema(resource: Resource, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const shown = listShownProperties(resource).flatMap((name) => {
    const schema = properties[name];
    return schema === undefined ? [] : [[name, schema] as const];
  });
  return {
    type: 'object',
    properties: { ...Object.fromEntries(shown), reasons: REASONS_SCHEMA, disagreements: DISAGREEMENTS_SCHEMA },
    required: ['reasons', 'disagreements'],
    additionalProperties: false,
  };
}

const REASONS_SCHEMA: JsonSchema = {
  type: 'array',
  minItems: 1,
  description: 'why the records are probably of one team',
  items: {
    anyOf: [
      createReasonSchema('key', 'fingerprint'),
      createReasonSchema('e-mail', 'address'),
      createReasonSchema('domain-and-name', 'domain', 'name'),
    ],
  },
};

function createReasonSchema(kind: LinkReason['kind'], ...facts: readonly string[]): JsonSchema {
  return {
    type: 'object',
    properties: {
      kind: { const: kind },
      ...Object.fromEntries(facts.map((fact) => [fact, TEXT_SCHEMA])),
      holders: { type: 'integer', minimum: 2, description: 'records that have it, where a repository has several' },
    },
    required: ['kind', ...facts],
    additionalProperties: false,
  };
}

const DISAGREEMENTS_SCHEMA: JsonSchema = {
  type: 'array',
  description: 'the properties that both records have with different values',
  items: {
    type: 'object',
    properties: { property: TEXT_SCHEMA, here: TEXTS_SCHEMA, there: TEXTS_SCHEMA },
    required: ['property', 'here', 'there'],
    additionalProperties: false,
  },
};

function describeLink(
  { record, reasons, disagreements }: TeamLink,
  project: Projector,
): ReadonlyMap<string, DocumentNode> {
  return new Map<string, DocumentNode>([
    ...project(record),
    ['reasons', reasons.map(describeReason)],
    ['disagreements', disagreements.map(describeDisagreement)],
  ]);
}

function describeReason(reason: LinkReason): ReadonlyMap<string, DocumentNode> {
  return new Map(Object.entries(reason));
}

function describeDisagreement({ property, here, there }: Disagreement): ReadonlyMap<string, DocumentNode> {
  return new Map<string, DocumentNode>([
    ['property', property],
    ['here', here],
    ['there', there],
  ]);
}
