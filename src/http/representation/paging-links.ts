import type { Query } from '../../model/query.js';
import { serializePageLinks } from '../../headers/link.js';

/** The URL of the page of a query at an offset: the address `base` with the parameters as the client wrote them, and the page as it was applied. */
export function createPublicPageUrl(base: string, query: Query): string {
  return createPageUrlBuilder(base, query)(query.offset);
}

/** The Link field of a page of so many matches (decisions.md, section 2); undefined where it has none. `base` is the address without its query. */
export function createPagingLinkField(base: string, query: Query, total: number): string | undefined {
  return serializePageLinks({
    ...query,
    total: Math.min(total, query.resource.pagingWindow),
    url: createPageUrlBuilder(base, query),
  });
}

/** The URL of each page of a query by its offset, which comes last. */
function createPageUrlBuilder(base: string, { requestParameters: asked, limit }: Query): (offset: number) => string {
  const pairs = [...asked, ['limit', limit]] as const;
  const parameters = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return (offset) => `${base}?${parameters}&offset=${offset}`;
}
