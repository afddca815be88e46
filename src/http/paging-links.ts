import type { Query } from '../model/query.js';
import { pageLinks } from '../wire/link.js';

/** The URL of the page of a query at an offset: the address `base` with the parameters as the client wrote them, and the page as it was applied. */
export function pageUrl(base: string, query: Query): string {
  return pageUrls(base, query)(query.offset);
}

/** The Link field of a page of so many matches (decisions.md, section 2); undefined where it has none. `base` is the address without its query. */
export function linkField(base: string, query: Query, total: number): string | undefined {
  return pageLinks({ ...query, total: Math.min(total, query.resource.window), url: pageUrls(base, query) });
}

/** The URL of each page of a query by its offset, which comes last. */
function pageUrls(base: string, { asked, limit }: Query): (offset: number) => string {
  const pairs = [...asked, ['limit', limit]] as const;
  const parameters = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return (offset) => `${base}?${parameters}&offset=${offset}`;
}
