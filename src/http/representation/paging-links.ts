import type { Query } from '../../model/query.js';
import { serializePageLinks } from '../../headers/link.js';

/** `base`, the parameters as received, and the applied limit and offset. */
export function createPublicPageUrl(base: string, query: Query): string {
  return createPageUrlBuilder(base, query)(query.offset);
}

/** Decisions 2.11. Undefined where there are no other pages. `base` is the address without a query. */
export function createPagingLinks(base: string, query: Query, total: number): string | undefined {
  return serializePageLinks({
    ...query,
    total: Math.min(total, query.resource.pagingWindow),
    url: createPageUrlBuilder(base, query),
  });
}

/** `base` and the parameters as received. */
export function createPublicItemUrl(base: string, { requestParameters }: Query): string {
  return requestParameters.length === 0 ? base : `${base}?${formatParameters(requestParameters)}`;
}

function createPageUrlBuilder(base: string, { requestParameters, limit }: Query): (offset: number) => string {
  const parameters = formatParameters([...requestParameters, ['limit', limit]]);
  return (offset) => `${base}?${parameters}&offset=${offset}`;
}

function formatParameters(parameters: readonly (readonly [string, string | number])[]): string {
  return parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}
