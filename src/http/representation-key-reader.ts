import type { IncomingMessage } from 'node:http';
import { joinLinks } from '../headers/link.js';
import { createPagingLinks } from './representation/paging-links.js';
import { compileRoutePattern, checkTargetLength } from './match-route.js';
import type { ServedResource } from './operations/served-resource.js';
import { parseRequestTarget } from './request/request-target.js';
import { parseListRequest } from './request/parse-list-request.js';
import { createRepresentationKey } from './representation/representation-key.js';
import type { RequestedRepresentation } from './representation/representation-key.js';

/**
 * For the response cache. Undefined for a request that is not for a list or that is rejected, and for a representation
 * whose bytes depend on the spelling of the request. `descriptionLinks` are the links of every response (decisions
 * 2.42).
 */
export function createRepresentationKeyReader(
  served: readonly ServedResource[],
  descriptionLinks: string,
): (request: IncomingMessage) => RequestedRepresentation | undefined {
  const routes = served
    .filter(({ options }) => options.rules.item !== true)
    .map((resource) => ({ options: resource.options, pattern: compileRoutePattern(resource) }));
  return ({ url = '', headers }) => {
    if (checkTargetLength(url) !== undefined) return undefined;
    const { path, rawQuery } = parseRequestTarget(url);
    const route = routes.find(({ pattern }) => pattern.test(path));
    if (route === undefined) return undefined;
    const { rules, publicUrl } = route.options;
    // Requests with credentials bypass the response cache.
    const parsed = parseListRequest(rules, { path, rawQuery, accept: headers.accept, clientAccess: undefined });
    if (!('query' in parsed)) return undefined;
    const { query, responseFormat } = parsed;
    const key = createRepresentationKey(query, responseFormat);
    return key === undefined
      ? undefined
      : {
          key,
          createLinkField: (total) => joinLinks(createPagingLinks(publicUrl + path, query, total), descriptionLinks),
        };
  };
}
