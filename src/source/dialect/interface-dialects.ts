import type { AccessLevel } from '../../model/access-level.js';
import type { Resource } from '../../model/resource.js';
import { dataTeams } from '../../model/resources/data-teams.js';
import type { Dialect, OffsetPaging } from './dialect.js';
import { buildItemUrl, buildPageUrl } from './request-url.js';
import type { SourceParameters } from './request-url.js';

const ACCEPT_JSON = 'application/json';

/** The base URL has no slash at the end (interfaces 4.1). */
export function createDirectoryDialect(baseUrl: string): Dialect & { readonly paging: OffsetPaging } {
  return createInterfaceDialect(baseUrl, () => ({}));
}

/**
 * The base URL has no slash at the end (interfaces 4.2). At members access whole profiles are requested, PGP keys
 * included (decisions 8.3).
 */
export function createDataDialect(
  baseUrl: string,
  upstreamAccess: AccessLevel,
): Dialect & { readonly paging: OffsetPaging } {
  return createInterfaceDialect(baseUrl, (resource) =>
    resource === dataTeams && upstreamAccess === 'members' ? { scope: 'members' } : {},
  );
}

/** The interfaces differ only in the scope (decisions 4.3). */
function createInterfaceDialect(
  baseUrl: string,
  scopeOf: (resource: Resource) => SourceParameters,
): Dialect & { readonly paging: OffsetPaging } {
  return {
    addresses: [baseUrl],
    accept: ACCEPT_JSON,
    paging: {
      kind: 'offset',
      listFormat: { kind: 'list' },
      itemFormat: { kind: 'item' },
      pageUrl: (resource, range, parameters) =>
        buildPageUrl(`${baseUrl}/${resource.path}`, range, { ...scopeOf(resource), ...parameters }),
      itemUrl: (resource, id) => buildItemUrl(`${baseUrl}/${resource.path}`, id),
    },
  };
}
