import type { Disagreement, LinkReason, TeamLink } from '../gateway/links/team-link.js';
import type { DocumentNode } from '../model/document-node.js';
import type { Resource } from '../model/resource.js';
import { createProjector } from '../projection/record-projector.js';
import type { Projector } from '../projection/record-projector.js';
import { handleQuery } from './list-handler.js';
import { createListResponse } from './list-response.js';
import type { RequestLogFields } from './log/access-log.js';
import type { OutgoingResponse } from './representation/outgoing-response.js';
import type { ListOptions, ListRequest } from './served-resource.js';

/**
 * Handles a GET request for the records of other repositories that are probably of the same team (decisions 2.38). Adds
 * fields to the log line in `logFields`.
 */
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
        columns: [...properties, 'reasons', 'disagreements'],
      });
    },
  });
}

/** The properties of a linked record that the list of links shows: its id, names, country, source and date. */
function listShownProperties(resource: Resource): readonly string[] {
  const { idProperty = 'id', nameProperties, countryProperties, sourceNameProperty, trailingProperty } = resource;
  const date = trailingProperty === undefined ? [] : [trailingProperty.name];
  return [idProperty, ...nameProperties, ...countryProperties.slice(0, 1), sourceNameProperty, ...date];
}

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
